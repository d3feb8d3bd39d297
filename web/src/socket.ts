/** The one connection of a page: questions that are answered, news that arrive, and coming back after a break. */

import type { Hello, Tells } from "./records";

export class Refused extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Refused) => void;
}

const RETRY_MS = [200, 500, 1000, 2000, 5000] as const;

export class Socket {
  private socket: WebSocket | null = null;
  private number = 0;
  private failures = 0;
  private readonly waiting = new Map<number, Waiting>();
  private readonly newest = new Map<string, unknown>();
  private readonly listeners = new Map<string, Set<(data: never) => void>>();

  /** Told whenever the connection comes or goes. */
  onState: (connected: boolean) => void = () => {};

  connect(): void {
    const url = new URL("./socket", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    url.hash = "";
    const socket = new WebSocket(url);
    socket.onmessage = (event) => this.receive(JSON.parse(event.data as string) as Record<string, unknown>);
    socket.onclose = () => this.lost();
    this.socket = socket;
    // Browsers may keep a hidden page with its connection: the server must not search for it.
    window.onpagehide = () => socket.close();
  }

  /** Ask the server to do something; its answer, or Refused with a sentence. */
  ask<T = unknown>(action: string, data: object = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        reject(new Refused("not connected", "the board connects again by itself as soon as okapi is there"));
        return;
      }
      const id = ++this.number;
      this.waiting.set(id, { resolve: resolve as (answer: never) => void, reject });
      this.socket.send(JSON.stringify({ ...data, id, do: action }));
    });
  }

  /** Listen for news of a kind; returns how to stop. */
  on<K extends keyof Tells>(kind: K, listener: (data: Tells[K]) => void): () => void;
  on<T>(kind: string, listener: (data: T) => void): () => void;
  on(kind: string, listener: (data: never) => void): () => void {
    const listeners = this.listeners.get(kind) ?? new Set();
    this.listeners.set(kind, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** The newest news of a kind, for listeners that came later; none from before a break. */
  heard<K extends keyof Tells>(kind: K): Tells[K] | undefined {
    return this.newest.get(kind) as Tells[K] | undefined;
  }

  private receive(message: Record<string, unknown>): void {
    if (typeof message.tell === "string") {
      this.newest.set(message.tell, message);
      if (message.tell === "hello") this.greeted(message as unknown as Hello);
      for (const listener of this.listeners.get(message.tell) ?? []) listener(message as never);
      return;
    }
    const waiting = this.waiting.get(message.id as number);
    this.waiting.delete(message.id as number);
    if (message.ok) waiting?.resolve(message as never);
    else waiting?.reject(new Refused(String(message.error), String(message.hint)));
  }

  private greeted(_hello: Hello): void {
    this.failures = 0;
    this.onState(true);
  }

  private lost(): void {
    for (const { reject } of this.waiting.values()) reject(new Refused("the connection was lost", ""));
    this.waiting.clear();
    this.newest.clear();
    this.onState(false);
    setTimeout(() => this.connect(), RETRY_MS[Math.min(this.failures++, RETRY_MS.length - 1)]);
  }
}
