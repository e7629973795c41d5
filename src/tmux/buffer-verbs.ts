/** Verbs of paste buffers. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errnoOf } from '../base/errno.js';
import type { PasteBuffer } from './model.js';
import { Refusal } from './options.js';
import type { VerbHandler, VerbRun } from './run.js';
import { needOfPane } from './terminals.js';
import { typeInto } from './text-verbs.js';

function buffer(run: VerbRun, none: string | undefined): PasteBuffer | undefined {
  const name = run.args.get('b');
  const found = name === undefined ? run.state.topBuffer() : run.state.buffers.get(name);
  if (found === undefined && name !== undefined) throw new Refusal(`no buffer ${name}`);
  if (found === undefined && none !== undefined) throw new Refusal(none);
  return found;
}

/** Buffer that `set-buffer` means. @throws Refusal */
function named({ args, state }: VerbRun): PasteBuffer {
  const name = args.get('b');
  const found = name === undefined ? state.topBuffer() : state.buffers.get(name);
  if (found === undefined) throw new Refusal(name === undefined ? 'no buffer' : `unknown buffer: ${name}`);
  return found;
}

const setBuffer: VerbHandler = (run) => {
  const { args, state } = run;
  const renamed = args.get('n');
  if (renamed !== undefined) {
    const old = named(run);
    if (renamed === '') throw new Refusal('new name is empty');
    state.buffers.delete(old.name);
    state.addBuffer(old.bytes, renamed);
    return;
  }
  const [data] = args.rest;
  if (data === undefined) throw new Refusal('no data specified');
  if (data === '') return;
  const name = args.get('b');
  if (name === '') throw new Refusal('empty buffer name');
  const before = args.has('a') && name !== undefined ? state.buffers.get(name) : undefined;
  state.addBuffer(Buffer.concat([before?.bytes ?? Buffer.alloc(0), Buffer.from(data)]), name);
};

const loadBuffer: VerbHandler = async (run) => {
  const [path = ''] = run.args.rest;
  const file = resolve(run.call.cwd, run.formatNow(path, {}));
  const bytes = path === '-' ? await run.call.stdin() : inWords(file, () => readFileSync(file));
  if (bytes.length > 0) run.state.addBuffer(bytes, run.args.get('b'));
};

const saveBuffer: VerbHandler = (run) => {
  const { args, call } = run;
  const isShow = args.verb.name === 'show-buffer';
  const { bytes } = buffer(run, 'no buffers') as PasteBuffer;
  const path = isShow ? '-' : run.formatNow(args.rest[0] ?? '', {});
  if (path === '-') return call.out(bytes);
  const file = resolve(call.cwd, path);
  inWords(file, () => (args.has('a') ? appendFileSync : writeFileSync)(file, bytes));
};

/** @throws Refusal in the words of the system */
function inWords<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Refusal(`${path}: ${WORDS[errnoOf(error) ?? ''] ?? 'Input/output error'}`);
  }
}

export const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EISDIR: 'Is a directory',
  ENOTDIR: 'Not a directory',
};

const deleteBuffer: VerbHandler = (run) => {
  const { name } = named(run);
  run.state.buffers.delete(name);
};

const pasteBuffer: VerbHandler = async (run) => {
  const { args, door } = run;
  const { pane } = run.target('pane');
  const found = buffer(run, undefined);
  if (found === undefined) return;
  const separator = args.get('s') ?? (args.has('r') ? '\n' : '\r');
  const isRaw = separator === '\n';
  let { bytes } = found;
  if (!isRaw)
    bytes = Buffer.from(bytes.toString('latin1').replaceAll('\n', Buffer.from(separator).toString('latin1')), 'latin1');
  if (args.has('p')) {
    await door.refresh(needOfPane(pane));
    if (door.facts.get(pane.terminal)?.modes['bracketed_paste'] === true) {
      bytes = Buffer.concat([Buffer.from('\x1b[200~'), bytes, Buffer.from('\x1b[201~')]);
    }
  }
  await typeInto(run, pane, bytes);
  if (args.has('d')) run.state.buffers.delete(found.name);
};

const listBuffers: VerbHandler = (run) =>
  run.list(
    run.state.sortedBuffers().map((one) => ({ buffer: one })),
    '#{buffer_name}: #{buffer_size} bytes: "#{buffer_sample}"',
  );

export const BUFFER_VERBS: Readonly<Record<string, VerbHandler>> = {
  'set-buffer': setBuffer,
  'load-buffer': loadBuffer,
  'save-buffer': saveBuffer,
  'show-buffer': saveBuffer,
  'delete-buffer': deleteBuffer,
  'paste-buffer': pasteBuffer,
  'list-buffers': listBuffers,
};
