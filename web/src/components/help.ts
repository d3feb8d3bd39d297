/** What the keys do. */

import { h } from "../dom";

const EVERYWHERE = [
  ["Esc", "leave a field"],
  ["m", "sound on or off"],
  ["?", "this help"],
] as const;

export function showHelp(keys: readonly (readonly [string, string])[]): void {
  const rows = [...keys, ...EVERYWHERE].map(([key, meaning]) =>
    h("div.key-row", {}, h("dt", {}, ...key.split(" ").map((part) => h("kbd", {}, part))), h("dd", {}, meaning)),
  );
  const close = h("button.primary", { onclick: () => dialog.close() }, "Close");
  const dialog = h(
    "dialog.help",
    { onclose: () => dialog.remove(), "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keys"),
    h("dl.keys", {}, ...rows),
    h(
      "p.quiet",
      {},
      "Drag or click pieces, or type moves as e4, Nf3, O-O or e2e4. Draw arrows with the right button. ",
      "Everything runs on this machine.",
    ),
    h(
      "p.quiet",
      {},
      h("a", { href: "./licences.txt", target: "_blank" }, "Licences"),
      " of what is bundled: chessground, uPlot.",
    ),
    h("div.dialog-buttons", {}, close),
  );
  document.body.append(dialog);
  dialog.showModal();
}
