/** The 363 features of a position in words: a list that can be searched, and that marks its squares on the board. */

import { fill, h } from "../dom";
import type { Subject } from "../trees";

const GROUPS = [
  ["position", "The position"],
  ["pieces", "Its pieces"],
  ["squares", "Its squares"],
] as const;

export class Features {
  private subjects: readonly Subject[] = [];
  private readonly search = h("input", {
    type: "text",
    placeholder: "rook, e4, undefended, attacked by a pawn …",
    spellcheck: false,
    autocomplete: "off",
    "aria-label": "Search the features",
  });
  private readonly found = h("p.quiet", { role: "status" });
  private readonly list = h("div.feature-groups");
  readonly element = h(
    "section.features",
    { "aria-labelledby": "features-title" },
    h("h2", { id: "features-title" }, "Giraffe's 363 features in words"),
    h("div.feature-search", {}, this.search, this.found),
    this.list,
  );

  /** `onPoint` is told the squares of what is pointed at, or nothing. */
  constructor(private readonly onPoint: (squares: readonly string[]) => void) {
    this.search.oninput = () => this.draw();
  }

  show(subjects: readonly Subject[]): void {
    this.subjects = subjects;
    this.draw();
  }

  focus(): void {
    this.search.focus();
  }

  private draw(): void {
    const matching = search(this.subjects, this.search.value.toLowerCase().trim());
    const features = matching.reduce((sum, { facts }) => sum + facts.length, 0);
    this.found.textContent = this.subjects.length ? `${matching.length} sentences about ${features} features` : "";
    fill(
      this.list,
      ...GROUPS.map(([modality, title]) => {
        const own = matching.filter((subject) => subject.modality === modality);
        const rows = own.map((subject) => this.row(subject));
        return own.length > 0 && h("div.feature-group", {}, h("h3", {}, title), h("ul", {}, ...rows));
      }),
    );
  }

  /** A sentence; opened, each feature with its number. */
  private row({ sentence, squares, facts }: Subject): HTMLElement {
    const numbers = h("dl.facts");
    const summary = h("summary", {}, sentence);
    const row = h("details.subject", {}, summary, numbers);
    row.ontoggle = () => {
      if (row.open && !numbers.firstChild)
        fill(
          numbers,
          ...facts.map(({ index, name, value, words }) =>
            h("div.fact", { title: name }, h("dt", {}, `${index}: ${words}`), h("dd", {}, String(value))),
          ),
        );
    };
    row.onpointerenter = () => this.onPoint(squares);
    row.onpointerleave = () => this.onPoint([]);
    summary.onfocus = () => this.onPoint(squares);
    summary.onblur = () => this.onPoint([]);
    return h("li", {}, row);
  }
}

/** Sentences that say this; if none does, those that have all its words. */
function search(subjects: readonly Subject[], text: string): Subject[] {
  const says = ({ sentence }: Subject, part: string): boolean => sentence.toLowerCase().includes(part);
  const whole = subjects.filter((subject) => says(subject, text));
  const words = text.split(/[\s,]+/);
  return whole.length ? whole : subjects.filter((subject) => words.every((word) => says(subject, word)));
}
