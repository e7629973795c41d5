/** A daemon that is not replaced goes on with all that it has; what a replacement may leave behind is left; states of other versions. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { itAsRoot } from '../support/as-root.js';
import { DIST, request, startDaemon } from '../support/daemon.js';
import { isRunning } from '../support/processes.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { replaceable } from '../support/replaceable.js';
import { tempDir } from '../support/temp-dir.js';

type Answer = Record<string, unknown>;

/** A program in place of a daemon: it says that it reads state 3, then does `what`. */
function successor(what: string): string {
  const file = path.join(tempDir().path, 'other.cjs');
  const source = `const { Socket } = require('node:net'); const s = new Socket({ fd: 3 });
    const send = (value) => { const text = Buffer.from(JSON.stringify(value)); const head = Buffer.alloc(8);
      head.writeUInt32LE(text.length, 0); s.write(head); s.write(text); };
    s.on('data', () => {}); send({ kind: 'hello', version: '9.9.9', pid: process.pid, accepts: [3] }); ${what}`;
  writeFileSync(file, source, { mode: 0o600 });
  return file;
}

it('after a switch that fails, holds, questions, triggers, waits and their times are as before', async () => {
  const { daemon, ask } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', 'read x; echo got $x; exec cat'] });
  await ask({ cmd: 'control', id: 'a', action: 'take', as: 'ann', lease_ms: 500_000 });
  await ask({ cmd: 'trigger', id: 'a', when: { text: 'got' }, do: [{ publish: { name: 'seen' } }] });
  await ask({ cmd: 'trigger', id: 'a', when: { after_ms: 8000 }, do: [{ publish: { name: 'late' } }] });
  await ask({ cmd: 'ask', as: 'bob', question: 'Over?', timeout_ms: 0 });
  const waiting = new RawConnection(daemon.socketPath);
  onTestFinished(() => waiting.close());
  const wait = waiting.request({ cmd: 'wait', id: 'a', until: { published: 'late' }, timeout_ms: 60_000 });
  const { pid } = await ask({ cmd: 'ping' });
  const stays = async (): Promise<Answer[]> => [
    await ask({ cmd: 'triggers' }),
    { asked: ((await ask({ cmd: 'asks' }))['asks'] as Answer[]).map(({ ask: number }) => number) },
    { holder: (await ask({ cmd: 'control', id: 'a', action: 'show' }))['holder'] },
  ];
  const before = await stays();
  for (const [what, error] of [
    ["setTimeout(() => send({ kind: 'ready', sums: [] }), 100)", 'another state than this one: 0 terminals, not 1.'],
    ['setTimeout(() => process.kill(process.pid, "SIGKILL"), 100)', 'did not get ready: SIGKILL has ended it.'],
    ['setInterval(() => {}, 1000)', 'did not get ready: it said nothing more within '],
  ] as const) {
    const refusal = await ask({ cmd: 'replace', entry: successor(what), within_ms: 1000 });
    expect(refusal, what).toMatchObject({ ok: false, code: 'replace_refused' });
    expect(refusal['error']).toContain(error);
    if (error.startsWith('did not get ready'))
      expect(refusal['hint']).toContain('t4a replace --scrollback 1000 --no-history');
    expect(await stays()).toEqual(before);
  }
  expect((await wait).header).toMatchObject({ ok: true, outcome: 'matched' });
  await ask({ cmd: 'type', id: 'a', text: 'word', submit: true, as: 'ann', wait: { until: { text: 'got word' } } });
  await expect
    .poll(async () => ((await ask({ cmd: 'triggers' }))['triggers'] as Answer[]).map(({ fired }) => fired))
    .toEqual([1, 1]);
  expect(await ask({ cmd: 'answer', ask: 1, text: 'yes', as: 'eve' })).toMatchObject({ ok: true });
  expect(await ask({ cmd: 'ping' })).toMatchObject({ pid });
});

/** The built daemon, but for what it says of its terminals. */
function differing(): string {
  const file = path.join(tempDir().path, 'other.cjs');
  const source = `const crypto = require('node:crypto'); const { createHash } = crypto;
    crypto.createHash = (...args) => { const hash = createHash(...args); const digest = hash.digest.bind(hash);
      hash.digest = (encoding) => (encoding === 'base64' ? 'another' : digest(encoding)); return hash; };
    require(${JSON.stringify(path.join(DIST, 'daemon.cjs'))});`;
  writeFileSync(file, source, { mode: 0o600 });
  return file;
}

