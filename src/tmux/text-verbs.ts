/** Verbs of what is typed into panes and read from them. */
import { systemClock } from '../base/clock.js';
import { spawn } from 'node:child_process';
import type { Params } from '../protocol/registry.js';
import { captured, type CapturedRun as CellRun } from './captured.js';
import { piecesOf } from './keys.js';
import { isZoomed, type Pane } from './model.js';
import { Refusal } from './options.js';
import type { VerbHandler, VerbRun } from './run.js';
import { inWords, needOfPane } from './terminals.js';

/** Bytes of input in one request. */
const INPUT_BYTES = 512 * 1024;
/** A capture this soon after keys waits for the screen to settle. */
const SOON_MS = 400;
const QUIET_MS = 40;
const MOST_QUIET_MS = 250;
const MOST_REPEATS = 10_000;

/** @throws Refusal for a pane that takes no input */
export async function typeInto(run: VerbRun, pane: Pane, bytes: Uint8Array): Promise<void> {
  if (!pane.takesInput || pane.dead !== undefined || pane.terminal === '') return;
  pane.lastKeysMs = performance.now();
  for (let at = 0; at < bytes.length; at += INPUT_BYTES) {
    const input = Buffer.from(bytes.subarray(at, at + INPUT_BYTES)).toString('base64');
    await inWords(pane, () => run.door.client.call('send', { id: pane.terminal, input_base64: input }));
  }
}

/** Panes that get what is typed into this one. */
function together(pane: Pane): Pane[] {
  const { window } = pane;
  if (!pane.takesInput || pane.dead !== undefined) return [];
  if (!pane.options.isOn('synchronize-panes')) return [pane];
  const isSeen = (one: Pane): boolean => !isZoomed(window) || window.active === one;
  return window.panes.filter(
    (one) =>
      one === pane ||
      (one.options.isOn('synchronize-panes') && one.takesInput && one.modes.length === 0 && isSeen(one)),
  );
}

const sendKeys: VerbHandler = async (run) => {
  const { args } = run;
  const { pane } = run.target('pane');
  if (args.has('M')) throw new Refusal('no mouse target');
  const repeat = args.get('N');
  const times = repeat === undefined ? 1 : Number(repeat);
  if (repeat !== undefined && !/^\d+$/.test(repeat)) throw new Refusal('repeat count invalid');
  if (repeat !== undefined && times < 1) throw new Refusal('repeat count too small');
  if (times > MOST_REPEATS) throw new Refusal('repeat count too large');
  if (args.has('R') && pane.terminal !== '')
    await inWords(pane, () => run.door.client.call('clear', { id: pane.terminal, reset: true }));
  if (args.has('X')) {
    if (pane.modes.at(-1) !== COPY) throw new Refusal('not in a mode');
    if (['cancel', 'copy-selection-and-cancel', 'copy-pipe-and-cancel'].includes(args.rest[0] ?? ''))
      run.door.setModes(pane, pane.modes.slice(0, -1));
    return;
  }
  if (pane.modes.length > 0) {
    // Other modes take keys of a client alone.
    if (pane.modes.at(-1) === COPY && args.rest.some((key) => ['q', 'Escape', 'C-c'].includes(key)))
      run.door.setModes(pane, pane.modes.slice(0, -1));
    return;
  }
  const form = args.has('H') ? 'hex' : args.has('l') ? 'literal' : 'keys';
  const pieces = Array.from({ length: times }, () => args.rest).flatMap((rest) => piecesOf(rest, form));
  for (const to of together(pane)) {
    let waiting: Buffer[] = [];
    for (const piece of pieces) {
      if (!('key' in piece)) {
        waiting.push(piece);
        continue;
      }
      await typeInto(run, to, Buffer.concat(waiting));
      waiting = [];
      if (to.terminal === '' || to.dead !== undefined) continue;
      to.lastKeysMs = performance.now();
      await inWords(to, () => run.door.client.call('press', { id: to.terminal, keys: [piece.key] }));
    }
    await typeInto(run, to, Buffer.concat(waiting));
  }
};

