/**
 * The daemon that goes. It starts the other one with all masters and its listening socket as descriptors, sends it the state, and steps
 * aside once the other one has all of it. `go` is the only commit: after every failure before it this daemon goes on as it was.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf } from '../../base/errno.js';
import { quote, T4aError } from '../../protocol/errors.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { PtyExit } from '../../terminal/pty/pty.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { Daemon } from '../daemon.js';
import { STATE_VERSION, type TerminalSum, type ToldExit } from './frames.js';
import { type Left, passOnSignals, stayForPrograms } from './left-process.js';
import type { Replaced, ReplacedServer } from './replaced.js';
import { isMainProcess, StubPipes } from './stub.js';
import { Masters } from './masters.js';
import { assertMemoryRoom, memoryOfSystem } from './memory-room.js';
import { noOpenFiles, refused } from './refused.js';
import { Successor } from './successor.js';
import { leftLines, sumOf } from './sum.js';

/** Milliseconds for what is under way: input, as a write does whose program does not read, and the actions of triggers. */
const UNDER_WAY_MS = 2500;
const LOOK_MS = 5;

/** Terminals are made between the start of the other one and the pause. In the last start none is: requests wait from its begin on. */
const STARTS = 3;

/** Group and others (inode(7)). */
const OTHERS_WRITE = 0o022;

/** Terminals in an error. */
const MOST_NAMED = 5;

/** Milliseconds for replies that are on their way to clients. */
const CLOSE_GRACE_MS = 2000;

