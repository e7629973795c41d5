/** `replace`: real daemons take the place of each other, amid output, with shells, events and ends of programs. */
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { request, startDaemon } from '../support/daemon.js';
import { isRunning } from '../support/processes.js';
import { RawConnection } from '../support/raw.js';
import { replaceable } from '../support/replaceable.js';
import { tempDir } from '../support/temp-dir.js';
import { EventStream } from '../support/wait-for.js';

type Answer = Record<string, unknown>;

it('a flood is the same, to each line, over three replacements in its midst', async () => {
  const { ask } = await replaceable();
  const flood = 'seq 1 400000 | sed "s/$/ \\x1b[31mred\\x1b[0m 漢字/"; echo the-end; read x; echo got $x; exec cat';
  await ask({ cmd: 'create', name: 'f', cmd_args: ['sh', '-c', flood], scrollback: 5000 });
  const { pid: first, instance } = await ask({ cmd: 'ping' });
  for (let count = 1; count <= 3; count++) {
    const done = await ask({ cmd: 'replace' });
    expect(done).toMatchObject({ ok: true, terminals: 1 });
    const { to } = done;
    expect(await ask({ cmd: 'ping' })).toMatchObject({ pid: (to as Answer)['pid'], instance, replaced: count });
  }
  expect((await ask({ cmd: 'ping' }))['pid']).not.toBe(first);
  expect(await ask({ cmd: 'wait', id: 'f', until: { text: 'the-end' } })).toMatchObject({ outcome: 'matched' });
  const { lines } = await ask({ cmd: 'text', id: 'f', last: 3000 });
  const shown = (lines as string[]).map((line) => line.trimEnd()).filter((line) => line !== '');
  expect(shown.length).toBeGreaterThan(2900);
  expect(shown.at(-1)).toBe('the-end');
  const last = 400_000 - (shown.length - 2);
  expect(shown.slice(0, -1)).toEqual(Array.from({ length: shown.length - 1 }, (_, at) => `${last + at} red 漢字`));
  await ask({ cmd: 'type', id: 'f', text: 'typed', submit: true });
  expect(await ask({ cmd: 'wait', id: 'f', until: { text: 'got typed' } })).toMatchObject({ outcome: 'matched' });
});

it('programs that end, and others that are made all the time, keep no other daemon from taking over', async () => {
  const { ask, replace } = await replaceable();
  const ends = Array.from({ length: 24 }, (_, n) => ({ name: `e${n}`, code: n % 5, after: 0.1 * (n + 1) }));
  for (const { name, code, after } of ends) {
    await ask({
      cmd: 'create',
      name,
      cmd_args: ['sh', '-c', `(sleep 60 & echo $! >&2); sleep ${after}; exit ${code}`],
    });
  }
  let isOver = false;
  const runs = Array.from({ length: 3 }, async () => {
    const codes: unknown[] = [];
    while (!isOver) {
      const done = await ask({ cmd: 'run', command: 'sleep 0.1; exit 3' });
      if (done['code'] !== 'replaced') codes.push(done['exit_code']);
    }
    return codes;
  });
  for (let n = 0; n < 2; n++) await replace();
  isOver = true;
  const codes = (await Promise.all(runs)).flat();
  expect(codes.length).toBeGreaterThan(0);
  expect(codes.filter((code) => code !== 3)).toEqual([]);
  for (const { name, code } of ends) {
    expect(await ask({ cmd: 'wait', id: name, until: { exit: true } })).toMatchObject({ ok: true });
    expect(await ask({ cmd: 'status', id: name })).toMatchObject({ alive: false, exit_code: code });
  }
});

it('a program that had ended before has ended for who waits for it, and does not end again', async () => {
  const { daemon, ask } = await replaceable();
  await ask({ cmd: 'create', name: 'k', cmd_args: ['sh', '-c', 'exit 4'], wait: { until: { exit: true } } });
  await ask({ cmd: 'replace' });
  const wait = { cmd: 'wait', id: 'k', timeout_ms: 20_000 };
  expect(await ask({ ...wait, until: { exit: true } })).toMatchObject({ outcome: 'matched', exit_code: 4 });
  expect(await ask({ ...wait, until: { text: 'never' } })).toMatchObject({ outcome: 'exited' });
  await expect.poll(() => isRunning(daemon.process.pid ?? 0)).toBe(false);
  expect(daemon.log()).not.toContain('unhandled');
  await ask({ cmd: 'restart', id: 'k' });
  expect(await ask({ ...wait, until: { exit: true } })).toMatchObject({ outcome: 'matched', exit_code: 4 });
});

