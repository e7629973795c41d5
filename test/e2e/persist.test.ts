/** Terminals that are kept beyond their daemon, as the setting `persist` says, and opened again. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventStream } from '../support/wait-for.js';
import { builtDaemonEntry, request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { runCli } from '../support/cli.js';
import { rawRequest } from '../support/raw.js';
import { startOwnDaemon } from '../support/own-daemon.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;
let root: string;
beforeAll(async () => {
  daemon = await startDaemon();
  root = path.join(daemon.dir, 'kept');
  await request(daemon, { cmd: 'config', persist: root });
});
afterAll(() => daemon.stop());

/** Some of it no UTF-8, and half a character at the end. */
const BYTES = Buffer.from([0x41, 0xff, 0xfe, 0x80, 0xc3, 0x28, 0x0d, 0x0a, 0xe2, 0x82, 0xac, 0x00, 0xf0, 0x9f, 0x98]);
const PRINTS = `stty raw; printf '${[...BYTES].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}'`;

/** Frames by their form: length (varint), kind, time, payload. */
function frames(file: string): { kind: number; payload: Buffer }[] {
  const bytes = readFileSync(file);
  const found = [];
  for (let at = 0; at < bytes.length;) {
    let length = 0;
    for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
      byte = bytes[at++] ?? 0;
      length |= (byte & 0x7f) << shift;
    }
    found.push({ kind: bytes[at] ?? -1, payload: bytes.subarray(at + 9, at + 9 + length) });
    at += 9 + length;
  }
  return found;
}

const printed = (folder: string): Buffer =>
  Buffer.concat(frames(path.join(folder, 'raw.ptylog')).flatMap(({ kind, payload }) => (kind === 0 ? [payload] : [])));

/** Ended, and all of its files complete. @returns its folder */
async function keep(fields: object, owner = daemon): Promise<string> {
  const { id } = await request(owner, { cmd: 'create', ...fields });
  expect(await request(owner, { cmd: 'wait', id, until: { exit: true } })).toMatchObject({ outcome: 'matched' });
  const { persisted } = await request(owner, { cmd: 'status', id });
  await request(owner, { cmd: 'entries', id });
  await request(owner, { cmd: 'kill', id });
  const folder = String(persisted);
  await expect.poll(() => existing(folder)).toContain('"ended_at": 1');
  await expect.poll(() => lastKind(folder)).toBe(EXIT);
  return folder;
}

const EXIT = 4;

function lastKind(folder: string): number | undefined {
  try {
    return frames(path.join(folder, 'raw.ptylog')).at(-1)?.kind;
  } catch {
    return undefined;
  }
}

function existing(folder: string): string {
  try {
    return readFileSync(path.join(folder, 'session.json'), 'utf8');
  } catch {
    return '';
  }
}

it('has the bytes that the program wrote, valid text or not, and shows them again', async () => {
  const folder = await keep({ name: 'bytes', cmd_args: ['sh', '-c', PRINTS] });
  expect(printed(folder)).toEqual(BYTES);
  const { id } = await request(daemon, { cmd: 'open', path: folder });
  const { data } = await request(daemon, { cmd: 'output', id, since: 0, inline: true });
  expect(Buffer.from(String(data), 'base64')).toEqual(BYTES);
});

it('has the session, which its owner alone may read', async () => {
  const folder = await keep({
    name: 'session',
    cmd_args: ['sh', '-c', 'exit 3'],
    cwd: daemon.dir,
    cols: 70,
    rows: 20,
    title: 'a title',
  });
  expect(JSON.parse(existing(folder))).toEqual({
    version: 1,
    t4a: expect.any(String),
    id: 'session',
    title: 'a title',
    command: ['sh', '-c', 'exit 3'],
    cwd: daemon.dir,
    cols: 70,
    rows: 20,
    generation: 1,
    started_at: expect.any(Number),
    ended_at: expect.any(Number),
    exit: { code: 3, signal: null },
    ledger: { bytes: 0, missing_bytes: 0, cut: null },
  });
  const mode = (...names: string[]): number => statSync(path.join(folder, ...names)).mode & 0o777;
  expect([mode(), mode('session.json'), mode('raw.ptylog')]).toEqual([0o700, 0o600, 0o600]);
  // The last version of the session takes the place of the one before.
  await expect.poll(() => readdirSync(folder).toSorted()).toEqual(['raw.ptylog', 'session.json']);
});