const sendPrefix: VerbHandler = async (run) => {
  const { pane, session } = run.target('pane');
  const key = session.options.text(run.args.has('2') ? 'prefix2' : 'prefix');
  if (key === 'None') return;
  for (const piece of piecesOf([key], 'keys')) if (!('key' in piece)) await typeInto(run, pane, piece);
};

const capturePane: VerbHandler = async (run) => {
  const { args, door, state } = run;
  const { pane } = run.target('pane');
  // Nothing of a sequence waits for its end.
  if (args.has('P')) return args.has('p') ? run.print('') : undefined;
  const soon = performance.now() - pane.lastKeysMs < SOON_MS;
  if (soon && pane.dead === undefined) {
    await door.client
      .call('wait', { id: pane.terminal, until: { settled_ms: QUIET_MS }, timeout_ms: MOST_QUIET_MS, tail: 0 })
      .catch(() => {});
  }
  const isBeyond = args.has('a') || ['S', 'E'].some((flag) => args.get(flag)?.startsWith('-'));
  if (isBeyond) await door.refresh(needOfPane(pane));
  const isAlternate = isBeyond && door.facts.get(pane.terminal)?.alt_screen === true;
  if (args.has('a') && !isAlternate) {
    if (args.has('q')) return args.has('p') ? run.print('') : undefined;
    throw new Refusal('no alternate screen');
  }
  const lines = await linesOf(run, pane, isAlternate);
  const text = Buffer.from(
    captured(lines, {
      withStyles: args.has('e'),
      escapes: args.has('C'),
      keepsBlanks: args.has('J') || args.has('N'),
      cols: pane.cols,
    }),
  );
  if (!args.has('p')) state.addBuffer(text, args.get('b'));
  else run.call.out(Buffer.concat([text.at(-1) === 10 ? text.subarray(0, -1) : text, Buffer.from('\n')]));
};

function place(given: string | undefined, otherwise: number, edge: number): number {
  if (given === '-') return edge;
  const at = /^-?\d+$/.test(given ?? '') ? Number(given) : NaN;
  return at >= -(2 ** 31) && at <= 0x7fff ? at : otherwise;
}

function saysDead(run: VerbRun): CellRun[] {
  const found = run.target('pane');
  const text = run
    .formatNow(found.pane.options.text('remain-on-exit-format'), run.subjectOf(found))
    .slice(0, found.pane.cols);
  return text === '' ? [] : [{ col: 0, cols: text.length, width: text.length, text }];
}

/** The rows between `-S` and `-E`. */
async function linesOf(run: VerbRun, pane: Pane, isAlternate: boolean): Promise<readonly (readonly CellRun[])[]> {
  const { args, door } = run;
  const rows = Math.max(1, pane.rows);
  if (pane.terminal === '') return Array.from({ length: rows }, () => []);
  // A dead pane has scrolled by a row, in which it says so.
  const shift = pane.dead === undefined ? 0 : 1;
  const last = rows - 1 + shift;
  const text = async (fields: Partial<Params<'text'>>): Promise<CellRun[][]> =>
    (await door.client.call('text', { id: pane.terminal, format: 'cells', join_wrapped: args.has('J'), ...fields }))
      .cells ?? [];
  const lastWords = shift === 0 ? [] : [saysDead(run)];
  let top = place(args.get('S'), 0, -Infinity) + shift;
  let bottom = place(args.get('E'), last, last) + shift;
  if (bottom < top) [top, bottom] = [bottom, top];
  const highest = -(door.facts.get(pane.terminal)?.scrollback_lines ?? 0);
  top = Math.max(Math.min(top, last), highest);
  bottom = Math.max(Math.min(bottom, last), highest);
  // From the bottom, as `text` counts them.
  const between = { start: Math.max(0, rows - 1 - bottom), end: Math.max(0, rows - top) };
  // What was saved of the main screen has no history.
  if (args.has('a'))
    return text({ screen: 'main', region: 'viewport', start: between.start, end: Math.min(rows, rows - top) });
  const below = bottom === last ? lastWords : [];
  if (!isAlternate || top >= 0)
    return [...(await text({ region: top < 0 ? 'all' : 'viewport', ...between })), ...below];
  const above = await text({ screen: 'main', region: 'scrollback', start: Math.max(0, -1 - bottom), end: -top });
  return bottom < 0 ? above : [...above, ...(await text({ region: 'viewport', start: between.start, end: rows }))];
}