it('a shell goes on, with its commands, the one that runs, and the proofs of its marks', async () => {
  const { ask } = await replaceable();
  await ask({ cmd: 'create', name: 's', cmd_args: ['bash'], cwd: '/', env: { PS1: '$ ' } });
  expect(await ask({ cmd: 'run', id: 's', command: 'cd /tmp; KEPT=yes; false' })).toMatchObject({ exit_code: 1 });
  const began = { until: { event: 'command_started' } };
  const text = 'sleep 1; echo late; (exit 9)';
  expect(await ask({ cmd: 'type', id: 's', text, submit: true, wait: began })).toMatchObject({
    wait: { outcome: 'matched' },
  });
  await ask({ cmd: 'replace' });
  expect(await ask({ cmd: 'wait', id: 's', until: { done: true } })).toMatchObject({
    outcome: 'matched',
    exit_code: 9,
  });
  const { commands } = await ask({ cmd: 'commands', id: 's' });
  expect(commands).toMatchObject([
    { command: 'cd /tmp; KEPT=yes; false', code: 1 },
    { command: 'sleep 1; echo late; (exit 9)', code: 9 },
  ]);
  expect(await ask({ cmd: 'text', id: 's', command: 2, join_wrapped: true })).toMatchObject({
    lines: [expect.stringMatching(/^late *$/)],
  });
  await ask({ cmd: 'replace' });
  expect(await ask({ cmd: 'run', id: 's', command: 'echo $KEPT in $PWD' })).toMatchObject({
    exit_code: 0,
    lines: ['yes in /tmp'],
  });
  await ask({ cmd: 'type', id: 's', text: 'exit 4', submit: true });
  expect(await ask({ cmd: 'wait', id: 's', until: { exit: true } })).toMatchObject({ exit_code: 4 });
  expect(await ask({ cmd: 'restart', id: 's' })).toMatchObject({ ok: true });
  expect(await ask({ cmd: 'run', id: 's', command: 'echo anew' })).toMatchObject({ exit_code: 0, lines: ['anew'] });
});

it('events go on with their numbers, ends of programs are reported, and the old process goes with the last of its programs', async () => {
  const { daemon, ask } = await replaceable();
  const script = 'read x; echo $x; exit 7';
  const { id } = await ask({ cmd: 'create', cmd_args: ['sh', '-c', script] });
  const ended = await ask({ cmd: 'create', cmd_args: ['sh', '-c', 'echo over; exit 3'] });
  await ask({ cmd: 'wait', id: ended['id'], until: { exit: true } });
  const killed = await ask({ cmd: 'create', cmd_args: ['cat'] });
  const before = (await ask({ cmd: 'stats' }))['last_seq'];
  const { from, to } = await ask({ cmd: 'replace' });
  expect((from as Answer)['pid']).toBe(daemon.process.pid);
  await ask({ cmd: 'type', id, text: 'answer', submit: true });
  expect(await ask({ cmd: 'wait', id, until: { exit: true } })).toMatchObject({ outcome: 'matched', exit_code: 7 });
  expect(await ask({ cmd: 'status', id: ended['id'] })).toMatchObject({ alive: false, exit_code: 3 });
  expect(await ask({ cmd: 'text', id: ended['id'] })).toMatchObject({
    lines: expect.arrayContaining([expect.stringContaining('over')]),
  });
  expect(isRunning(daemon.process.pid ?? 0)).toBe(true);
  process.kill(killed['pid'] as number, 'SIGKILL');
  expect(await ask({ cmd: 'wait', id: killed['id'], until: { exit: true } })).toMatchObject({ signal: 'SIGKILL' });
  await expect.poll(() => isRunning(daemon.process.pid ?? 0), { timeout: 20_000 }).toBe(false);
  const events = await EventStream.open(daemon.socketPath, { since: 0 });
  const seen: Answer[] = [];
  do seen.push(await events.next());
  while (seen.filter(({ event }) => event === 'exit').length < 3);
  events.close();
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1));
  expect(seen.find(({ event }) => event === 'replaced')).toMatchObject({
    from: (from as Answer)['pid'],
    pid: (to as Answer)['pid'],
  });
  expect(before === undefined || typeof before === 'number').toBe(true);
});

