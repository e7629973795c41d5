/**
 * The daemon that goes. It starts the other one with all masters and its listening socket as descriptors, sends it the state, and steps
 * aside once the other one has all of it. `go` is the only commit: after every failure before it this daemon goes on as it was.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { Socket } from 'node:net';
import { isAbsolute } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FrameChannel } from './frame-channel.js';
import { encodeWithBlobs } from '../../base/json-blobs.js';
import { quote, T4aError } from '../../protocol/errors.js';
import type { Params, Reply } from '../../protocol/registry.js';
import { identityOf as identityOfTerminal } from '../../terminal/identity.js';
import type { Terminal } from '../../terminal/terminal.js';
import { encodeWhole } from '../../vt/whole-screen.js';
import { sendSignal } from '../../terminal/system/processes.js';
import type { Daemon } from '../daemon.js';
import { frozenTie } from '../tie.js';
import { FIRST_MASTER_FD } from './descriptors.js';
import { type NewFrame, type OldFrame, STATE_VERSION, type ToldExit } from './frames.js';
import { stayForPrograms } from './left-process.js';
import type { Replaced, ReplacedServer } from './replaced.js';
import { sumOf } from './sum.js';

/** For the start of Node on a busy machine. */
const HELLO_MS = 5000;

/** How long what is under way may take: input, as a write does whose program does not read, and the actions of triggers. */
const UNDER_WAY_MS = 2500;
const LOOK_MS = 5;

/** Terminals are made between the start of the other one and the pause. */
const STARTS = 3;

/** For replies that are on their way to clients. */
const CLOSE_GRACE_MS = 2000;

export class Replacement {
  readonly #daemon: Daemon;
  readonly #own: Replaced;
  #isUnderWay = false;

  /** @throws T4aError replace_refused */
  constructor(daemon: Daemon) {
    const { replacing } = daemon.options;
    if (replacing === undefined) throw refused('it was not started as a process of its own');
    this.#daemon = daemon;
    this.#own = replacing;
  }

  /** @throws T4aError replace_refused, invalid_field */
  async replace(given: Params<'replace'>): Promise<Reply<'replace'>> {
    if (this.#isUnderWay) throw refused('another replacement is under way', 't4a ping');
    this.#isUnderWay = true;
    try {
      const { exec = this.#own.exec, entry = this.#own.entry } = given;
      assertProgram('exec', exec);
      assertProgram('entry', entry);
      for (let start = 0; start < STARTS; start++) {
        const done = await this.#try({ ...given, exec, entry });
        if (done !== undefined) return done;
      }
      throw refused('terminals were made and ended all the time', 'Try again.');
    } catch (error) {
      this.#daemon.options.log.warn(error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      this.#isUnderWay = false;
    }
  }

  /** @returns undefined if there were other terminals by the time of the pause */
  async #try(
    given: Params<'replace'> & { readonly exec: string; readonly entry: string },
  ): Promise<Reply<'replace'> | undefined> {
    const { terminals } = this.#daemon.core;
    await this.#isOver([], performance.now() + UNDER_WAY_MS);
    const carried = terminals.all();
    const next = this.#start(given, carried);
    try {
      const hello = await next.hello();
      if (!hello.accepts.includes(STATE_VERSION)) {
        throw refused(`t4a ${hello.version} reads no state of this version`, 'Replace it by a version in between.');
      }
      const sides = {
        from: { version: this.#daemon.options.version, pid: process.pid },
        to: { version: hello.version, pid: hello.pid },
      };
      if (given.check)
        return { ...sides, terminals: carried.length, pause_ms: 0, state_bytes: 0, history: given.history };
      return await this.#switch(next, carried, { ...sides, withinMs: given.within_ms, history: given.history });
    } finally {
      // After `go` it does nothing.
      next.giveUp();
    }
  }

  async #switch(
    next: Successor,
    carried: readonly Terminal[],
    { from, to, withinMs, history }: Pick<Reply<'replace'>, 'from' | 'to' | 'history'> & { readonly withinMs: number },
  ): Promise<Reply<'replace'> | undefined> {
    const { core, parts } = this.#daemon;
    const server = this.#own.server();
    const beganMs = performance.now();
    server.hold();
    try {
      await this.#held(carried);
      if (!isSame(carried, core.terminals.all()) || masters(carried) !== next.masters) return undefined;
      this.#own.clock.hold();
      parts.parsing.hold();
      core.bus.hold();
      await next.state(this.#daemon, carried, { instance: server.instance ?? '', history, withinMs });
      const sums = await next.ready(withinMs - (performance.now() - beganMs));
      const own = carried.map((terminal) => sumOf(terminal));
      if (JSON.stringify(sums) !== JSON.stringify(own)) throw refused('the new daemon has another state than this one');
      const tell = next.commit(() => server.handOver(to.pid), beganMs, server.counts().in_flight - 1);
      void this.#leave(server, carried, next, tell);
      return {
        from,
        to,
        terminals: carried.length,
        pause_ms: Math.round(performance.now() - beganMs),
        state_bytes: next.sentBytes,
        history,
      };
    } finally {
      if (!next.isCommitted) {
        parts.parsing.release();
        core.bus.release();
        this.#own.clock.release();
        for (const terminal of carried) terminal.goOn();
        server.release();
      }
    }
  }

  /** The reply to the request is on its way: its connection is closed behind it. */
  async #leave(
    server: ReplacedServer,
    carried: readonly Terminal[],
    next: Successor,
    tell: (exit: ToldExit) => void,
  ): Promise<void> {
    const { log } = this.#daemon.options;
    log.info(`replaced by pid ${next.pid}`);
    const left = carried.map((terminal) => {
      const { pid, alive } = terminal;
      return new Promise<void>((resolve) => {
        terminal.leave((exit) => {
          tell({ pid, ...exit });
          resolve();
        });
        if (!alive) resolve();
      });
    });
    this.#daemon.becomeIdle();
    await delay(0);
    const gone = server.leave(replaced(), CLOSE_GRACE_MS);
    await stayForPrograms(next.channel, [...left, gone], () => this.#own.exit());
  }

  /** @throws T4aError replace_refused */
  #assertPortable(): void {
    const { kept } = this;
    if (kept.length === 0) return;
    throw refused(`what does not go along did not end: ${kept.join(', ')}`, 'Try again.');
  }

  /** What is under way and does not go along, in words. */
  get kept(): readonly string[] {
    const { features } = this.#daemon;
    return [...new Set([...features.values()].flatMap((feature) => feature.keeps?.() ?? []))].toSorted();
  }

  /** @param endMs by the clock of `performance` @throws T4aError replace_refused */
  async #isOver(carried: readonly Terminal[], endMs: number): Promise<void> {
    const isBusy = (): boolean => carried.some(({ input }) => input.isBusy || input.pendingBytes > 0);
    while (isBusy() || this.kept.length > 0) {
      if (performance.now() > endMs) {
        if (isBusy()) throw refused('a program does not read the input that is sent to it', 't4a list');
        return this.#assertPortable();
      }
      await delay(LOOK_MS);
    }
  }

