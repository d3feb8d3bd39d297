/** A list of named opponents, each with its rating and a sentence; the last choice is any brain. */

import { h } from "../dom";
import { type Opponent, type Seat, seatOf } from "../records";

/** As in "1194 ± 98"; empty as long as nothing was measured. */
const ratingOf = ({ rating, low, high }: Opponent): string =>
  rating === null || low === null || high === null ? "" : `${rating} ± ${Math.round((high - low) / 2)}`;

export class OpponentList {
  readonly element: HTMLFieldSetElement;
  /** The seat of the chosen one; null for any brain. */
  value: Seat | null;

  constructor(opponents: readonly Opponent[], first: Seat, onChange: () => void) {
    const known = opponents.find(({ name }) => name === first.name);
    this.value = known ? seatOf(known) : null;
    const choice = (opponent: Opponent | undefined, name: string, rating: string, sentence: string): HTMLElement => {
      const onchange = (): void => {
        this.value = opponent ? seatOf(opponent) : null;
        onChange();
      };
      const box = h("input", { type: "radio", name: "opponent", checked: opponent === known, onchange });
      return h(
        "label.opponent",
        {},
        box,
        h("span.opponent-card", {}, h("strong", {}, name), h("span.rating", {}, rating), h("span.quiet", {}, sentence)),
      );
    };
    this.element = h(
      "fieldset.opponents",
      {},
      h("legend", {}, "Opponent"),
      ...opponents.map((each) => choice(each, each.name, ratingOf(each), each.sentence)),
      choice(undefined, "Any brain", "", "With any strength: those that ship, and yours."),
    );
  }
}
