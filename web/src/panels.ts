/** The panels, in the order of their tabs. src/okapi/web/panels/__init__.py is the server's half. */

import type { Panel } from "./panel";
import { analyse } from "./panels/analyse";
import { brains } from "./panels/brains";
import { evolution } from "./panels/evolution";
import { inside } from "./panels/inside";
import { instinct } from "./panels/instinct";
import { judges } from "./panels/judges";
import { league } from "./panels/league";
import { play } from "./panels/play";
import { runs } from "./panels/runs";
import { tournaments } from "./panels/tournaments";
import { trees } from "./panels/trees";

export const PANELS: readonly Panel[] = [
  play,
  analyse,
  brains,
  judges,
  inside,
  instinct,
  trees,
  runs,
  evolution,
  tournaments,
  league,
];
