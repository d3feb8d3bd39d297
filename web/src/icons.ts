/** Signs for buttons, drawn here so that they look the same everywhere. */

import { svg } from "./dom";

/** Lines on a 24 × 24 field; those in FILLED are solid. */
const PATHS = {
  back: "M9 7L4 12l5 5M4 12h10a5 5 0 0 1 0 10h-2",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 1 3.6 10.8c-.6.5-.9 1.2-.9 2V16H9.3v-.2c0-.8-.3-1.5-.9-2A6 6 0 0 1 12 3z",
  half: "M5 19L19 5M6 4v6M5 5l1-1M14 15a2 2 0 1 1 3.5 1.3L14 20h4",
  flag: "M6 21V4M6 5c4-2.5 7 2.5 12 0v9c-5 2.5-8-2.5-12 0",
  pause: "M9 5v14M15 5v14",
  first: "M18 6l-7 6 7 6zM7 6v12",
  previous: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M6 6l7 6-7 6zM17 6v12",
  drag: "M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3",
  flip: "M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  muted: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM16 9.5l5 5M21 9.5l-5 5",
  light:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  dark: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z",
  auto: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 4.5v15a7.5 7.5 0 0 1 0-15z",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  zen: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  again: "M5 12a7 7 0 1 0 2.500-5.400M5 4v4.500h4.500",
  search: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500L21 21",
  looks:
    "M12 3a9 9 0 1 0 0 18c1.500 0 2-1 1.500-2.200-.6-1.300.2-2.800 1.700-2.800H18a3 3 0 0 0 3-3c0-5.500-4-10-9-10zM7.500 12v.01M10 7.500v.01M14.500 7.500v.01",
  help: "M8.5 9a3.5 3.5 0 1 1 5.200 3c-1.200.7-1.700 1.300-1.700 2.5M12 18.5v.5",
} as const;

const FILLED = new Set<string>(["first", "previous", "next", "last", "auto"]);

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGSVGElement {
  const look = FILLED.has(name) ? "sign filled" : "sign";
  const field = { viewBox: "0 0 24 24", "aria-hidden": "true", "fill-rule": "evenodd", class: look };
  return svg("svg", field, svg("path", { d: PATHS[name] }));
}
