/** The panels, in the order of their tabs. src/okapi/web/panels/__init__.py is the server's half. */

import type { Panel } from "./panel";
import { analyse } from "./panels/analyse";
import { brains } from "./panels/brains";
import { evolution } from "./panels/evolution";
import { explain } from "./panels/explain";
import { humanMoves } from "./panels/humanmoves";
import { compare } from "./panels/compare";
import { league } from "./panels/league";
import { play } from "./panels/play";
import { runs } from "./panels/runs";
import { tournaments } from "./panels/tournaments";
import { trees } from "./panels/trees";

export const PANELS: readonly Panel[] = [
  play,
  analyse,
  brains,
  compare,
  explain,
  humanMoves,
  trees,
  runs,
  evolution,
  tournaments,
  league,
];
