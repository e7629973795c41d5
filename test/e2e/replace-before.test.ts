/**
 * A daemon reads the state of the version before. `state-2.gz` is what a daemon of state version 2 has sent: two terminals, one whose
 * program reads, within a sequence, and one that has ended; a trigger, and seven events. A new version leaves one of its own here.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { Log } from '../../src/base/log.js';
import { T4aError } from '../../src/protocol/errors.js';
import { FrameChannel } from '../../src/daemon/replacing/frame-channel.js';
import { type NewFrame, type OldFrame, READ_VERSIONS, STATE_VERSION } from '../../src/daemon/replacing/frames.js';
import type { Handlers } from '../../src/rpc/service.js';
import { RpcServer } from '../../src/rpc/server.js';
import { Pty } from '../../src/terminal/pty/pty.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { readers } from '../support/own-parts.js';
import { isRunning } from '../support/processes.js';
import { rawRequest } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { EventStream } from '../support/wait-for.js';

const STATES: Readonly<Record<number, string>> = {
  2: new URL('../daemon/replacing/state-2.gz', import.meta.url).pathname,
};

/** From its start until it has all, on a busy machine. */
const STEP_MS = 20_000;

/** As its daemon has sent them. */
async function framesOf(file: string): Promise<readonly OldFrame[]> {
  const stream = new PassThrough();
  const channel = new FrameChannel<NewFrame, OldFrame>(stream as unknown as Socket);
  stream.end(gunzipSync(readFileSync(file)));
  const frames: OldFrame[] = [];
  do frames.push((await channel.next(STEP_MS)) as OldFrame);
  while (frames.at(-1)?.kind !== 'complete');
  return frames;
}

it('each version that is read, but for the present one, has a state here', () => {
  expect(Object.keys(STATES).map(Number)).toEqual(READ_VERSIONS.filter((version) => version !== STATE_VERSION));
});

it('terminals, events and triggers of a state of version 2 go on', async () => {
  const { path: dir } = tempDir();
  const socketPath = path.join(dir, 's');
  const server = new RpcServer({ handlers: {} as Handlers, log: new Log(() => {}, 'warn') });
  await server.listen(socketPath);
  const program = new Pty(
    {
      file: '/bin/sh',
      args: ['-c', 'read x; echo "9mgot $x"; exit 7'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      cols: 40,
      rows: 6,
    },
    readers,
  );
  await program.hold();
  server.hold();
  const child = spawn(process.execPath, [builtDaemonEntry, '--adopt', '1', '--socket', socketPath], {
    detached: true,
    cwd: dir,
    env: { ...process.env, HOME: dir, XDG_CONFIG_HOME: dir },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', server.listenerFd, program.fd],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    if (isRunning(program.pid)) process.kill(program.pid, 'SIGKILL');
    child.kill('SIGKILL');
    await ended;
    await server.close();
  });
  const channel = new FrameChannel<OldFrame, NewFrame>(child.stdio[3] as Socket);
  expect(await channel.next(STEP_MS)).toMatchObject({ kind: 'hello', accepts: READ_VERSIONS });
  const frames = await framesOf(STATES[2] ?? '');
  const own = { pid: program.pid, device: program.device };
  for (const frame of frames) {
    if (frame.kind === 'terminal' && frame.terminal.fd !== undefined)
      await channel.send({ ...frame, terminal: { ...frame.terminal, ...own } });
    else await channel.send(frame.kind === 'state' ? { ...frame, instance: server.instance ?? '' } : frame);
  }
  // What a daemon of that version compares.
  expect(await channel.next(STEP_MS)).toEqual({
    kind: 'ready',
    sums: [
      expect.objectContaining({ id: 'reads', rev: 1, lastText: expect.stringMatching(/^red 漢字 👩‍👩‍👧 *$/) as unknown }),
      expect.objectContaining({ id: 'over', rev: 1, lines: 6 }),
    ],
  });
  server.handOver(child.pid ?? 0);
  program.onExit.on((exit) => void channel.send({ kind: 'exit', pid: program.pid, ...exit }));
  program.release();
  await channel.send({ kind: 'go', pauseMs: 1 });
  await server.leave(new T4aError('replaced', 'Another one is there.'), 100);

  const ask = async (fields: object): Promise<Record<string, unknown>> => (await rawRequest(socketPath, fields)).header;
  expect(await ask({ cmd: 'ping' })).toMatchObject({ pid: child.pid, replaced: 1, terminals: 2 });
  const numbers = Array.from({ length: 30 }, (_, at) => String(at + 1));
  const shown = { id: 'reads', region: 'all', trim: true };
  expect(await ask({ cmd: 'text', ...shown })).toMatchObject({ lines: [...numbers, 'red 漢字 👩‍👩‍👧'] });
  expect(await ask({ cmd: 'status', id: 'reads' })).toMatchObject({ title: 'title', labels: { kind: 'kept' } });
  expect(await ask({ cmd: 'status', id: 'over' })).toMatchObject({ alive: false, exit_code: 3 });
  expect(await ask({ cmd: 'triggers' })).toMatchObject({ triggers: [{ trigger: 1, fired: 0 }] });
  expect(await ask({ cmd: 'seek', id: 'over', text: 'one' })).toMatchObject({ outcome: 'found' });
  await ask({ cmd: 'type', id: 'reads', text: 'word', submit: true });
  expect(await ask({ cmd: 'wait', id: 'reads', until: { exit: true } })).toMatchObject({ exit_code: 7 });
  // The rest of the sequence is none of the text.
  expect(((await ask({ cmd: 'text', ...shown }))['lines'] as string[]).join('\n')).toContain('got word');
  const events = await EventStream.open(socketPath, { since: 0 });
  const seen: Record<string, unknown>[] = [];
  do seen.push(await events.next());
  while (seen.at(-1)?.['event'] !== 'published' || seen.at(-1)?.['name'] !== 'seen');
  events.close();
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1));
  expect(seen[7]).toMatchObject({ event: 'replaced', pid: child.pid });
  await ask({ cmd: 'shutdown' });
  await ended;
});
