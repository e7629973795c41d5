/**
 * The logs of all terminals, within bounds for each and for all of them. Chunks are packed on the thread pool; while it is behind,
 * they stay as they are and go sooner: output never waits for them.
 */
import { onwardTime } from '../../base/onward-time.js';
import type { Clock } from '../../base/clock.js';
import type { TerminalEvent } from '../../protocol/events.js';
import type { Config } from '../../protocol/commands/config.js';
import type { LogChunk } from '../../history/log-chunk.js';
import { FULL_CHUNK_BYTES } from '../../history/log-entries.js';
import { type FrozenTerminalLog, TerminalLog } from '../../history/terminal-log.js';
import { setLog } from './log-of.js';
import { forgetUnpacked, pack, packAtOnce, packTogether } from './packer.js';
import { PastScreens } from './past-screens.js';
import type { TerminalObserver } from '../../terminal/feed.js';
import type { Terminal } from '../../terminal/terminal.js';

export type HistoryLimits = Pick<Config, 'history_bytes' | 'history_total_bytes'>;

export interface HistoriesOptions {
  readonly clock: Clock;
  readonly limits: () => HistoryLimits;
  /** Bytes that the daemon may take. */
  readonly memoryLimit: () => number;
}

/** Share of the daemon's memory that all logs may take. */
const MEMORY_SHARE = 1 / 8;

/** Share of a log that its open chunk may take, at most. */
const OPEN_SHARE = 1 / 8;

/** A keyframe of up to 100x50 cells takes 60 µs at most; waking a thread of the pool takes 100. */
const SMALL_BYTES = 64 * 1024;

interface Unpacked {
  readonly log: TerminalLog;
  readonly chunk: LogChunk;
}

export type FrozenHistories = ReadonlyMap<string, FrozenTerminalLog>;

export class Histories {
  readonly #options: HistoriesOptions;
  readonly #now: () => number;
  readonly #logs = new Map<Terminal, TerminalLog>();
  readonly #screens = new PastScreens();
  /** Each is in its log, which counts and bounds it. */
  #unpacked: Unpacked[] = [];
  /** One piece at a time: the thread pool has four threads, which others need too. */
  #isPacking = false;
  /** Chunks since the last look at those that wait. */
  #hasDropped = false;

  constructor(options: HistoriesOptions) {
    this.#options = options;
    this.#now = onwardTime(options.clock);
  }

  /** Undefined for a terminal without a history. */
  of(terminal: Terminal): TerminalLog | undefined {
    return this.#logs.get(terminal);
  }

