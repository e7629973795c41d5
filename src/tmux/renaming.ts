/** Windows that are named by what runs in them. */
import type { Door } from './door.js';
import { expand, FormatRoom } from './formats.js';
import type { Pane, Window } from './model.js';
import { foregroundOf } from './processes.js';
import { contextOf, ofLink } from './variables.js';

/** A program that changes is noticed after this time, another active pane at once. */
const NAMES_MS = 500;

const named = new WeakMap<Window, { readonly pane: Pane; readonly atMs: number }>();

export function nameWindows(door: Door): void {
  const atMs = performance.now();
  const room = new FormatRoom();
  for (const window of door.state.windows.values()) {
    const { active: pane } = window;
    const before = named.get(window);
    const [link] = window.links;
    if (link === undefined || !window.options.isOn('automatic-rename') || pane.pid === 0 || pane.dead !== undefined)
      continue;
    if (before?.pane === pane && atMs - before.atMs < NAMES_MS) continue;
    // Its own name stays until the new program shows one.
    if (foregroundOf(pane.pid)?.command === undefined) continue;
    named.set(window, { pane, atMs });
    const name = expand(window.options.text('automatic-rename-format'), contextOf(door, ofLink(link)), undefined, room);
    if (name === window.name) continue;
    window.name = name;
    door.relabel(window);
  }
}
