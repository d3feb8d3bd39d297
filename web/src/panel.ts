/** The page's half of a panel. */

import type { Hello } from "./records";
import type { Socket } from "./socket";

/** What a panel may use. */
export interface PanelContext {
  socket: Socket;
  /** What the server offers: brains, players, ratings. */
  hello: Hello;
  /** Show an error. Give it what `socket.ask` throws. */
  complain: (error: unknown) => void;
  /** Announce a text to screen readers. */
  announce: (text: string) => void;
  /** A short message that goes away by itself. */
  note: (text: string) => void;
}

export interface Mounted {
  /** The panel is shown (again), perhaps with something from the link: `#play?fen=…`. */
  shown?: (query: URLSearchParams) => void;
  /** Another panel is shown: stop what is only shown. */
  hidden?: () => void;
  /** The connection came back: bring the server up to date. */
  connected?: () => void;
  /** Brains were added or removed: list them anew. */
  offered?: () => void;
  /** A key was pressed outside any field; true if it meant something here. */
  key?: (event: KeyboardEvent) => boolean;
  /** Keys to be listed in the help: [key, what it does]. */
  keys?: readonly (readonly [string, string])[];
}

export interface Panel {
  /** As in the link and in the server's table. */
  id: string;
  title: string;
  /** What it shows, in one line: for panels that share a tab. */
  about?: string;
  /** Build it once, when it is first shown. */
  mount: (root: HTMLElement, context: PanelContext) => Mounted;
}
