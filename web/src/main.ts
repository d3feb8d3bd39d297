/** The frame around the panels: tabs, theme, sound, keys, errors, and the connection. */

// What comes from elsewhere first, so that ours has the last word.
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "uplot/dist/uPlot.min.css";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/board.css";
import "./styles/components.css";
import "./styles/looks.css";
import "./styles/play.css";
import { showHelp } from "./components/help";
import { applyLooks, showLooks } from "./components/looks";
import { fill, h } from "./dom";
import { icon } from "./icons";
import type { PanelContext, Mounted, Panel } from "./panel";
import { find, type Tab, TABS } from "./panels";
import type { Hello } from "./records";
import { Refused, Socket } from "./socket";
import { isMuted, setMuted } from "./sound";
import { recall, remember } from "./store";

const NOTE_MS = 2500;
const THEMES = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" } as const;
type Theme = keyof typeof THEMES;

const socket = new Socket();
const banner = h("div.banner", { role: "alert", hidden: true });
const notes = h("div.note", { role: "status", hidden: true });
const live = h("div.visually-hidden", { "aria-live": "polite", id: "announcements" });
const light = h("span.light", { role: "img" });
const main = h("main", { id: "main" });
const tabs = new Map<string, HTMLAnchorElement>(
  TABS.map(({ id, title, about }) => [id, h("a.tab", { href: `#${id}`, title: about }, title)]),
);
const about = h("p.about");
const sections = h("nav.sections", { "aria-label": "Sections" });
const mounted = new Map<string, { root: HTMLElement; panel: Mounted }>();
let hello: Hello | null = null;
let current: Panel | null = null;

const context = (): PanelContext => ({ socket, hello: hello!, complain, announce, note });

function complain(error: unknown): void {
  const hint = error instanceof Refused ? error.hint : "";
  const text = error instanceof Error ? error.message : String(error);
  const dismiss = h("button.plain", { onclick: () => (banner.hidden = true), "aria-label": "Dismiss" }, "✕");
  fill(banner, h("div", {}, h("strong", {}, text), hint && h("span.hint", {}, hint)), dismiss);
  banner.hidden = false;
}

function announce(text: string): void {
  live.textContent = text;
}

function note(text: string): void {
  notes.textContent = text;
  notes.hidden = false;
  setTimeout(() => (notes.hidden = true), NOTE_MS);
}

/** Show the panel that the link names, as in `#play?fen=…`. */
function route(): void {
  if (!hello) return;
  const [link = "", query = ""] = location.hash.slice(1).split("?", 2);
  const { tab, panel } = find(link, query);
  for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) dialog.close();
  if (current && current !== panel) {
    mounted.get(current.id)?.panel.hidden?.();
    banner.hidden = true;
  }
  const isNew = !mounted.has(panel.id);
  if (isNew) {
    const root = h("section.panel", { id: `panel-${panel.id}`, "aria-label": panel.title });
    main.append(root);
    mounted.set(panel.id, { root, panel: panel.mount(root, context()) });
  }
  for (const [name, { root }] of mounted) root.hidden = name !== panel.id;
  showPlace(tab, panel);
  document.title = `${panel.title} · Okapi`;
  current = panel;
  const { panel: shown } = mounted.get(panel.id)!;
  shown.shown?.(new URLSearchParams(query));
  if (isNew) shown.connected?.();
}

/** Mark the tab and list its sections; the tab leads back to the section that was shown last. */
function showPlace(tab: Tab, panel: Panel): void {
  for (const [name, link] of tabs) {
    if (name === tab.id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  tabs.get(tab.id)!.href = `#${panel.id}`;
  about.textContent = tab.about;
  const isCurrent = (section: Panel): "page" | null => (section === panel ? "page" : null);
  const links = tab.panels.map((section) =>
    h("a.section", { href: `#${section.id}`, "aria-current": isCurrent(section) }, section.title),
  );
  fill(sections, ...links, panel.about && h("p.about", {}, panel.about));
  sections.hidden = links.length < 2;
  document.body.classList.toggle("sectioned", links.length > 1);
  sections.querySelector("[aria-current]")!.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const typing = target.closest("input, select, textarea, dialog[open]") !== null;
  if (typing && event.key === "Escape" && !target.closest("dialog")) target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const panel = current && mounted.get(current.id)?.panel;
  if (event.key === "?") showHelp(panel?.keys ?? []);
  else if (event.key === "m") toggleSound();
  else if (!panel?.key?.(event)) return;
  event.preventDefault();
}

function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  themeButton.title = THEMES[theme];
  themeButton.setAttribute("aria-label", THEMES[theme]);
  fill(themeButton, icon(theme));
  remember("theme", theme);
  window.dispatchEvent(new Event("themechange"));
}

function nextTheme(): void {
  const names = Object.keys(THEMES) as Theme[];
  const now = names.indexOf(document.documentElement.dataset.theme as Theme);
  setTheme(names[(now + 1) % names.length]!);
}

function toggleSound(): void {
  setMuted(!isMuted());
  showSound();
}

function showSound(): void {
  const text = isMuted() ? "Sound is off" : "Sound is on";
  fill(soundButton, icon(isMuted() ? "muted" : "sound"));
  soundButton.title = text;
  soundButton.setAttribute("aria-label", text);
}

function connection(connected: boolean): void {
  const text = connected ? "Connected to okapi" : "Not connected: okapi is not running or restarts";
  light.classList.toggle("on", connected);
  light.title = text;
  light.setAttribute("aria-label", text);
  document.body.classList.toggle("offline", !connected);
}

const themeButton = h("button.icon", { onclick: nextTheme });
const soundButton = h("button.icon", { onclick: toggleSound });
const looksButton = h(
  "button.icon",
  { onclick: showLooks, title: "Board and pieces", "aria-label": "Board and pieces" },
  icon("looks"),
);
const helpButton = h(
  "button.icon",
  {
    onclick: () => showHelp((current && mounted.get(current.id)?.panel.keys) ?? []),
    title: "Keys and help (?)",
    "aria-label": "Keys and help",
  },
  icon("help"),
);
const logo = h("img", { src: "./icon.svg", alt: "", width: 26, height: 26 });
const header = h(
  "header.frame",
  {},
  h("a.skip", { href: "#main", onclick: skip }, "Skip to the board"),
  h("a.brand", { href: "#play" }, logo, "Okapi"),
  h("nav.tabs", { "aria-label": "Tabs" }, ...tabs.values()),
  about,
  h("div.tools", {}, light, soundButton, looksButton, themeButton, helpButton),
);

function skip(event: Event): void {
  event.preventDefault();
  main.tabIndex = -1;
  main.focus();
}

fill(document.getElementById("app")!, header, sections, banner, main, notes, live);
setTheme(recall<Theme>("theme") ?? "auto");
applyLooks();
showSound();
connection(false);
socket.onState = connection;
socket.on("hello", (greeting) => {
  hello = Object.assign(hello ?? greeting, greeting);
  const first = mounted.size === 0;
  if (first) route();
  else for (const { panel } of mounted.values()) panel.connected?.();
});
// A training or a command has left another brain.
socket.on<Partial<Hello>>("offer", (offer) => {
  if (!hello) return;
  Object.assign(hello, offer);
  for (const { panel } of mounted.values()) panel.offered?.();
});
socket.on("error", ({ error, hint }) => complain(new Refused(error, hint)));
window.addEventListener("hashchange", route);
window.addEventListener("keydown", onKey);
socket.connect();