it('shows after a killed daemon the screen, the scrollback, the size and the entries, and its rules go on', async () => {
  const own = await startDaemon({ env: { T4A_PERSIST: root } });
  const script = `echo "a.c:3:9: error: 'x' undeclared"; seq 1 60; read x; printf '\\033[2J\\033[HOverwrite a? [y/n] '; exec cat`;
  const { id } = await request(own, { cmd: 'create', name: 'lost', cmd_args: ['sh', '-c', script], rules: 'generic' });
  await request(own, { cmd: 'wait', id, until: { text: '60' } });
  await request(own, { cmd: 'resize', id, cols: 100, rows: 30 });
  await request(own, { cmd: 'send', id, input: '\r', wait: { until: { text: 'Overwrite' } } });
  await expect
    .poll(async () => (await request(own, { cmd: 'entries', id }))['entries'])
    .toMatchObject([{ kind: 'diagnostic' }, { kind: 'question', open: true }]);
  const { entries: found } = await request(own, { cmd: 'entries', id });
  const { ok: _ok, lines } = await request(own, { cmd: 'text', id, from_line: 0 });
  expect(JSON.stringify(lines)).toContain('undeclared');
  const { persisted } = await request(own, { cmd: 'status', id });
  const folder = String(persisted);
  const ledger = printed(folder).toString();
  expect(ledger).toContain('Overwrite a?');
  own.process.kill('SIGKILL');
  await once(own.process, 'exit');

  const next = await startDaemon({ env: { T4A_PERSIST: root } });
  try {
    const opened = await request(next, { cmd: 'open', path: folder, name: 'back' });
    expect(opened).toMatchObject({ ok: true, format: 'ledger', cols: 100, rows: 30, complete: false });
    expect(await request(next, { cmd: 'text', id: 'back', from_line: 0 })).toMatchObject({ lines });
    const list = await request(next, { cmd: 'list', recordings: true });
    expect(list['terminals']).toMatchObject([{ id: 'back', cmd: ['sh', '-c', script], alive: false }]);
    expect(await request(next, { cmd: 'entries', id: 'back' })).toMatchObject({ entries: found });
    const before = readFileSync(path.join(folder, 'activity.jsonl'), 'utf8');
    // The question stood open, and nothing else differs. No profile is named: its rules are those of its last checkpoint.
    const apply = { cmd: 'rules', action: 'apply', terminal: 'back', from: 'start' };
    expect(await request(next, apply)).toMatchObject({ ok: true, corrections: 1 });
    expect(await request(next, apply)).toMatchObject({ corrections: 0 });
    const [diagnostic, question] = found as { version: number }[];
    expect((await request(next, { cmd: 'entries', id: 'back' }))['entries']).toEqual([
      diagnostic,
      { ...question, open: false, ts: expect.any(Number) },
    ]);
    const after = readFileSync(path.join(folder, 'activity.jsonl'), 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect(after.slice(before.length)).toContain('entry.finalize');
  } finally {
    await next.stop();
  }
});

it('is not kept where nothing asks for it, and from then on where the setting does', async () => {
  const own = await startDaemon();
  try {
    const { id } = await request(own, { cmd: 'create', cmd_args: ['true'] });
    expect(await request(own, { cmd: 'status', id })).not.toHaveProperty('persisted');
    expect(await request(own, { cmd: 'config', persist: 'kept' })).toMatchObject({
      code: 'invalid_field',
      field: 'persist',
    });
    const folder = path.join(own.dir, 'of/its/own');
    await request(own, { cmd: 'config', persist: folder });
    expect(printed(await keep({ cmd_args: ['printf', 'kept'] }, own)).toString()).toBe('kept');
    await request(own, { cmd: 'run', command: 'echo run' });
    await expect.poll(() => readdirSync(folder)).toHaveLength(2);
  } finally {
    await own.stop();
  }
});

it('has no byte of what is typed and not shown', async () => {
  const { id } = await request(daemon, {
    cmd: 'create',
    cmd_args: ['sh', '-c', 'stty -echo; echo ready; read x; echo "done"'],
  });
  await request(daemon, { cmd: 'wait', id, until: { text: 'ready' } });
  const { persisted } = await request(daemon, { cmd: 'status', id });
  await request(daemon, { cmd: 'send', id, input: 'hunter2\r', wait: { until: { exit: true } } });
  await expect.poll(() => lastKind(String(persisted))).toBe(EXIT);
  for (const name of readdirSync(String(persisted)))
    expect(readFileSync(path.join(String(persisted), name), 'latin1')).not.toContain('hunter2');
});

it('goes on in the same ledger when the program is started again, without the bytes that clear its screen', async () => {
  const { id } = await request(daemon, { cmd: 'create', name: 'again', cmd_args: ['sh', '-c', 'printf once'] });
  await request(daemon, { cmd: 'wait', id, until: { exit: true } });
  const { persisted } = await request(daemon, { cmd: 'status', id });
  await request(daemon, { cmd: 'restart', id });
  await request(daemon, { cmd: 'wait', id, until: { exit: true } });
  await request(daemon, { cmd: 'kill', id });
  const folder = String(persisted);
  await expect.poll(() => existing(folder)).toContain('"generation": 2');
  await expect.poll(() => frames(path.join(folder, 'raw.ptylog')).filter(({ kind }) => kind === EXIT)).toHaveLength(2);
  expect(printed(folder).toString()).toBe('onceonce');
  const opened = await request(daemon, { cmd: 'open', path: folder });
  expect(opened).toMatchObject({ complete: true });
  const { lines } = await request(daemon, { cmd: 'text', id: opened['id'] });
  expect((lines as string[]).join('').trim()).toBe('once');
});

it('is played and exported as a recording is', async () => {
  const folder = await keep({ cmd_args: ['printf', 'played'] });
  for (const args of [
    ['play', folder, '--plain'],
    ['export', folder, '-o', '-', '--format', 'text'],
  ]) {
    const { stdout, stderr } = await runCli(args);
    expect([stderr, stdout]).toEqual(['', expect.stringContaining('played')]);
  }
});

describe('a folder', () => {
  let folder = '';
  const copied = (): string => {
    const copy = tempDir().join('copy');
    cpSync(folder, copy, { recursive: true });
    return copy;
  };
  const openOf = (at: string) => request(daemon, { cmd: 'open', path: at });

  beforeEach(async () => {
    if (folder !== '') return;
    folder = await keep({
      cmd_args: ['sh', '-c', 'echo http://localhost:5173/; echo 50%; sleep 0.2; echo http://localhost:8080/'],
      rules: 'generic',
    });
    expect(readdirSync(folder)).toContain('activity.jsonl');
  });

  it('that is cut anywhere is opened as far as it is whole, or refused', async () => {
    const whole = await openOf(folder);
    const { lines } = await request(daemon, { cmd: 'text', id: whole['id'] });
    const last = (lines as string[]).findLastIndex((line) => line !== '');
    await request(daemon, { cmd: 'kill', id: whole['id'] });
    const copy = copied();
    for (const name of ['raw.ptylog', 'activity.jsonl', 'session.json']) {
      const { size } = statSync(path.join(folder, name));
      const [first] = frames(path.join(folder, 'raw.ptylog'));
      for (let at = size - 1; at >= 0; at -= Math.max(1, Math.floor(size / 12))) {
        truncateSync(path.join(copy, name), at);
        const reply = await openOf(copy);
        const isHeaderCut = name === 'raw.ptylog' && at < (first?.payload.length ?? 0) + 10;
        if (isHeaderCut) {
          expect(reply).toMatchObject({ ok: false, code: 'recording_invalid', field: 'path' });
          continue;
        }
        expect(reply).toMatchObject({ ok: true, complete: name !== 'raw.ptylog' });
        const { lines: shown } = await request(daemon, { cmd: 'text', id: reply['id'] });
        if (name !== 'raw.ptylog') expect(shown).toEqual(lines);
        else
          expect((lines as string[]).slice(0, last + 1).join('\n')).toContain((shown as string[]).join('\n').trimEnd());
        const apply = { cmd: 'rules', action: 'apply', terminal: reply['id'], from: 'start', profile: 'generic' };
        expect(await request(daemon, apply)).toMatchObject({ ok: true });
        await request(daemon, { cmd: 'kill', id: reply['id'] });
      }
      cpSync(path.join(folder, name), path.join(copy, name));
    }
  });

  it('whose entries are torn gets the corrections behind what is torn', async () => {
    const copy = copied();
    const file = path.join(copy, 'activity.jsonl');
    truncateSync(file, statSync(file).size - 20);
    const torn = readFileSync(file, 'utf8');
    const { id } = await openOf(copy);
    await request(daemon, { cmd: 'rules', action: 'set', terminal: id, profile: 'none' });
    await request(daemon, { cmd: 'rules', action: 'apply', terminal: id, from: 'start', profile: 'claude' });
    await request(daemon, { cmd: 'entries', id });
    await request(daemon, { cmd: 'kill', id });
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('entry.delete');
    const after = readFileSync(file, 'utf8');
    expect(after.startsWith(`${torn}\n{"type":`)).toBe(true);
    expect(
      after
        .slice(torn.length)
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toContain('checkpoint');
  });

  it('with a link, a pipe or a folder in the place of a file is refused at once', async () => {
    for (const name of ['raw.ptylog', 'activity.jsonl', 'session.json']) {
      const file = (copy: string): string => path.join(copy, name);
      const replacements: ((at: string) => void)[] = [
        (at) => symlinkSync(path.join(folder, name), at),
        (at) => void execFileSync('mkfifo', [at]),
        (at) => mkdirSync(at),
      ];
      for (const replace of replacements) {
        const copy = copied();
        rmSync(file(copy));
        replace(file(copy));
        expect(await openOf(copy)).toMatchObject({
          ok: false,
          code: 'recording_invalid',
          error: expect.stringContaining(name),
        });
      }
    }
  });

  it('of a newer version, without a ledger or with another file in its place is refused', async () => {
    const newer = copied();
    writeFileSync(path.join(newer, 'session.json'), '{"version":2}');
    expect(await openOf(newer)).toMatchObject({
      code: 'recording_invalid',
      error: expect.stringContaining('is of version 2'),
    });
    const newerLedger = copied();
    const ledger = readFileSync(path.join(folder, 'raw.ptylog'));
    writeFileSync(
      path.join(newerLedger, 'raw.ptylog'),
      Buffer.from(ledger.toString('latin1').replace('{"ledger":1', '{"ledger":2'), 'latin1'),
    );
    expect(await openOf(newerLedger)).toMatchObject({
      code: 'recording_invalid',
      error: expect.stringContaining('is of version 2'),
    });
    const empty = tempDir().path;
    expect(await openOf(empty)).toMatchObject({
      code: 'recording_invalid',
      error: expect.stringContaining('has no raw.ptylog'),
    });
    for (const bytes of [
      Buffer.alloc(10_000),
      Buffer.from('no ledger at all'),
      Buffer.concat([ledger, Buffer.alloc(5000, 0xff)]),
      Buffer.concat([ledger, Buffer.alloc(5000)]),
    ]) {
      const other = copied();
      writeFileSync(path.join(other, 'raw.ptylog'), bytes);
      expect(await openOf(other)).toMatchObject({ ok: false, code: 'recording_invalid' });
    }
  });

  it('with entries of any form is opened with those that are entries', async () => {
    const copy = copied();
    const file = path.join(copy, 'activity.jsonl');
    const kept = readFileSync(file, 'utf8');
    const broken = [
      '{"type":"entry.upsert","n":1}',
      '{"type":"entry.upsert","n":"x","entry":{}}',
      '{"type":"entry.delete","n":1e99,"entry":null}',
      'null',
      '{"type":"entry.__proto__","n":5,"entry":{"id":"e1"}}',
    ];
    writeFileSync(file, `${broken.join('\n')}\n${kept}${broken.join('\n')}\n`);
    const plain = await request(daemon, { cmd: 'entries', id: (await openOf(folder))['id'] });
    const { id } = await openOf(copy);
    expect((await request(daemon, { cmd: 'entries', id }))['entries']).toEqual(plain['entries']);
    expect(plain['entries']).not.toEqual([]);
  });

  it('of another user is refused', async ({ skip }) => {
    if (process.geteuid?.() !== 0) skip();
    const copy = copied();
    execFileSync('chown', ['-R', '65534', copy]);
    expect(await openOf(copy)).toMatchObject({
      code: 'recording_invalid',
      error: expect.stringContaining('belongs to another user (uid 65534)'),
    });
  });
});

it('of a terminal that runs is opened as far as it came, and its entries are written by one alone', async () => {
  const script = 'echo http://localhost:5173/; exec cat';
  const created = { cmd: 'create', name: 'runs', cmd_args: ['sh', '-c', script], rules: 'generic' };
  const { id } = await request(daemon, { ...created, wait: { until: { text: '5173' } } });
  const folder = String((await request(daemon, { cmd: 'status', id }))['persisted']);
  await expect.poll(() => printed(folder).toString()).toContain('5173');
  await expect
    .poll(async () => (await request(daemon, { cmd: 'entries', id }))['entries'])
    .toMatchObject([{ kind: 'url' }]);
  const opened = await request(daemon, { cmd: 'open', path: folder });
  expect(opened).toMatchObject({ ok: true, complete: false });
  const entries = { cmd: 'entries', id: opened['id'] };
  expect(await request(daemon, entries)).toMatchObject({ entries: [{ kind: 'url' }], file: null });
  await request(daemon, { cmd: 'kill', id: opened['id'] });
  await request(daemon, { cmd: 'kill', id });
  await expect.poll(() => lastKind(folder)).toBe(EXIT);
  const [first, second] = [
    await request(daemon, { cmd: 'open', path: folder }),
    await request(daemon, { cmd: 'open', path: folder }),
  ];
  const file = path.join(folder, 'activity.jsonl');
  expect(await request(daemon, { cmd: 'entries', id: first['id'] })).toMatchObject({ file });
  expect(await request(daemon, { cmd: 'entries', id: second['id'] })).toMatchObject({ file: null });
});

it('is complete after a daemon that was shut down', async () => {
  const own = await startDaemon({ env: { T4A_PERSIST: root } });
  const { id } = await request(own, { cmd: 'create', cmd_args: ['cat'], wait: { until: { settled_ms: 50 } } });
  await request(own, { cmd: 'send', id, input: 'last words\r', wait: { until: { text: 'last words' } } });
  const folder = String((await request(own, { cmd: 'status', id }))['persisted']);
  await own.stop();
  expect(lastKind(folder)).toBe(EXIT);
  expect(JSON.parse(existing(folder))).toMatchObject({
    exit: { signal: 'SIGHUP' },
    ledger: { missing_bytes: 0, cut: null },
  });
  expect(await request(daemon, { cmd: 'open', path: folder })).toMatchObject({ ok: true, complete: true });
});

it('without a folder of its own a terminal goes on, and a warning says why', async () => {
  const own = await startDaemon();
  try {
    const open = path.join(own.dir, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    const file = path.join(own.dir, 'file');
    writeFileSync(file, '');
    for (const [folder, reason] of [
      [open, 'other users may write to'],
      [file, 'is no folder'],
      ['/proc/nowhere/kept', 'ENOENT'],
    ]) {
      await request(own, { cmd: 'config', persist: folder });
      const events = await EventStream.open(own.socketPath, { types: ['warning'] });
      const { id } = await request(own, { cmd: 'create', cmd_args: ['cat'] });
      expect(await events.until('warning')).toMatchObject({
        code: 'persist',
        terminal: id,
        message: expect.stringContaining(String(reason)),
      });
      events.close();
      const echoed = { cmd: 'send', id, input: 'alive\r', wait: { until: { text: 'alive' } } };
      expect(await request(own, echoed)).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
    }
    expect(readdirSync(open)).toEqual([]);
  } finally {
    await own.stop();
  }
});

it('a disk that takes no more ends the ledger with a warning, and not the terminal', async () => {
  const dir = tempDir();
  const limited = dir.join('limited.mjs');
  const spawned = `import { execFileSync } from 'node:child_process';
execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=65536']);
process.argv[1] = ${JSON.stringify(builtDaemonEntry)};
await import(process.argv[1]);`;
  writeFileSync(limited, spawned);
  const { PATH = '' } = process.env;
  await startOwnDaemon(limited, dir.socketPath, {
    cwd: dir.path,
    env: { PATH, HOME: dir.path, XDG_CONFIG_HOME: dir.path, T4A_PERSIST: dir.join('kept') },
  });
  const ask = async (fields: object) => (await rawRequest(dir.socketPath, fields)).header;
  const events = await EventStream.open(dir.socketPath, { types: ['warning'] });
  const script = 'stty -echo; seq 1 2000; read -r _; stty echo; seq 2001 50000; exec cat';
  const { id } = await ask({ cmd: 'create', cmd_args: ['sh', '-c', script] });
  const folder = String((await ask({ cmd: 'status', id }))['persisted']);
  // Some of it is on the disk before a piece comes that is too large for it.
  await expect.poll(() => printed(folder).length).toBeGreaterThan(1000);
  await ask({ cmd: 'send', id, input: '\r' });
  expect(await events.until('warning')).toMatchObject({ code: 'persist', terminal: id });
  events.close();
  const echoed = { cmd: 'send', id, input: 'alive\r', wait: { until: { text: 'alive' } } };
  expect(await ask(echoed)).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
  await expect.poll(() => existing(folder)).toContain('"cut": "EFBIG"');
  const whole = Array.from({ length: 50_000 }, (_, i) => `${i + 1}\r\n`).join('');
  expect(whole.startsWith(printed(folder).toString())).toBe(true);
  expect(printed(folder).length).toBeGreaterThan(1000);
  expect(await ask({ cmd: 'open', path: folder })).toMatchObject({ ok: true, complete: false });
});
