/** The daemon that is to come, as the one that goes sees it. */
import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { encodeWithBlobs } from '../../base/json-blobs.js';
import { TailAhead } from '../../base/tail-ahead.js';
import type { T4aError } from '../../protocol/errors.js';
import { identityOf as identityOfTerminal } from '../../terminal/identity.js';
import type { AheadOfTerminal, FrozenTerminal } from '../../terminal/frozen-terminal.js';
import { sendSignal } from '../../terminal/system/processes.js';
import type { Terminal } from '../../terminal/terminal.js';
import { cutScrollback } from '../../vt/cut-scrollback.js';
import { LinesAhead } from '../../vt/lines-ahead.js';
import { encodeWhole } from '../../vt/whole-screen.js';
import type { Daemon } from '../daemon.js';
import { frozenTie } from '../tie.js';
import { FrameChannel } from './frame-channel.js';
import { type NewFrame, type OldFrame, STATE_VERSION, type ToldExit } from './frames.js';
import type { Masters } from './masters.js';
import { noOpenFiles, refused } from './refused.js';
import type { StubPipes } from './stub.js';

/** Milliseconds from the end of its connection to that of its process. */
const END_MS = 500;

/** Milliseconds for the start of Node on a busy machine. */
const HELLO_MS = 5000;

/** A collection of two million lines takes a second. */
const CATCH_UP_MS = 20_000;

/** Nothing is taken for so long of what goes ahead: the new one stands still. */
const STALL_MS = 5000;
const STALLED = `took nothing of its state for ${STALL_MS} ms`;

/** The first round sends all lines, the next one what came during the first. */
const ROUNDS = 2;

const SAID = 'The log of the daemon has what it said.';

/** Most that takes state and does not get ready lacks time or memory for it. */
const SMALLER = `${SAID} "t4a replace --scrollback 1000 --no-history" takes less memory and time.`;

interface Given {
  readonly instance: string;
  readonly history: boolean;
  /** Lines of each scrollback that go along; undefined for all. */
  readonly scrollback: number | undefined;
  /** End of the pause, by the clock of this process. */
  readonly endMs: number;
  readonly withinMs: number;
  /** Pids of living programs whose parent is the old process. */
  readonly own: ReadonlySet<number>;
}

export class Successor {
  readonly masters: Masters;
  readonly channel: FrameChannel<OldFrame, NewFrame>;
  readonly #child: ChildProcess;
  readonly #entry: string;
  readonly #ahead = new Map<Terminal, AheadOfTerminal>();
  #failure: string | undefined;
  /** Exit code, or the name of the signal that has ended it. */
  readonly #ended: Promise<number | string>;
  isCommitted = false;
  /** Pipes of stubs: the successor has them, too. */
  readonly pipes: StubPipes;

  /** @param entry path of the file that it runs */
  constructor(entry: string, child: ChildProcess, held: Masters, pipes: StubPipes) {
    this.#entry = entry;
    this.pipes = pipes;
    this.#child = child;
    this.masters = held;
    child.on('error', (error) => {
      this.#failure = error.message;
      this.channel?.close();
    });
    // Without descriptors there is none; all other errors follow.
    const socket = (child.stdio as ChildProcess['stdio'] | undefined)?.[3];
    if (!(socket instanceof Socket)) throw noOpenFiles();
    this.channel = new FrameChannel(socket);
    this.#ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code ?? 0)));
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
    throw await this.#failed(frame, `${this.#entry} did not start`, HELLO_MS);
  }

  /** Sends all scrollbacks and the latest output while the daemon goes on: most of the state is there before the pause. */
  async sendAhead(terminals: readonly Terminal[], hello: NewFrame & { kind: 'hello' }): Promise<void> {
    for (const terminal of terminals)
      this.#ahead.set(terminal, { lines: new LinesAhead(terminal.screen), output: new TailAhead(terminal.output) });
    const withOutput = hello.readsOutput === true;
    for (let round = 0; round < ROUNDS; round++) {
      for (const frame of this.#framesAhead(withOutput)) {
        await this.#send(frame, STALL_MS, STALLED);
        // Others have their turn.
        await setImmediate();
        if (this.channel.isOver) return;
      }
      if (withOutput && round === 0) await this.#caughtUp();
    }
  }

