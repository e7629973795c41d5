/** Windows that are named by what runs in them. */
import type { Door } from './door.js';
import { expand, FormatRoom } from './formats.js';
import { visible } from './format-text.js';
import type { Pane, Window } from './model.js';
import { nameWindow } from './names.js';
import { paneForeground } from './processes.js';
import { contextOf, ofLink } from './variables.js';

/** A program that changes is noticed after this time, another active pane at once. What is found earlier may be the shell that starts it. */
const NAMES_MS = 500;

const named = new WeakMap<Window, { readonly pane: Pane; readonly atMs: number; readonly isSure: boolean }>();

/** Names follow as those of tmux: the first time, and once the active pane is another one or has printed. */
export async function nameWindows(door: Door): Promise<void> {
  const atMs = performance.now();
  const room = new FormatRoom();
  for (const window of door.state.windows.values()) {
    const { active: pane } = window;
    const before = named.get(window);
    const [link] = window.links;
    const isNamed = (): boolean => window.options.isOn('automatic-rename') && pane.dead === undefined;
    if (link === undefined || !isNamed() || pane.pid === 0) continue;
    if (before?.pane === pane && atMs - before.atMs < NAMES_MS) continue;
    const isSame = before?.pane === pane && before.isSure;
    // Its own name stays until the new program shows one.
    if (paneForeground(pane.pid)?.command === undefined) continue;
    named.set(window, { pane, atMs, isSure: atMs - pane.sinceMs >= NAMES_MS });
    const name = expand(window.options.text('automatic-rename-format'), contextOf(door, ofLink(link)), undefined, room);
    if (name === window.name || (isSame && !(await hasPrinted(door, pane))) || !isNamed()) continue;
    window.name = name;
    door.relabel(window);
  }
}

/** Each window is named again as for the first time. */
export function forgetNaming(windows: Iterable<Window>): void {
  for (const window of windows) named.delete(window);
}

/** Output of each terminal, by the last look at a quiet one. */
const printed = new WeakMap<Pane, { readonly terminal: string; readonly bytes: number }>();

async function hasPrinted({ client }: Door, pane: Pane): Promise<boolean> {
  const { terminal } = pane;
  const facts = await client.call('status', { id: terminal }).catch(() => undefined);
  const before = printed.get(pane);
  const { output_bytes: bytes = 0, idle_ms: idleMs = 0 } = facts ?? {};
  if (idleMs >= NAMES_MS) printed.set(pane, { terminal, bytes });
  return bytes > (before?.terminal === terminal ? before.bytes : 0);
}

/** The last name of each pane that was looked at. */
const given = new WeakMap<Pane, string>();
const WINDOW_NAME = '1b6b';

/** Names that programs have given their windows by `ESC k`, where `allow-rename` lets them. The daemon is asked of no other pane. */
export async function takeNames(door: Door): Promise<void> {
  for (const pane of door.state.panes.values()) {
    const isLet = pane.options.isOn('allow-rename') && pane.terminal !== '';
    if (!isLet) given.set(pane, UNSEEN);
    else await takeName(door, pane);
  }
}

/** Names from before the option are not taken. */
const UNSEEN = 'unseen';

async function takeName(door: Door, pane: Pane): Promise<void> {
  const { terminal: id, window } = pane;
  const debug = await door.client.call('debug', { id, tail_bytes: 0 }).catch(() => undefined);
  const last = debug?.unhandled.sequences.findLast(({ kind, hex }) => kind === 'esc' && hex.startsWith(WINDOW_NAME));
  const before = given.get(pane);
  const seen = last === undefined ? '' : `${id} ${last.rev} ${last.count} ${last.hex}`;
  given.set(pane, seen);
  if (last === undefined || before === UNSEEN || before === seen) return;
  const name = Buffer.from(last.hex.slice(WINDOW_NAME.length), 'hex').toString();
  if (name === '') window.options.delete('automatic-rename');
  else nameWindow(window, visible(name));
  if (name === '' && !window.options.isOn('automatic-rename')) window.name = '';
  door.relabel(window);
}
