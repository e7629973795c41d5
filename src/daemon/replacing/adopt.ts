/** The daemon that comes: it gets the terminals of the one before over a socket, and takes its place when that one says so. */
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { FrameChannel } from './frame-channel.js';
import { decodeWithBlobs } from '../../base/json-blobs.js';
import { TailsBefore } from '../../base/tail-ahead.js';
import { collectGarbage } from '../../terminal/system/collect-garbage.js';
import { identify } from '../../terminal/identity.js';
import { MarkSeedFile } from '../../terminal/launching/mark-seed.js';
import { Terminal } from '../../terminal/terminal.js';
import { OUTPUT_RING_BYTES } from '../../protocol/limits.js';
import { LinesBefore } from '../../vt/lines-ahead.js';
import { decodeWhole } from '../../vt/whole-screen.js';
import type { Daemon } from '../daemon.js';
import { observeTerminal } from '../spawn.js';
import { tieAgain } from '../tie.js';
import { CHANNEL_FD, LISTENER_FD } from './descriptors.js';
import { type NewFrame, type OldFrame, READ_VERSIONS } from './frames.js';
import { sumOf, sumOfBefore } from './sum.js';

/** The one before may be slow to send much, but not silent. */
const STATE_MS = 600_000;

/** The one before may be slow to come to what this one has answered. */
const ENDED_MS = 10_000;

/** Part of the server of the daemon in a replacement. */
export interface AdoptingServer {
  adopt(fd: number, socketPath: string, nonce: string): Promise<void>;
}

/**
 * Resolves once this daemon serves.
 * @param onEnd a signal that ends a daemon has come to the one before
 * @returns undefined if the one before goes on, or has ended
 */
export async function adopt(
  daemon: Daemon,
  server: AdoptingServer,
  onEnd: (signal: string) => void,
): Promise<{ readonly from: number } | undefined> {
  const channel = new FrameChannel<NewFrame, OldFrame>(new Socket({ fd: CHANNEL_FD }));
  try {
    const done = await takeOver(channel, daemon, server, onEnd);
    if (channel.wrong !== undefined && done === undefined) throw new Error(`what came ${channel.wrong}`);
    return done;
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
    // The one before says why it goes on, and ends this one.
    daemon.options.log.warn(error instanceof Error ? (error.stack ?? message) : message);
    channel.refuse(message);
    await channel.send({ kind: 'failed', message });
    await channel.ended(ENDED_MS);
    throw error;
  }
}