  /**
   * Resolves once nothing is under way that does not go along, and no output is read any more.
   * @throws T4aError replace_refused
   */
  async #held(carried: readonly Terminal[]): Promise<void> {
    const endMs = performance.now() + UNDER_WAY_MS;
    for (;;) {
      await this.#isOver(carried, endMs);
      const held = await Promise.all(carried.map((terminal) => terminal.hold()));
      if (held.includes(false)) throw refused('a terminal is being ended', 'Try again.');
      // What has been read has its effects here: waits that count only what is new see it.
      const parsed = Promise.all(carried.map((terminal) => terminal.settle()));
      await Promise.race([parsed, delay(Math.max(0, endMs - performance.now()), undefined, { ref: false })]);
      for (const feature of this.#daemon.features.values()) feature.settle?.();
      // The last output may have begun something.
      if (this.kept.length === 0 || performance.now() > endMs) return this.#assertPortable();
      for (const terminal of carried) terminal.goOn();
    }
  }

  #start({ exec, entry }: { exec: string; entry: string }, carried: readonly Terminal[]): Successor {
    const { listenerFd } = this.#own.server();
    if (listenerFd === undefined) throw refused('this system does not give a socket to another process');
    const { env, socketPath } = this.#daemon.options;
    const fds = carried.flatMap(({ master }) => master ?? []);
    let child: ChildProcess;
    try {
      child = spawn(exec, [entry, '--adopt', String(fds.length), '--socket', socketPath, ...this.#own.args], {
        detached: true,
        stdio: ['ignore', 'ignore', 'inherit', 'pipe', listenerFd, ...fds],
        env,
      });
    } catch (error) {
      throw refused(`the new daemon cannot be started: ${(error as Error).message}`);
    }
    return new Successor(child, masters(carried));
  }
}

class Successor {
  readonly masters: string;
  readonly channel: FrameChannel<OldFrame, NewFrame>;
  readonly #child: ChildProcess;
  #failure: string | undefined;
  isCommitted = false;

