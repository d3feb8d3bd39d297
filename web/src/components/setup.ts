/** The dialog in which a new game is set up. */

import { field, h, select } from "../dom";
import type { Hello, Seat, Setup, Side, TimeControl } from "../records";
import { OpponentList } from "./opponents";
import { SeatForm } from "./seat";

export type Mode = "play" | "watch" | "people";

/** What was chosen last time, to begin with. */
export interface GameRequest {
  mode: Mode;
  side: Side | "random";
  opponent: Seat;
  rival: Seat;
  clock: string;
  start: "standard" | "chess960" | "fen";
  fen: string;
  number: string;
  /** Of two people, White first. */
  names: [string, string];
}

export const FIRST_REQUEST: GameRequest = {
  mode: "play",
  side: "white",
  opponent: { player: "alphabeta", elo: 1500 },
  rival: { player: "alphabeta", movetime_ms: 500 },
  clock: "none",
  start: "standard",
  fen: "",
  number: "",
  names: ["", ""],
};

const PERSON: Seat = { player: "person" };
const MODES: readonly (readonly [Mode, string])[] = [
  ["play", "You play"],
  ["watch", "Two players"],
  ["people", "Two people"],
];
const CLOCKS = [
  ["none", "No clock"],
  ["1+0", "1 minute"],
  ["3+2", "3 min + 2 s"],
  ["5+3", "5 min + 3 s"],
  ["10+5", "10 min + 5 s"],
  ["15+10", "15 min + 10 s"],
  ["60+30", "60 min + 30 s"],
] as const;

/** The game that a request stands for. */
export function setupOf(request: GameRequest): Setup {
  const side = request.side === "random" ? (Math.random() < 0.5 ? "white" : "black") : request.side;
  const [white, black] = {
    play: side === "white" ? [PERSON, request.opponent] : [request.opponent, PERSON],
    watch: [request.opponent, request.rival],
    people: request.names.map((name) => ({ ...PERSON, name })),
  }[request.mode] as [Seat, Seat];
  return {
    white,
    black,
    clock: controlOf(request.clock),
    fen: request.start === "fen" ? request.fen : null,
    chess960: request.start === "chess960" ? (request.number === "" ? -1 : Number(request.number)) : null,
  };
}

function controlOf(clock: string): TimeControl | null {
  const match = /^(\d+(?:\.\d+)?)\+(\d+(?:\.\d+)?)$/.exec(clock);
  if (!match) return null;
  return { time_ms: Math.round(Number(match[1]) * 60_000), increment_ms: Math.round(Number(match[2]) * 1000) };
}

/** Ask for a new game; `onChosen` gets what was chosen. */
export function askForGame(hello: Hello, first: GameRequest, onChosen: (request: GameRequest) => void): void {
  let mode = first.mode;
  const modes = choice("Who plays", MODES, mode, (chosen) => {
    mode = chosen;
    refresh();
  });
  let side = first.side;
  const sides = choice(
    "Your side",
    [
      ["white", "White"],
      ["random", "Either"],
      ["black", "Black"],
    ],
    side,
    (chosen) => (side = chosen),
  );
  const named = new OpponentList(hello.opponents, first.opponent, () => refresh());
  const opponent = new SeatForm("Opponent", hello, first.opponent);
  const rival = new SeatForm("Black", hello, first.rival);
  const clock = select(CLOCKS, first.clock);
  const start = select(
    [
      ["standard", "The standard position"],
      ["chess960", "Chess960"],
      ["fen", "A position (FEN)"],
    ],
    first.start,
  );
  const fen = h("input", { type: "text", value: first.fen, spellcheck: false, placeholder: "8/8/8/… w - - 0 1" });
  const number = h("input", { type: "number", min: 0, max: 959, value: first.number, placeholder: "any" });
  const names = (["White", "Black"] as const).map((placeholder, i) =>
    h("input", { type: "text", value: first.names[i], maxLength: 40, placeholder, autocomplete: "off" }),
  ) as [HTMLInputElement, HTMLInputElement];
  const namesRow = h("div.pair", {}, field("White is", names[0]), field("Black is", names[1]));
  const fenRow = field("FEN", fen);
  const numberRow = field("Number, 0 to 959", number);

  const refresh = (): void => {
    sides.hidden = mode !== "play";
    namesRow.hidden = mode !== "people";
    named.element.hidden = mode !== "play";
    opponent.element.hidden = mode === "people" || (mode === "play" && named.value !== null);
    opponent.element.querySelector("legend")!.textContent = mode === "watch" ? "White" : "Any brain";
    rival.element.hidden = mode !== "watch";
    fenRow.hidden = start.value !== "fen";
    numberRow.hidden = start.value !== "chess960";
  };
  start.onchange = refresh;
  refresh();

  const form = h(
    "form.setup",
    { method: "dialog" },
    h("h2", { id: "setup-title" }, "New game"),
    modes,
    sides,
    namesRow,
    named.element,
    h("div.seats", {}, opponent.element, rival.element),
    h("div.pair", {}, field("Clock", clock), field("Begin from", start)),
    fenRow,
    numberRow,
    h(
      "div.dialog-buttons",
      {},
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button.primary", { type: "submit" }, "Play"),
    ),
  );
  form.onsubmit = () =>
    onChosen({
      mode,
      side,
      opponent: (mode === "play" && named.value) || opponent.value,
      rival: rival.value,
      clock: clock.value,
      start: start.value as GameRequest["start"],
      fen: fen.value.trim(),
      number: number.value,
      names: names.map(({ value }) => value.trim()) as [string, string],
    });
  const dialog = h("dialog", { onclose: () => dialog.remove(), "aria-labelledby": "setup-title" }, form);
  document.body.append(dialog);
  dialog.showModal();
}

/** A row of buttons of which one is chosen. */
function choice<T extends string>(
  legend: string,
  options: readonly (readonly [T, string])[],
  chosen: T,
  onChange: (value: T) => void,
): HTMLFieldSetElement {
  const buttons = options.map(([value, text]) =>
    h(
      "label.segment",
      {},
      h("input", { type: "radio", name: legend, value, checked: value === chosen, onchange: () => onChange(value) }),
      h("span", {}, text),
    ),
  );
  return h("fieldset.segments", {}, h("legend", {}, legend), h("div.segment-row", {}, ...buttons));
}