async function takeOver(
  channel: FrameChannel<NewFrame, OldFrame>,
  daemon: Daemon,
  server: AdoptingServer,
  onEnd: (signal: string) => void,
): Promise<{ readonly from: number } | undefined> {
  const { version, socketPath, log } = daemon.options;
  // Terminals that it cannot read would end.
  if (!(await daemon.parts.readers.begin()))
    throw new Error('its thread that reads terminals ended: its package is incomplete, or there is no memory');
  await channel.send({
    kind: 'hello',
    version,
    pid: process.pid,
    accepts: READ_VERSIONS,
    readsEnds: true,
    readsAhead: true,
    readsOutput: true,
  });
  const { ends } = daemon;
  // What waits to be parsed has effects, which are the one's that serves.
  daemon.parts.parsing.hold();
  daemon.options.replacing?.clock.hold();
  const before: Before = { lines: new LinesBefore(), output: new TailsBefore(OUTPUT_RING_BYTES) };
  let given = await channel.next(STATE_MS);
  for (; given !== undefined && given.kind !== 'config'; given = await channel.next(STATE_MS)) {
    if (given.kind === 'lines') before.lines.add(given.of, given.part);
    else if (given.kind === 'output') before.output.add(given.of, given);
    else if (given.kind !== 'catch_up') break;
    else {
      // The engine collects whenever its heap has grown by a part. With two million lines that takes a second: not one of the pause.
      collectGarbage();
      await channel.send({ kind: 'caught_up' });
    }
  }
  if (given?.kind !== 'config') return undefined;
  daemon.options.replacing?.clock.stand(given.atMs);
  daemon.settings.change(given.config, given.sources);
  let frame = await channel.next(STATE_MS);
  for (; frame?.kind === 'terminal'; frame = await channel.next(STATE_MS)) await thaw(daemon, frame.terminal, before);
  before.lines.dispose();
  if (frame?.kind !== 'state') return undefined;
  const state = frame;
  if (!READ_VERSIONS.includes(state.version))
    throw new Error(`t4a ${version} reads states of version ${READ_VERSIONS.join(' and ')}, not ${state.version}`);
  const { core, settings, facts, options } = daemon;
  // A held master keeps what an ended program has started from its hang-up.
  for (const fd of state.left ?? []) closeSync(fd);
  settings.change(given.config, given.sources);
  core.terminals.restore(state.names);
  core.bus.restore(state.bus);
  facts.startedAtMs = options.clock.now() - state.uptimeMs;
  facts.parsedBytesOfRemoved = state.parsedBytesOfRemoved;
  facts.replaced = state.replaced + 1;
  for (frame = await channel.next(STATE_MS); frame?.kind === 'feature'; frame = await channel.next(STATE_MS))
    await daemon.features.get(frame.name)?.thaw?.(decodeWithBlobs(frame.state) as never);
  if (frame?.kind !== 'complete') return undefined;
  await channel.send({
    kind: 'ready',
    sums: core.terminals.all().map((each) => (state.version < 3 ? sumOfBefore : sumOf)(each)),
  });
  const go = await channel.next(STATE_MS);
  if (go?.kind !== 'go') return undefined;
  ends.begin(state.stubs ?? []);
  channel.follow(
    (told) => {
      if (told.kind === 'exit') ends.tell(told.pid, told);
      else if (told.kind === 'end') onEnd(told.signal);
    },
    () => ends.askSystem(),
  );
  channel.unref();
  await server.adopt(LISTENER_FD, socketPath, state.instance);
  const from = process.ppid;
  core.bus.announce({ event: 'replaced', from, pid: process.pid, pause_ms: Math.round(go.pauseMs) });
  daemon.options.replacing?.clock.release();
  for (const terminal of core.terminals.all()) terminal.goOn();
  void daemon.resumption.of(go.brokenOff ?? 0).then(() => daemon.parts.parsing.release());
  log.info(
    `t4a ${version} (pid ${process.pid}) has taken the place of pid ${from}, with ${core.terminals.size} terminals`,
  );
  return { from };
}

type Carried = (OldFrame & { kind: 'terminal' })['terminal'];

/** Parts of terminals that came before the pause. */
interface Before {
  readonly lines: LinesBefore;
  readonly output: TailsBefore;
}

async function thaw(daemon: Daemon, carried: Carried, before: Before): Promise<void> {
  if (carried.recorded === undefined) thawProgram(daemon, carried, before);
  else {
    const { identity, screen: encoded, ahead = -1, ...frozen } = carried;
    const screen = decodeWhole(encoded, (...lines) => before.lines.take(ahead, ...lines));
    // What is in a recording is nothing new.
    const terminal = await daemon.features.get('recording')?.thawTerminal?.({ ...frozen, screen });
    if (terminal === undefined) return;
    daemon.core.terminals.add(terminal);
    identify(terminal, identity);
  }
}

function thawProgram(daemon: Daemon, carried: Carried, before: Before): void {
  const { fd, identity, screen, ahead = -1, markSeed, setup, tie, ...frozen } = carried;
  const { pid, device } = frozen;
  const seed = markSeed === undefined ? {} : { markSeed: MarkSeedFile.thaw(markSeed) };
  const terminal = new Terminal({ ...setup, shellScripts: daemon.options.shellDir, ...seed }, daemon.parts, {
    frozen: {
      ...frozen,
      setup,
      markSeed,
      screen: decodeWhole(screen, (...lines) => before.lines.take(ahead, ...lines)),
    },
    before: before.output.take(ahead),
    // What has ended does not end again.
    pty: {
      pid,
      device,
      fd,
      onReaped: (listener) => frozen.state.kind === 'running' && daemon.ends.await(pid, listener),
    },
  });
  observeTerminal(daemon, terminal, { env: setup.pty.env, isNew: false });
  daemon.core.terminals.add(terminal);
  identify(terminal, identity);
  if (tie !== undefined) tieAgain(daemon, terminal, tie);
  if (frozen.state.kind === 'exited') daemon.ended.add(terminal);
}