const clearHistory: VerbHandler = async (run) => {
  const { pane } = run.target('pane');
  if (pane.terminal === '') return;
  await inWords(pane, () => run.door.client.call('clear', { id: pane.terminal, scrollback: true }));
};

/** Output that its program has not taken. */
const MOST_PIPED = 8 * 1024 * 1024;

const pipePane: VerbHandler = async (run) => {
  const { args, door } = run;
  const found = run.target('pane');
  const { pane } = found;
  const wasOpen = pane.stopPipe !== undefined;
  pane.stopPipe?.();
  pane.stopPipe = undefined;
  const [given = ''] = args.rest;
  if (given === '' || (args.has('o') && wasOpen)) return;
  const command = run.formatNow(given, run.subjectOf(found), systemClock.wallNow());
  const stop = new AbortController();
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'] });
  const end = (): void => {
    stop.abort();
    child.stdin.end();
    if (pane.stopPipe === end) pane.stopPipe = undefined;
  };
  pane.stopPipe = end;
  child.on('error', end).on('exit', end);
  child.stdin.on('error', end);
  child.stdout.on('data', (bytes: Buffer) => {
    if (args.has('I')) void typeInto(run, pane, bytes).catch(() => {});
  });
  if (args.has('I') && !args.has('O')) return;
  const { output_bytes: from } = await door.client.call('status', { id: pane.terminal });
  const follow = async (): Promise<void> => {
    for (let since = from; !stop.signal.aborted;) {
      const asked = { id: pane.terminal, since, wait_ms: 60_000, inline: true };
      const { data = '', next, ended } = await door.client.call('output', asked, { signal: stop.signal });
      since = next;
      if (child.stdin.writableLength < MOST_PIPED) child.stdin.write(Buffer.from(data, 'base64'));
      if (ended) break;
    }
  };
  void follow()
    .catch(() => {})
    .finally(end);
};

const copyMode: VerbHandler = (run) => {
  if (run.args.has('q')) run.door.setModes(run.target('pane').pane, []);
  else enter(run, COPY);
};

/** Nothing is drawn of it. */
function enter(run: VerbRun, mode: string): void {
  const { pane } = run.target('pane');
  run.door.setModes(pane, [...pane.modes.filter((one) => one !== mode), mode]);
}

const COPY = 'copy-mode';
const MODES: Readonly<Record<string, string>> = {
  'clock-mode': 'clock-mode',
  'choose-tree': 'tree-mode',
  'find-window': 'tree-mode',
  'customize-mode': 'options-mode',
};

export const TEXT_VERBS: Readonly<Record<string, VerbHandler>> = {
  'send-keys': sendKeys,
  'send-prefix': sendPrefix,
  'capture-pane': capturePane,
  'clear-history': clearHistory,
  'pipe-pane': pipePane,
  'copy-mode': copyMode,
  'choose-client': (run) => void run.target('pane'),
  'choose-buffer': (run) => (run.state.buffers.size > 0 ? enter(run, 'buffer-mode') : void run.target('pane')),
  ...Object.fromEntries(Object.entries(MODES).map(([name, mode]) => [name, (run: VerbRun) => enter(run, mode)])),
};
