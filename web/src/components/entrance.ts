/** How texts and positions get in: by paste, drop, file, link, or set up by hand. */

import type { PanelContext } from "../panel";
import type { Side } from "../records";
import { editPosition } from "./editor";
import { askForText } from "./opener";

export class Entrance {
  /** `open` shows what a text stands for, or throws; pastes count while `isShown`. */
  constructor(
    root: HTMLElement,
    private readonly context: PanelContext,
    private readonly open: (text: string) => Promise<void>,
    private readonly isShown: () => boolean,
  ) {
    root.ondragover = (event) => event.preventDefault();
    root.ondrop = (event) => void this.dropped(event);
    document.addEventListener("paste", (event) => this.pasted(event));
  }

  /** Ask for a text, or begin with one. */
  ask(first = ""): void {
    askForText((text, opener) => {
      this.open(text).then(
        () => opener.close(),
        (error: unknown) => opener.complain(error instanceof Error ? error.message : String(error)),
      );
    }, first);
  }

  /** Set up a position, beginning with `fen`. */
  edit(fen: string, bottom: Side): void {
    const chess960 = async (number: number): Promise<string> =>
      (await this.context.socket.ask<{ fen: string }>("analyse.chess960", { number })).fen;
    editPosition({ fen, bottom, chess960, onChosen: this.open });
  }

  private async dropped(event: DragEvent): Promise<void> {
    event.preventDefault();
    const text = (await event.dataTransfer?.files[0]?.text()) ?? event.dataTransfer?.getData("text/plain");
    if (text) this.ask(text);
  }

  private pasted(event: ClipboardEvent): void {
    if (!this.isShown() || (event.target as HTMLElement).closest("input, textarea, dialog[open]")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (text) this.ask(text);
  }
}