  /** @param late what it did not do, then @throws T4aError replace_refused if the new daemon does not take it in time */
  async #send(frame: OldFrame, withinMs: number, late: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, Math.max(0, withinMs), true)));
    try {
      if (!(await Promise.race([this.channel.send(frame), over]))) return;
    } finally {
      clearTimeout(timer);
    }
    throw refused(`the new daemon ${late}`, SMALLER);
  }

  async #caughtUp(): Promise<void> {
    await this.#send({ kind: 'catch_up' }, STALL_MS, STALLED);
    const frame = await this.channel.next(CATCH_UP_MS);
    if (frame?.kind !== 'caught_up') throw await this.#failed(frame, 'did not get ready', CATCH_UP_MS);
  }

  *#framesAhead(withOutput: boolean): Generator<OldFrame> {
    for (const [of, { lines, output }] of [...this.#ahead.values()].entries()) {
      for (const part of lines.parts()) yield { kind: 'lines', of, part };
      if (withOutput) for (const part of output.parts()) yield { kind: 'output', of, ...part };
    }
  }

  async state(
    daemon: Daemon,
    carried: readonly Terminal[],
    { instance, history, scrollback, endMs, withinMs, own }: Given,
  ): Promise<void> {
    const { core, settings, facts, options } = daemon;
    // All of one moment: no timer comes between them.
    const numbers = [...this.#ahead.keys()];
    const frozen = carried.map((terminal) => ({
      ...cut(terminal.freeze(this.#ahead.get(terminal)), scrollback),
      ...(this.#ahead.has(terminal) ? { ahead: numbers.indexOf(terminal) } : {}),
      fd: this.masters.fdOf(terminal),
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
      stubs: this.pipes.freeze(this.masters.end, [...own]),
      left: this.masters.left(carried),
    };
    const send = (frame: OldFrame): Promise<void> =>
      this.#send(frame, endMs - performance.now(), `did not take its state within ${withinMs} ms`);
    await send({ kind: 'config', config: settings.values, sources: settings.sources, atMs: options.clock.wallNow() });
    for (const { screen, ...each } of frozen)
      await send({ kind: 'terminal', terminal: { ...each, screen: encodeWhole(screen) } });
    await send(rest);
    const written = Promise.all(Array.from(daemon.features.values(), async (feature) => feature.written?.()));
    if ((await Promise.race([written, delay(endMs - performance.now(), 'late', { ref: false })])) === 'late')
      throw refused('a disk does not take what is to be written');
    for (const feature of features) await send(feature);
    await send({ kind: 'complete' });
  }

  /** @param endMs of the pause, which may last so long */
  async ready(endMs: number, withinMs: number): Promise<readonly object[]> {
    const frame = await this.channel.next(endMs - performance.now());
    if (frame?.kind === 'ready') return frame.sums;
    throw await this.#failed(frame, 'did not get ready', withinMs);
  }

  /** @param handOver of the socket's name @param brokenOff requests under way @returns tells it of an end of a program */
  commit(handOver: () => void, beganMs: number, brokenOff: number): (exit: ToldExit) => void {
    try {
      handOver();
    } catch (error) {
      throw refused(`the lock of its socket cannot be written: ${(error as Error).message}`);
    }
    this.isCommitted = true;
    this.#ahead.clear();
    this.masters.forget();
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

  async #failed(frame: NewFrame | undefined, what: string, withinMs: number): Promise<T4aError> {
    const why = frame?.kind === 'failed' ? frame.message : (this.#failure ?? (await this.#silence(withinMs)));
    return refused(`the new daemon ${what}: ${why}`, this.sentBytes > 0 ? SMALLER : SAID);
  }

  /** Why nothing came of it. */
  async #silence(withinMs: number): Promise<string> {
    if (!this.channel.isOver) return `it said nothing more within ${withinMs} ms`;
    const end = await Promise.race([this.#ended, delay(END_MS, undefined, { ref: false })]);
    if (end === undefined) return 'it lives, and said what no t4a says';
    return typeof end === 'number' ? `it ended with code ${end}` : `${end} has ended it`;
  }
}

function cut(frozen: FrozenTerminal, scrollback: number | undefined): FrozenTerminal {
  return scrollback === undefined ? frozen : { ...frozen, screen: cutScrollback(frozen.screen, scrollback) };
}