  constructor(child: ChildProcess, held: string) {
    this.#child = child;
    this.masters = held;
    child.on('error', (error) => {
      this.#failure = error.message;
      this.channel?.close();
    });
    // Without descriptors or memory for a process there is none, and its error follows.
    const socket = (child.stdio as ChildProcess['stdio'] | undefined)?.[3];
    if (!(socket instanceof Socket)) throw refused('the system has no room for the new daemon', 't4a stats');
    this.channel = new FrameChannel(socket);
    child.unref();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get sentBytes(): number {
    return this.channel.sentBytes;
  }

  async hello(): Promise<NewFrame & { kind: 'hello' }> {
    const frame = await this.channel.next(HELLO_MS);
    if (frame?.kind === 'hello') return frame;
    throw this.#failed(frame, 'did not start');
  }

  async state(
    daemon: Daemon,
    carried: readonly Terminal[],
    {
      instance,
      history,
      withinMs,
    }: { readonly instance: string; readonly history: boolean; readonly withinMs: number },
  ): Promise<void> {
    const { core, settings, facts, options } = daemon;
    let fd = FIRST_MASTER_FD;
    // All of one moment: no timer comes between them.
    const frozen = carried.map((terminal) => ({
      ...terminal.freeze(),
      fd: terminal.master === undefined ? undefined : fd++,
      identity: identityOfTerminal(terminal),
      tie: frozenTie(daemon, terminal),
    }));
    const features = [...daemon.features].flatMap(([name, feature]) => {
      const state = name === 'past' && !history ? undefined : feature.freeze?.();
      return state === undefined ? [] : [{ kind: 'feature', name, state: encodeWithBlobs(state) } as const];
    });
    const rest: OldFrame = {
      kind: 'state',
      version: STATE_VERSION,
      instance,
      names: core.terminals.freeze(),
      bus: core.bus.freeze(),
      uptimeMs: options.clock.now() - facts.startedAtMs,
      parsedBytesOfRemoved: facts.parsedBytesOfRemoved,
      replaced: facts.replaced,
    };
    await this.channel.send({ kind: 'config', config: settings.values, sources: settings.sources });
    for (const { screen, ...each } of frozen)
      await this.channel.send({ kind: 'terminal', terminal: { ...each, screen: encodeWhole(screen) } });
    await this.channel.send(rest);
    const written = Promise.all(Array.from(daemon.features.values(), async (feature) => feature.written?.()));
    if ((await Promise.race([written, delay(withinMs, 'late', { ref: false })])) === 'late')
      throw refused('a disk does not take what is to be written');
    for (const feature of features) await this.channel.send(feature);
    await this.channel.send({ kind: 'complete' });
  }

  async ready(withinMs: number): Promise<readonly object[]> {
    const frame = await this.channel.next(withinMs);
    if (frame?.kind === 'ready') return frame.sums;
    throw this.#failed(frame, 'did not get ready');
  }

  /** @param handOver of the socket's name @param brokenOff requests under way @returns tells it of an end of a program */
  commit(handOver: () => void, beganMs: number, brokenOff: number): (exit: ToldExit) => void {
    handOver();
    this.isCommitted = true;
    void this.channel.send({ kind: 'go', pauseMs: performance.now() - beganMs, brokenOff });
    return (exit) => void this.channel.send({ kind: 'exit', ...exit });
  }

  /** Ends it, unless it has taken over. */
  giveUp(): void {
    if (this.isCommitted) return;
    this.channel.close();
    // What it has started, too: it leads a session of its own.
    if (this.pid === undefined || sendSignal(-this.pid, 'SIGKILL') !== 'sent') this.#child.kill('SIGKILL');
  }

  #failed(frame: NewFrame | undefined, what: string): T4aError {
    const why = frame?.kind === 'failed' ? frame.message : this.#failure;
    return refused(
      `the new daemon ${what}${why === undefined ? '' : `: ${why}`}`,
      'The log of the daemon has what it said.',
    );
  }
}

function masters(terminals: readonly Terminal[]): string {
  return terminals.map(({ id, master }) => `${id} ${master ?? '-'}`).join('\n');
}

function isSame(some: readonly Terminal[], others: readonly Terminal[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}

/** @throws T4aError invalid_field */
function assertProgram(field: string, path: string): void {
  const wrong = (why: string): T4aError =>
    new T4aError('invalid_field', `"${field}" is ${quote(path)}: ${why}.`, { field, hint: 't4a replace --help' });
  if (!isAbsolute(path)) throw wrong('expected an absolute path');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) throw wrong('there is no such file');
  if (stat.uid !== process.getuid?.() && stat.uid !== 0) throw wrong("it is another user's");
  if ((stat.mode & 0o022) !== 0) throw wrong('others may write it');
}

function refused(why: string, hint?: string): T4aError {
  return new T4aError('replace_refused', `The daemon was not replaced: ${why}.`, hint === undefined ? {} : { hint });
}

function replaced(): T4aError {
  return new T4aError('replaced', 'Another daemon has taken the place of this one, with the same terminals.', {
    hint: 'Ask again on a new connection.',
  });
}
