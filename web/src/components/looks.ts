/** How boards look: colours of the squares, and pieces. */

import { field, h, select } from "../dom";
import { recall, remember } from "../store";

const LOOKS = {
  board: [
    ["wood", "Wood"],
    ["green", "Green"],
    ["blue", "Blue"],
    ["grey", "Grey"],
  ],
  pieces: [
    ["classic", "Classic"],
    ["plain", "Plain shapes"],
    ["letters", "Letters"],
  ],
} as const;
type Part = keyof typeof LOOKS;

/** Show what was chosen before. */
export function applyLooks(): void {
  for (const part of Object.keys(LOOKS) as Part[])
    document.documentElement.dataset[part] = recall<string>(`looks.${part}`) ?? LOOKS[part][0][0];
}

/** Ask for other looks; they change at once. */
export function showLooks(): void {
  const choice = (part: Part, label: string): HTMLElement => {
    const options = select(LOOKS[part], document.documentElement.dataset[part]);
    options.onchange = () => {
      remember(`looks.${part}`, options.value);
      applyLooks();
    };
    return field(label, options);
  };
  const dialog = h(
    "dialog.looks",
    { onclose: () => dialog.remove(), "aria-labelledby": "looks-title" },
    h("h2", { id: "looks-title" }, "Board and pieces"),
    h("div.pair", {}, choice("board", "Board"), choice("pieces", "Pieces")),
    h("div.dialog-buttons", {}, h("button.primary", { onclick: () => dialog.close() }, "Close")),
  );
  document.body.append(dialog);
  dialog.showModal();
}