it('a daemon that has all of the terminals, and is refused, has taken none of their output', async () => {
  const { ask } = await replaceable();
  const script = 'seq 1 10000; i=0; while [ $i -lt 600 ]; do echo line $i; i=$((i+1)); sleep 0.01; done; exec cat';
  // The longer another daemon takes for all of them, the more is printed meanwhile.
  for (const name of ['x', 'y', 'z']) {
    const full = { cmd_args: ['sh', '-c', 'seq -f %0100g 10000; exec cat'], wait: { until: { text: '10000' } } };
    await ask({ cmd: 'create', name, cols: 110, ...full });
  }
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', script], wait: { until: { text: 'line 1' } } });
  const entry = differing();
  for (let i = 0; i < 3; i++) {
    const refusal = await ask({ cmd: 'replace', entry, within_ms: 60_000 });
    expect(refusal).toMatchObject({
      code: 'replace_refused',
      error: expect.stringMatching(/another state .* of ("[axyz]" \(.*digest\)(, )?){4}\./),
    });
  }
  // What a program prints in the pause of a replacement that succeeds is no difference.
  expect(await ask({ cmd: 'replace', within_ms: 60_000 })).toMatchObject({ ok: true });
  await ask({ cmd: 'wait', id: 'a', until: { text: 'line 599' } });
  const { lines } = await ask({ cmd: 'text', id: 'a', region: 'all', trim: true });
  expect((lines as string[]).filter((line) => line.startsWith('line'))).toEqual(
    Array.from({ length: 600 }, (_, i) => `line ${i}`),
  );
});

it('a program that is no daemon is ended with what it has started, and the log says why', async () => {
  const { daemon, ask } = await replaceable();
  const { path: dir } = tempDir();
  const exec = path.join(dir, 'no-daemon');
  writeFileSync(exec, `#!/bin/sh\nsleep 300 &\necho $! > ${dir}/pid\nwait\n`, { mode: 0o700 });
  const refusal = await ask({ cmd: 'replace', exec });
  expect(refusal).toMatchObject({ code: 'replace_refused' });
  const pid = Number(readFileSync(path.join(dir, 'pid'), 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(daemon.log()).toContain(refusal['error']);
});

it('a shutdown during a replacement is the reason for which there is none', async () => {
  const daemon = await startDaemon();
  onTestFinished(() => daemon.stop());
  await request(daemon, { cmd: 'create', name: 'a', cmd_args: ['cat'] });
  const file = path.join(daemon.dir, 'started');
  const entry = successor('');
  const source = `require('node:fs').writeFileSync(${JSON.stringify(file)}, ''); setTimeout(() => { ${readFileSync(entry, 'utf8')} }, 700)`;
  writeFileSync(entry, source);
  const replacing = request(daemon, { cmd: 'replace', entry });
  await expect.poll(() => existsSync(file), { timeout: 10_000 }).toBe(true);
  expect(await request(daemon, { cmd: 'shutdown' })).toMatchObject({ ok: true });
  expect(await replacing).toMatchObject({
    code: 'replace_refused',
    error: 'The daemon was not replaced: it is shutting down.',
  });
});

it('"check" changes nothing, and without history the past alone stays behind', async () => {
  const { ask } = await replaceable();
  const script = 'echo early; read x; printf "\\033[2J\\033[Hlate"; read y; echo got $y; exec cat';
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', script] });
  await ask({ cmd: 'wait', id: 'a', until: { text: 'early' } });
  await ask({ cmd: 'press', id: 'a', keys: ['Enter'], wait: { until: { text: 'late' } } });
  const { pid } = await ask({ cmd: 'ping' });
  expect(await ask({ cmd: 'replace', check: true })).toMatchObject({
    ok: true,
    from: { pid },
    terminals: 1,
    pause_ms: 0,
    state_bytes: 0,
  });
  expect(await ask({ cmd: 'ping' })).toMatchObject({ pid });
  const first = async (): Promise<Answer> => ask({ cmd: 'seek', id: 'a', text: 'early' });
  expect(await first()).toMatchObject({ outcome: 'found' });
  const { lines } = await ask({ cmd: 'text', id: 'a', region: 'all', trim: true });
  expect(await ask({ cmd: 'replace', history: false })).toMatchObject({ ok: true, history: false });
  expect(await ask({ cmd: 'ping' })).not.toMatchObject({ pid });
  expect(await first()).toMatchObject({ outcome: 'none' });
  expect((await ask({ cmd: 'text', id: 'a', region: 'all', trim: true }))['lines']).toEqual(lines);
  expect(
    await ask({ cmd: 'type', id: 'a', text: 'word', submit: true, wait: { until: { text: 'got word' } } }),
  ).toMatchObject({ wait: { outcome: 'matched' } });
});

itNeeds('prlimit')('without room for open files the refusal names them, and a higher limit is enough', async () => {
  const { daemon, ask, replace } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] });
  const client = new RawConnection(daemon.socketPath);
  onTestFinished(() => client.close());
  expect((await client.request({ cmd: 'ping' })).header).toMatchObject({ ok: true });
  const limit = (files: string): void =>
    void execFileSync(requireProgram('prlimit'), ['--pid', String(daemon.process.pid), `--nofile=${files}:`]);
  limit('10');
  expect((await client.request({ cmd: 'replace' })).header).toMatchObject({
    code: 'replace_refused',
    error: 'The daemon was not replaced: it has no room for another open file.',
    hint: expect.stringContaining('prlimit --nofile'),
  });
  limit('1024');
  await replace();
  expect(await ask({ cmd: 'status', id: 'a' })).toMatchObject({ alive: true });
});

