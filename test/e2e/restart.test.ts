/** `restart`: the same terminal with a new program. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const ask = (fields: object): ReturnType<typeof request> => request(daemon, fields);

const untilText = (id: unknown, text: string) => ask({ cmd: 'wait', id, until: { text }, timeout_ms: 20_000 });

it('starts the program again in the same terminal, whose counts go on', async () => {
  const cmd_args = ['bash', '-c', 'printf "\\e[2J\\e[?1049h\\e[5;5Hup:$$"; while read -r x; do echo "got $x"; done'];
  const made = await ask({ cmd: 'create', cmd_args, labels: { role: 'web' }, env: { MARK: 'kept' } });
  const { id } = made;
  await untilText(id, 'up:');
  await ask({ cmd: 'type', id, text: 'one', submit: true, wait: { until: { text: 'got one' } } });
  await ask({ cmd: 'resize', id, cols: 70, rows: 20 });
  const before = await ask({ cmd: 'status', id });
  const events = await EventStream.open(daemon.socketPath, { types: ['exit', 'restarted', 'removed'] });

  const again = await ask({ cmd: 'restart', id });
  expect(again).toMatchObject({ ok: true, generation: 2 });
  expect(again['pid']).not.toBe(made['pid']);
  expect(await events.next()).toMatchObject({ event: 'exit', terminal: id, signal: 'SIGHUP' });
  expect(await events.next()).toMatchObject({ event: 'restarted', terminal: id, pid: again['pid'], generation: 2 });
  await untilText(id, `up:${String(again['pid'])}`);

  const after = await ask({ cmd: 'status', id });
  expect(after).toMatchObject({
    alive: true,
    generation: 2,
    cols: 70,
    rows: 20,
    labels: { role: 'web' },
    exited_at: null,
  });
  expect(after['inputs']).toBe(before['inputs']);
  expect(after['rev']).toBeGreaterThan(before['rev'] as number);
  expect(after['output_bytes']).toBeGreaterThan(before['output_bytes'] as number);
  const { lines } = await ask({ cmd: 'text', id, region: 'all' });
  expect((lines as string[]).join(' ').trim()).toBe(`up:${String(again['pid'])}`);
  // Waits and turns are of the new program.
  const turn = await ask({ cmd: 'type', id, text: 'two', submit: true, wait: { until: { text: 'got two' } } });
  expect(turn).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
  events.close();
});

it('starts an ended program again, and its shell answers with codes as the first one did', async () => {
  const { id } = await ask({ cmd: 'create', cmd_args: ['bash'] });
  await ask({ cmd: 'type', id, text: 'exit 4', submit: true, wait: { until: { exit: true } } });
  expect(await ask({ cmd: 'restart', id })).toMatchObject({ generation: 2 });
  const turn = { cmd: 'type', id, text: '(exit 7)', submit: true, wait: { until: { done: true } } };
  expect(await ask(turn)).toMatchObject({ wait: { outcome: 'matched', exit_code: 7 } });
});

it('two at once start one program', async () => {
  const { id } = await ask({ cmd: 'create', cmd_args: ['cat'] });
  const both = await Promise.all([ask({ cmd: 'restart', id }), ask({ cmd: 'restart', id })]);
  expect(both[0]).toMatchObject({ ok: true, generation: 2 });
  expect(both[1]?.['pid']).toBe(both[0]?.['pid']);
});

it('a program that is not there any more is an error, and the one that runs goes on', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 't4a-restart-'));
  const program = path.join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\necho up; exec cat\n');
  chmodSync(program, 0o755);
  const { id } = await ask({ cmd: 'create', cmd_args: [program] });
  await untilText(id, 'up');
  rmSync(folder, { recursive: true });
  expect(await ask({ cmd: 'restart', id })).toMatchObject({ ok: false, code: 'program_not_found' });
  expect(await ask({ cmd: 'status', id })).toMatchObject({ alive: true, generation: 1 });
});

it.each([
  [{ id: 'none' }, 'terminal_not_found'],
  [{ signal: 'NOPE' }, 'invalid_field'],
  [{ grace_ms: -1 }, 'invalid_field'],
])('%j is refused', async (fields, code) => {
  const { id } = await ask({ cmd: 'create', cmd_args: ['cat'] });
  expect(await ask({ cmd: 'restart', id, ...fields })).toMatchObject({ ok: false, code });
  expect(await ask({ cmd: 'status', id })).toMatchObject({ alive: true, generation: 1 });
});

it('a trigger starts a program again whenever it ends, and not in a loop', async () => {
  const { id } = await ask({ cmd: 'create', cmd_args: ['bash', '-c', 'read -r x; exit 3'] });
  const events = await EventStream.open(daemon.socketPath, { types: ['restarted', 'warning'] });
  const { stdout } = await runCli(['trigger', String(id), '--when', 'exit', '--restart'], {
    socketPath: daemon.socketPath,
  });
  expect(stdout).toContain('trigger');
  for (let generation = 2; generation <= 11; generation++) {
    await ask({ cmd: 'press', id, keys: ['Enter'] });
    expect(await events.next()).toMatchObject({ event: 'restarted', terminal: id, generation });
  }
  await ask({ cmd: 'press', id, keys: ['Enter'] });
  expect(await events.next()).toMatchObject({ event: 'warning', code: 'trigger', terminal: id });
  expect((await ask({ cmd: 'triggers', id }))['triggers']).toMatchObject([{ state: 'stopped', fired: 10 }]);
  events.close();
});

it('a trigger on a text goes on with the program that is started again', async () => {
  const { id } = await ask({
    cmd: 'create',
    cmd_args: ['sh', '-c', 'printf "Go on? "; read x; echo "got $x"; exec cat'],
  });
  await ask({ cmd: 'trigger', id, when: { text: 'Go on?' }, do: [{ press: ['y', 'Enter'] }], reading: true });
  await untilText(id, 'got y');
  await ask({ cmd: 'restart', id });
  expect(await untilText(id, 'got y')).toMatchObject({ outcome: 'matched' });
  expect((await ask({ cmd: 'triggers', id }))['triggers']).toMatchObject([{ state: 'armed', fired: 2 }]);
});