export class Replacement {
  readonly #daemon: Daemon;
  readonly #own: Replaced;
  #isUnderWay = false;
  /** Descriptor that the successor has got. */
  #listenerFd: number | undefined;

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
        const done = await this.#try({ ...given, exec, entry }, start === STARTS - 1);
        if (done !== undefined) return done;
      }
      throw refused('terminals were made, or its socket was deleted, all the time', 'Try again.');
    } catch (error) {
      this.#daemon.options.log.warn(error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      this.#isUnderWay = false;
    }
  }

  /** @returns undefined if there were other terminals by the time of the pause, or another socket */
  async #try(
    given: Params<'replace'> & { readonly exec: string; readonly entry: string },
    isLast: boolean,
  ): Promise<Reply<'replace'> | undefined> {
    const { terminals } = this.#daemon.core;
    this.#assertStaying();
    // Who leaves a part behind has no figure of what the rest takes.
    if (given.history && given.scrollback === undefined)
      assertMemoryRoom(this.#daemon.resources.memory().rss, memoryOfSystem());
    await this.#isOver([], performance.now() + UNDER_WAY_MS);
    const server = this.#own.server();
    if (isLast) server.hold();
    const carried = terminals.all();
    const pipes = await StubPipes.open(this.#daemon.ends.stubs, this.#daemon.options.env);
    let next: Successor | undefined;
    try {
      next = this.#start(given, carried, pipes);
      const hello = await this.#unlessShutDown(next.hello());
      if (!hello.accepts.includes(STATE_VERSION)) {
        throw refused(`t4a ${hello.version} reads no state of this version`, 'Replace it by a version in between.');
      }
      if (hello.readsEnds !== true) pipes.dropOwn();
      const sides = {
        exits: pipes.own === undefined ? ('waiter' as const) : ('stub' as const),
        from: { version: this.#daemon.options.version, pid: process.pid },
        to: { version: hello.version, pid: hello.pid },
      };
      if (given.check)
        return { ...sides, terminals: carried.length, pause_ms: 0, state_bytes: 0, history: given.history };
      const { within_ms: withinMs, history, scrollback } = given;
      if (hello.readsAhead === true && scrollback === undefined)
        await this.#unlessShutDown(next.sendAhead(carried, hello));
      return await this.#switch(next, carried, { ...sides, withinMs, history, scrollback });
    } finally {
      // After `go` it does nothing.
      next?.giveUp();
      if (next?.isCommitted !== true) pipes.dropOwn();
      if (next?.isCommitted !== true && isLast) server.release();
    }
  }

  async #switch(
    next: Successor,
    before: readonly Terminal[],
    {
      from,
      to,
      withinMs,
      history,
      scrollback,
      exits,
    }: Pick<Reply<'replace'>, 'from' | 'to' | 'history' | 'exits'> & {
      readonly withinMs: number;
      readonly scrollback: number | undefined;
    },
  ): Promise<Reply<'replace'> | undefined> {
    const { core, parts } = this.#daemon;
    const server = this.#own.server();
    const beganMs = performance.now();
    server.hold();
    let carried = before;
    try {
      await this.#held(before);
      carried = core.terminals.all();
      // Those that have ended or gone since leave their descriptors behind.
      if (!carried.every((terminal) => before.includes(terminal) && next.masters.has(terminal))) return undefined;
      this.#own.clock.hold();
      this.#own.clock.stand();
      parts.parsing.hold();
      core.bus.hold();
      const own = this.#ownPrograms(carried);
      await next.state(this.#daemon, carried, {
        instance: server.instance ?? '',
        history,
        scrollback,
        endMs: beganMs + withinMs,
        withinMs,
        own,
      });
      // The other one works on the state at the same time.
      const expected = carried.map((terminal) => sumOf(terminal, scrollback));
      const sums = await next.ready(beganMs + withinMs, withinMs);
      const left = carried.map(({ screen }) => (scrollback === undefined ? 0 : leftLines(screen, scrollback)));
      assertSame(sums, expected);
      this.#assertStaying();
      // Deleted meanwhile, the socket was made anew.
      if (server.listenerFd !== this.#listenerFd) return undefined;
      const tell = next.commit(() => server.handOver(to.pid), beganMs, server.counts().in_flight - 1);
      void this.#leave(server, carried, next, tell);
      return {
        from,
        to,
        terminals: carried.length,
        pause_ms: Math.round(performance.now() - beganMs),
        state_bytes: next.sentBytes,
        history,
        ...(scrollback === undefined ? {} : { left_lines: left.reduce((sum, lines) => sum + lines, 0) }),
        exits,
      };
    } finally {
      if (!next.isCommitted) {
        parts.parsing.release();
        core.bus.release();
        this.#own.clock.release();
        for (const terminal of before) terminal.goOn();
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
    passOnSignals(next.channel);
    log.info(`replaced by pid ${next.pid}`);
    const left = this.#left(carried, next, tell);
    this.#daemon.becomeIdle();
    await delay(0);
    const connections = server.leave(replaced(), CLOSE_GRACE_MS);
    await stayForPrograms(next.channel, { ...left, connections }, () => this.#own.exit());
  }

  /** Nothing of it holds a terminal: this process may wait for long. */
  #left(carried: readonly Terminal[], next: Successor, tell: (exit: ToldExit) => void): Omit<Left, 'connections'> {
    const living = this.#ownPrograms(carried);
    const programs = carried.map((terminal) => {
      const end = endOf(terminal.pid, living, tell);
      terminal.leave(end.listener);
      return terminal.alive ? end.told : Promise.resolve();
    });
    const own = next.pipes.own;
    const stub = own === undefined ? undefined : { ...own, from: this.#daemon.ends.untilNotTold() };
    return {
      programs,
      living,
      stub,
      stays: isMainProcess(this.#daemon.options.env),
      forget: () => this.#daemon.forget(),
    };
  }

  /** Pids of those that live, and whose parent this process is. */
  #ownPrograms(carried: readonly Terminal[]): Set<number> {
    const { ends } = this.#daemon;
    return new Set(carried.flatMap(({ pid, alive }) => (alive && !ends.isAwaiting(pid) ? pid : [])));
  }

  /** @throws T4aError replace_refused */
  #assertStaying(): void {
    if (this.#daemon.isShuttingDown) throw refused('it is shutting down', 'The next command starts a new one.');
  }

  /** A shutdown does not wait for a new daemon that is slow to start. @throws T4aError replace_refused */
  async #unlessShutDown<T>(step: Promise<T>): Promise<T> {
    let isOver = false;
    const watched = async (): Promise<never> => {
      for (; !isOver; await delay(LOOK_MS)) this.#assertStaying();
      throw new Error('The step is over.');
    };
    const watching = watched();
    watching.catch(() => {});
    try {
      return await Promise.race([step, watching]);
    } finally {
      isOver = true;
    }
  }

  /** @throws T4aError replace_refused */
  #assertPortable(): void {
    const { kept } = this;
    if (kept.length === 0) return;
    throw refused(`what does not go along did not end: ${kept.join(', ')}`, 'Try again.');
  }

  /** Words for what is under way and does not go along. */
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

  #start({ exec, entry }: { exec: string; entry: string }, carried: readonly Terminal[], pipes: StubPipes): Successor {
    const { listenerFd } = this.#own.server();
    this.#listenerFd = listenerFd;
    if (listenerFd === undefined) throw refused('this system does not give a socket to another process');
    const { env, socketPath } = this.#daemon.options;
    const fds = [...carried.flatMap(({ master }) => master ?? []), ...pipes.fds];
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
    return new Successor(entry, child, new Masters(carried), pipes);
  }
}

interface AwaitedEnd {
  readonly listener: (exit: PtyExit) => void;
  readonly told: Promise<void>;
}

function endOf(pid: number, living: Set<number>, tell: (exit: ToldExit) => void): AwaitedEnd {
  let resolve: (() => void) | undefined;
  const told = new Promise<void>((done) => (resolve = done));
  const listener = (exit: PtyExit): void => {
    tell({ pid, ...exit });
    living.delete(pid);
    resolve?.();
  };
  return { listener, told };
}

/** @param sums of the new daemon @throws T4aError replace_refused */
function assertSame(sums: readonly object[], expected: readonly TerminalSum[]): void {
  const { length } = expected;
  if (sums.length !== length)
    throw refused(`the new daemon has another state than this one: ${sums.length} terminals, not ${length}`);
  const wrong = expected.flatMap((own, at) => {
    const other = sums[at] as Readonly<Record<string, unknown>>;
    const fields = Object.entries(own).flatMap(([field, value]) => (other[field] === value ? [] : field));
    return fields.length === 0 ? [] : `${quote(own.id)} (${fields.join(', ')})`;
  });
  if (wrong.length === 0) return;
  const named =
    wrong.length > MOST_NAMED ? [...wrong.slice(0, MOST_NAMED), `${wrong.length - MOST_NAMED} more`] : wrong;
  throw refused(`the new daemon has another state than this one of ${named.join(', ')}`);
}

/** @throws T4aError invalid_field */
function assertProgram(field: string, path: string): void {
  const wrong = (why: string): T4aError =>
    new T4aError('invalid_field', `"${field}" is ${quote(path)}: ${why}.`, { field, hint: 't4a replace --help' });
  if (!isAbsolute(path)) throw wrong('expected an absolute path');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw wrong('there is no such file');
  if (!stat.isFile()) throw wrong('it is no file');
  if (stat.uid !== process.getuid?.() && stat.uid !== 0) throw wrong("it is another user's");
  if ((stat.mode & OTHERS_WRITE) !== 0) throw wrong('others may write it');
  if (field !== 'entry') return;
  // The entry starts what is beside it.
  const folder = dirname(path);
  for (const each of [folder, ...namesIn(folder).map((name) => join(folder, name))]) {
    if (((statSync(each, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS_WRITE) !== 0)
      throw wrong(`others may write ${quote(each)}`);
  }
}

/** @throws T4aError replace_refused without room for another open file */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['EMFILE', 'ENFILE'].includes(errnoOf(error) ?? '')) throw noOpenFiles();
    throw error;
  }
}

function replaced(): T4aError {
  return new T4aError('replaced', 'Another daemon has taken the place of this one, with the same terminals.', {
    hint: 'Ask again on a new connection.',
  });
}
