/** A brain in a list: its name and its measured Elo, with its sentence as a tooltip. */

import { h, type Option } from "../dom";
import type { Hello } from "../records";

/** Brains, or players of whom some are brains, as options of a menu. */
export const brainOptions = ({ lines }: Hello, names: readonly string[]): Option[] =>
  names.map((name) => {
    const { elo, sentence } = lines[name] ?? { elo: "", sentence: "" };
    return [name, elo ? `${name} · ${elo}` : name, sentence];
  });

/** The same in a checklist: `box` and what stands beside it. */
export function brainChoice(kind: string, { lines }: Hello, box: HTMLInputElement): HTMLLabelElement {
  const { elo, sentence } = lines[box.name] ?? { elo: "", sentence: "" };
  return h(
    `label.brain-choice.${kind}`,
    { title: sentence },
    box,
    h("span", {}, box.name),
    elo && h("span.quiet", {}, elo),
  );
}
