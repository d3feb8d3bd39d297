/** Short sounds, made here: no files to load. */

import { recall, remember } from "./store";

type Sound = "move" | "capture" | "check" | "end" | "low-time";

let context: AudioContext | null = null;
let muted = recall<boolean>("muted") ?? false;

export const isMuted = (): boolean => muted;

export function setMuted(value: boolean): void {
  muted = value;
  remember("muted", value);
}

/** Browsers allow sound only after the person has touched the page; before that, nothing happens. */
export function sound(kind: Sound): void {
  if (muted || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (kind === "move") knock(context, 0, 190, 0.5);
  if (kind === "capture") {
    knock(context, 0, 240, 0.6);
    knock(context, 0.055, 150, 0.5);
  }
  if (kind === "check") {
    knock(context, 0, 190, 0.5);
    tone(context, 0.06, 660, 0.12);
  }
  if (kind === "low-time") tone(context, 0, 880, 0.08);
  if (kind === "end") [392, 523, 659].forEach((pitch, i) => context && tone(context, i * 0.12, pitch, 0.25));
}

/** Wood on wood: a very short burst of noise through a narrow filter. */
function knock(audio: AudioContext, after: number, pitch: number, volume: number): void {
  const length = 0.09;
  const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / samples.length);
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch * 3, Q: 1.4 });
  source
    .connect(filter)
    .connect(new GainNode(audio, { gain: volume }))
    .connect(audio.destination);
  source.start(audio.currentTime + after);
}

function tone(audio: AudioContext, after: number, pitch: number, length: number): void {
  const from = audio.currentTime + after;
  const oscillator = new OscillatorNode(audio, { type: "sine", frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, from);
  gain.gain.linearRampToValueAtTime(0.12, from + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(from);
  oscillator.stop(from + length);
}