it('what is under way gets an error, and what connects meanwhile is answered', async () => {
  const { daemon, ask } = await replaceable();
  const { id } = await ask({ cmd: 'create', cmd_args: ['cat'] });
  const waiting = new RawConnection(daemon.socketPath);
  const outcome = waiting.request({ cmd: 'wait', id, until: { text: 'never' } });
  const replacing = ask({ cmd: 'replace' });
  let isOver = false;
  void replacing.finally(() => (isOver = true));
  let answers = 0;
  while (!isOver) {
    expect(await ask({ cmd: 'ping' })).toMatchObject({ ok: true });
    answers++;
  }
  expect(await replacing).toMatchObject({ ok: true, terminals: 1 });
  expect(answers).toBeGreaterThan(0);
  expect((await outcome).header).toMatchObject({ ok: false, code: 'replaced' });
  waiting.close();
});

it('a new one that does not start, says nothing or is no t4a changes nothing', async () => {
  const { ask } = await replaceable();
  const { path: dir } = tempDir();
  const { id } = await ask({ cmd: 'create', cmd_args: ['sh', '-c', 'read x; echo got $x; exec cat'] });
  const { pid } = await ask({ cmd: 'ping' });
  const program = (name: string, source: string): string => {
    const file = path.join(dir, name);
    writeFileSync(file, source, { mode: 0o600 });
    return file;
  };
  const hello = `const { Socket } = require('node:net'); const s = new Socket({ fd: 3 });
    const send = (value) => { const text = Buffer.from(JSON.stringify(value)); const head = Buffer.alloc(8);
      head.writeUInt32LE(text.length, 0); s.write(head); s.write(text); };
    s.on('data', () => {}); send({ kind: 'hello', version: '9.9.9', pid: process.pid, accepts: ACCEPTS });`;
  for (const [entry, error] of [
    [program('ends.cjs', 'process.exit(1)'), 'did not start: it ended with code 1.'],
    [
      program('rubbish.cjs', "require('node:fs').writeSync(3, 'x'.repeat(100)); setInterval(() => {}, 1000)"),
      'did not start: it lives, and said what no t4a says.',
    ],
    [program('old.cjs', hello.replace('ACCEPTS', '[0]')), '9.9.9 reads no state of this version'],
    [
      program('dies.cjs', `${hello.replace('ACCEPTS', '[3]')} setTimeout(() => process.exit(3), 50)`),
      'did not get ready: it ended with code 3.',
    ],
  ] as const) {
    const refusal = await ask({ cmd: 'replace', entry, within_ms: 2000 });
    expect(refusal, entry).toMatchObject({ ok: false, code: 'replace_refused' });
    expect(refusal['error']).toContain(error);
  }
  const others = program('others.cjs', '');
  chmodSync(others, 0o666);
  for (const [entry, error] of [
    ['daemon.cjs', 'expected an absolute path'],
    [path.join(dir, 'none.cjs'), 'there is no such file'],
    [others, 'others may write it'],
  ]) {
    const refusal = await ask({ cmd: 'replace', entry });
    expect(refusal).toMatchObject({ ok: false, code: 'invalid_field', field: 'entry' });
    expect(refusal['error']).toContain(error);
  }
  await ask({ cmd: 'type', id, text: 'still here', submit: true });
  expect(await ask({ cmd: 'wait', id, until: { text: 'got still here' } })).toMatchObject({
    outcome: 'matched',
  });
  expect(await ask({ cmd: 'ping' })).toMatchObject({ pid });
});

it('the number of inputs goes along, and who sent them: conditions on it hold over a replacement', async () => {
  const { ask, replace } = await replaceable();
  const { id } = await ask({ cmd: 'create', cmd_args: ['cat'] });
  for (const text of ['a', 'b']) await ask({ cmd: 'type', id, text, submit: true });
  const before = (await ask({ cmd: 'debug', id }))['inputs'];
  await replace();
  expect(await ask({ cmd: 'status', id })).toMatchObject({ inputs: 2 });
  expect((await ask({ cmd: 'debug', id }))['inputs']).toEqual(before);
  expect(await ask({ cmd: 'press', id, keys: ['x'], if_inputs: 2 })).toMatchObject({ ok: true, inputs: 3 });
  expect(await ask({ cmd: 'press', id, keys: ['x'], if_inputs: 2 })).toMatchObject({ code: 'others_typed' });
});

it('a signal to the old process right behind the reply ends the daemon that has taken over, with its programs', async () => {
  for (let count = 0; count < 4; count++) {
    const daemon = await startDaemon();
    onTestFinished(() => daemon.stop());
    const { pid: program } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
    const { to } = (await request(daemon, { cmd: 'replace' })) as { readonly to?: { readonly pid: number } };
    daemon.process.kill('SIGTERM');
    for (const pid of [Number(program), to?.pid ?? 0, daemon.process.pid ?? 0]) {
      await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
    }
  }
});
