/** The state of a daemon that comes torn, damaged, too large or of another version: the new one says why it does not serve, and the old one goes on. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { DIST } from '../support/daemon.js';
import { isRunning } from '../support/processes.js';
import { replaceable, type Replaceable, seenOf } from '../support/replaceable.js';
import { tempDir } from '../support/temp-dir.js';

/** The built daemon, in whose process that comes first. */
function after(source: string): string {
  const file = path.join(tempDir().path, 'damaged.cjs');
  const pid = `require('node:fs').writeFileSync(${JSON.stringify(`${file}.pid`)}, String(process.pid));`;
  const daemon = `require(${JSON.stringify(path.join(DIST, 'daemon.cjs'))});`;
  writeFileSync(file, `${pid} ${source} ${daemon}`, { mode: 0o600 });
  return file;
}

/**
 * Its socket from the daemon before gives other bytes than came: `change` is a function of each piece and of how many bytes came before it.
 * The socket ends with a piece that is shorter.
 */
const damaged = (change: string): string =>
  after(`const { Socket } = require('node:net'); const { on } = Socket.prototype; const change = ${change};
    Socket.prototype.on = function (event, listener) {
      if (event !== 'data' || this._handle?.fd !== 3) return on.call(this, event, listener);
      let before = 0;
      return on.call(this, event, (bytes) => {
        const changed = change(bytes, before);
        before += bytes.length;
        if (changed.length < bytes.length) this.destroy();
        listener(changed);
      });
    };`);

const seen = ({ daemon }: Replaceable): Promise<unknown> => Promise.all(['a', 'over'].map((id) => seenOf(daemon, id)));

/** Two terminals, and a trigger: some state of each kind. */
async function withTerminals(): Promise<Replaceable> {
  const old = await replaceable();
  const { ask } = old;
  const script = 'stty -echo; printf "\\033]2;title\\007"; seq 1 300; while read -r x; do echo "<$x>"; done; exit 7';
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', script] });
  await ask({ cmd: 'wait', id: 'a', until: { awaiting_input: true } });
  await ask({ cmd: 'create', name: 'over', cmd_args: ['sh', '-c', 'echo over; exit 3'] });
  await ask({ cmd: 'wait', id: 'over', until: { exit: true } });
  await ask({ cmd: 'trigger', id: 'a', when: { text: 'never' }, do: [{ notify: 'x' }] });
  return old;
}

/** Tries to replace it by that one, and looks at what is left. @returns the error */
async function refusedBy(old: Replaceable, entry: string): Promise<string> {
  const { ask } = old;
  const before = await seen(old);
  const { pid } = await ask({ cmd: 'ping' });
  const refusal = await ask({ cmd: 'replace', entry, within_ms: 60_000 });
  expect(refusal).toMatchObject({ ok: false, code: 'replace_refused' });
  expect(await ask({ cmd: 'ping' })).toMatchObject({ pid, terminals: 2 });
  expect(await seen(old)).toEqual(before);
  const other = Number(readFileSync(`${entry}.pid`, 'utf8'));
  await expect.poll(() => isRunning(other)).toBe(false);
  return String(refusal['error']);
}

/** It is as if nothing had been tried. */
async function goesOn(old: Replaceable, terminals = 2): Promise<void> {
  expect(await old.ask({ cmd: 'ping' })).toMatchObject({ terminals });
  const { ask } = old;
  await ask({ cmd: 'type', id: 'a', text: 'here', submit: true, wait: { until: { text: '<here>' } } });
  const before = await seen(old);
  await old.replace();
  expect(await seen(old)).toEqual(before);
  await ask({ cmd: 'press', id: 'a', keys: ['ctrl+d'] });
  expect(await ask({ cmd: 'wait', id: 'a', until: { exit: true } })).toMatchObject({ exit_code: 7 });
}

const NOT_READY = 'The daemon was not replaced: the new daemon did not get ready: ';

it('a state that ends at any byte is taken for none', { timeout: 120_000 }, async () => {
  const old = await withTerminals();
  await old.replace();
  const { state_bytes: all } = (await old.ask({ cmd: 'replace' })) as { readonly state_bytes: number };
  // Without the last frame, which is `go`, and what the next state may have less.
  const cuts = [0, 1, 7, 8, 9, ...[0.2, 0.4, 0.6, 0.8].map((part) => Math.floor(part * all)), all - 5000];
  for (const cut of cuts) {
    const entry = damaged(`(bytes, before) => bytes.subarray(0, Math.max(0, ${cut} - before))`);
    expect(await refusedBy(old, entry), `${cut} of ${all} bytes`).toMatch(
      `${NOT_READY}it ended with code ${cut === 0 ? 0 : 1}.`,
    );
  }
  await goesOn(old);
});

