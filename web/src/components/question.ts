/** A question before something that cannot be undone. */

import { h } from "../dom";

/** Ask; `onYes` is called if the answer is yes. */
export function ask(question: string, yes: string, onYes: () => void): void {
  const answer = (): void => {
    dialog.close();
    onYes();
  };
  const dialog = h(
    "dialog.question",
    { onclose: () => dialog.remove(), "aria-labelledby": "question" },
    h("h2", { id: "question" }, question),
    h(
      "div.dialog-buttons",
      {},
      h("button", { onclick: () => dialog.close() }, "Cancel"),
      h("button.primary", { onclick: answer }, yes),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