itAsRoot()('an entry of another user, or one that others may write, is not started', async () => {
  const { ask } = await replaceable();
  const entry = successor('');
  const refusal = async (): Promise<Answer> => ask({ cmd: 'replace', entry });
  chownSync(entry, 12_345, 12_345);
  expect(await refusal()).toMatchObject({ code: 'invalid_field', error: expect.stringContaining("another user's") });
  chownSync(entry, 0, 0);
  chmodSync(entry, 0o622);
  expect(await refusal()).toMatchObject({
    code: 'invalid_field',
    error: expect.stringContaining('others may write it'),
  });
  chmodSync(entry, 0o600);
  // It starts what is beside it.
  const beside = path.join(path.dirname(entry), 'daemon-program.cjs');
  writeFileSync(beside, '');
  for (const [file, mode] of [
    [beside, 0o666],
    [path.dirname(entry), 0o777],
  ] as const) {
    const { mode: before } = statSync(file);
    chmodSync(file, mode);
    expect(await refusal()).toMatchObject({ code: 'invalid_field', error: expect.stringContaining(file) });
    chmodSync(file, before & 0o777);
  }
  expect(await ask({ cmd: 'ping' })).toMatchObject({ ok: true });
});

it('input that a program does not read ends first, and says how much the program took', async () => {
  const { daemon, ask } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', 'stty raw -echo; echo set; exec sleep 100'] });
  await ask({ cmd: 'wait', id: 'a', until: { text: 'set' } });
  const typing = new RawConnection(daemon.socketPath);
  onTestFinished(() => typing.close());
  const typed = typing.request({ cmd: 'type', id: 'a', text: 'x'.repeat(60_000) });
  await expect.poll(async () => ((await ask({ cmd: 'stats' }))['input'] as Answer)['pending_bytes']).toBeGreaterThan(0);
  expect(await ask({ cmd: 'replace' })).toMatchObject({ ok: true, terminals: 1 });
  expect((await typed).header).toMatchObject({
    code: 'input_blocked',
    error: expect.stringMatching(/^Terminal "a" took \d+ of 60000 bytes; its program does not read\.$/),
  });
});

it('a daemon without terminals is replaced, too', async () => {
  const { ask } = await replaceable();
  const { pid } = await ask({ cmd: 'ping' });
  expect(await ask({ cmd: 'replace' })).toMatchObject({ ok: true, terminals: 0, from: { pid } });
  expect(await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] })).toMatchObject({ ok: true });
});