it('a state that is too large, damaged or of an unknown version is refused, and the error says so', async () => {
  const old = await withTerminals();
  for (const [entry, why] of [
    [
      damaged(
        '(bytes, before) => (before > 0 ? bytes : Buffer.concat([Buffer.alloc(4, 255), Buffer.alloc(4), bytes]))',
      ),
      'what came has a frame of 4294967303 bytes, of 2147483648 at most.',
    ],
    [
      damaged(`(bytes) => { const at = bytes.indexOf('{"kind"'); if (at !== -1) bytes[at] = 120; return bytes; }`),
      'what came has a frame that is none: ',
    ],
    [
      after(`const { parse } = JSON; JSON.parse = (...args) => { const value = parse(...args);
        if (value?.kind === 'state') value.version = 99; return value; };`),
      'reads states of version 2 and 3, not 99.',
    ],
  ] as const) {
    const error = await refusedBy(old, entry);
    expect(error.slice(0, NOT_READY.length)).toBe(NOT_READY);
    expect(error).toContain(why);
    expect(error.replaceAll('\n', ' ')).toMatch(/[^.]\.$/);
  }
  await goesOn(old);
});

/** A program in place of the new daemon, that greets as one does, and then sends these bytes. */
function answering(bytes: string): string {
  return after(`const { Socket } = require('node:net'); const socket = new Socket({ fd: 3 });
    const send = (text) => { const head = Buffer.alloc(8); head.writeUInt32LE(Buffer.byteLength(text), 0);
      socket.write(head); socket.write(text); };
    send(JSON.stringify({ kind: 'hello', version: '9.9.9', pid: process.pid, accepts: [3] }));
    socket.on('close', () => process.exit(0)); socket.on('data', () => {}); ${bytes} return;`);
}

it('an answer that is no frame is refused at once, and is no error of the daemon that goes on', async () => {
  const old = await withTerminals();
  for (const bytes of ["send('{');", 'send(\'{"$bytes":7}\');', 'socket.write(Buffer.alloc(8, 255));']) {
    expect(await refusedBy(old, answering(bytes)), bytes).toBe(`${NOT_READY}it lives, and said what no t4a says.`);
  }
  expect(old.daemon.log()).not.toContain('uncaught');
  await goesOn(old);
});

it('a new daemon that takes nothing of the state is ended in time, before the pause and in it', async () => {
  const old = await withTerminals();
  const fill = 'seq -f "%0100g" 1 9000; echo full; exec cat';
  for (const name of ['b', 'c']) {
    await old.ask({ cmd: 'create', name, cmd_args: ['sh', '-c', fill], cols: 120, wait: { until: { text: 'full' } } });
  }
  for (const [flags, late] of [
    ['readsAhead: true, readsOutput: true', 'took nothing of its state for 5000 ms'],
    ['readsAhead: false', 'did not take its state within 1000 ms'],
  ] as const) {
    const refusal = await old.ask({ cmd: 'replace', entry: deaf(flags), within_ms: 1000 });
    expect(refusal).toMatchObject({ ok: false, code: 'replace_refused' });
    expect(refusal['error']).toBe(`The daemon was not replaced: the new daemon ${late}.`);
  }
  await goesOn(old, 4);
});

/** A program in place of the new daemon that greets, and reads nothing. */
function deaf(flags: string): string {
  return after(`const { Socket } = require('node:net'); const socket = new Socket({ fd: 3, readable: false });
    const text = JSON.stringify({ kind: 'hello', version: '9.9.9', pid: process.pid, accepts: [3], ${flags} });
    const head = Buffer.alloc(8); head.writeUInt32LE(Buffer.byteLength(text), 0);
    socket.write(head); socket.write(text); setInterval(() => {}, 1e6); return;`);
}

it('a package without its thread that reads terminals takes none of them', async () => {
  const old = await withTerminals();
  const entry = after(`const fs = require('node:fs'); const { readFileSync } = fs;
    fs.readFileSync = (file, ...more) =>
      String(file).endsWith('pty-reader-thread.cjs') ? '' : readFileSync(file, ...more);`);
  expect(await refusedBy(old, entry)).toContain('did not start: its thread that reads terminals ended');
  expect(await old.ask({ cmd: 'replace', entry, check: true })).toMatchObject({ code: 'replace_refused' });
  await goesOn(old);
});