  get heldBytes(): number {
    let bytes = 0;
    for (const log of this.#logs.values()) bytes += log.heldBytes;
    return bytes;
  }

  /** Of a terminal that has printed before, from now on. */
  observe(terminal: Terminal, now: () => number = this.#now): TerminalObserver {
    if (this.#options.limits().history_bytes === 0) return {};
    const { screen } = terminal;
    const seq = terminal.lastSeq;
    const offset = terminal.output.total - screen.pendingBytes;
    const log: TerminalLog = new TerminalLog({
      screen,
      now,
      seq,
      offset,
      onUnpacked: (chunk) => this.#onUnpacked({ log, chunk }),
    });
    this.#logs.set(terminal, log);
    const { commands } = terminal.detectors.shell;
    terminal.memory.countHistory(() => log.heldBytes);
    setLog(terminal, { log, screens: this.#screens, now, commandNumber: (n) => commands.find(n)?.n });
    let isResize = false;
    return {
      onSlice: (slice) => {
        isResize = slice.kind === 'resize';
        if (slice.kind === 'output') log.output(slice.bytes, terminal.output.total - screen.pendingBytes);
      },
      onParsed: ({ changed }) => {
        if (isResize) log.resized();
        else log.parsed(changed, screen.synchronizedOutput);
      },
      onInput: () => log.input(),
      onEvent: (event) => this.#onEvent(terminal, log, event),
    };
  }

  /** Another daemon goes on with them. */
  leave(): void {
    for (const log of this.#logs.values()) this.#screens.drop(log);
    this.#logs.clear();
    this.#unpacked = [];
  }

  /** By the id of the terminal. */
  freeze(): FrozenHistories {
    return new Map(Array.from(this.#logs, ([{ id }, log]) => [id, log.freeze()] as const));
  }

  restore(histories: FrozenHistories): void {
    for (const [{ id }, log] of this.#logs) {
      const frozen = histories.get(id);
      if (frozen !== undefined) log.restore(frozen);
    }
  }

  /** Screens of the past that are kept. */
  get keptScreens(): number {
    return this.#screens.size;
  }

  /** Chunks that are not packed yet, beside one that is being packed. */
  get waitingChunks(): number {
    return this.#unpacked.length;
  }

  /** Gives back half of what the logs hold, and all screens of the past. */
  halve(): void {
    this.#screens.clear();
    forgetUnpacked();
    this.#keepWithin(this.heldBytes / 2);
    this.#releaseDropped();
  }

  #onEvent(terminal: Terminal, log: TerminalLog, published: TerminalEvent): void {
    const { event, seq } = published;
    const { commands } = terminal.detectors.shell;
    if (event === 'command_started') log.event(seq, 'started', commands.last?.n);
    else if (event === 'command_done') log.event(seq, 'ended', commands.lastEnded?.n);
    else log.event(seq);
    if (event === 'idle') log.trim();
    if (published.event === 'marker') log.marker(published.label);
    if (event !== 'removed') return;
    log.clear();
    this.#hasDropped = true;
    this.#releaseDropped();
    forgetUnpacked();
    this.#screens.drop(log);
    this.#logs.delete(terminal);
  }

  #onUnpacked(unpacked: Unpacked): void {
    this.#unpacked.push(unpacked);
    this.#bound(unpacked.log);
    this.#releaseDropped();
    void this.#pack();
  }

  /** What was dropped before it was packed would be held for as long as packing is behind. */
  #releaseDropped(): void {
    if (!this.#hasDropped) return;
    this.#hasDropped = false;
    this.#unpacked = this.#unpacked.filter(({ log, chunk }) => log.chunks.includes(chunk));
  }

  #bound(log: TerminalLog): void {
    const { history_bytes: most, history_total_bytes: mostOfAll } = this.#options.limits();
    // What it begins now grows until it is full.
    const room = Math.min(FULL_CHUNK_BYTES, most * OPEN_SHARE);
    while (log.heldBytes > most - room && log.dropOldest()) this.#hasDropped = true;
    this.#keepWithin(Math.min(mostOfAll, this.#options.memoryLimit() * MEMORY_SHARE));
  }

  /** The log that holds most loses its oldest chunk, until all are within the bound. */
  #keepWithin(bytes: number): void {
    let left = this.heldBytes;
    if (left <= bytes) return;
    const logs = [...this.#logs.values()].map((log) => ({ log, bytes: log.heldBytes }));
    while (left > bytes) {
      const largest = logs.reduce((a, b) => (b.bytes > a.bytes ? b : a));
      const hasDropped = largest.log.dropOldest();
      this.#hasDropped ||= hasDropped;
      const freed = hasDropped ? largest.bytes - largest.log.heldBytes : 0;
      // Only open chunks are left of it.
      largest.bytes = freed === 0 ? 0 : largest.bytes - freed;
      left -= freed;
      if (logs.every((each) => each.bytes === 0)) return;
    }
  }

  async #pack(): Promise<void> {
    if (this.#isPacking) return;
    this.#isPacking = true;
    for (let next = this.#unpacked.shift(); next !== undefined; next = this.#unpacked.shift()) {
      const { log, chunk } = next;
      // It may be gone before its turn.
      if (!log.chunks.includes(chunk)) continue;
      const { keyframe, whole } = chunk.unpacked;
      // What cannot be packed stays as it is.
      if (keyframe !== undefined) log.packed(chunk, { keyframe: await packedKeyframe(keyframe) });
      if (whole !== undefined) log.packed(chunk, { whole: await pack(whole) });
      this.#bound(log);
    }
    this.#isPacking = false;
  }
}

function packedKeyframe(pieces: readonly Uint8Array[]): Uint8Array | Promise<Uint8Array | undefined> {
  const [first] = pieces;
  if (first === undefined || pieces.length > 1) return packTogether(pieces);
  return first.length <= SMALL_BYTES ? packAtOnce(first) : pack(first);
}
