/**
 * Keeps one terminal in a folder of its own: `session.json`, and the ledger, all output of its program byte for byte. Entries of rules are
 * a file beside them, which the rules write. The terminal never waits: while the disk is too slow, output is left out, and a gap and
 * a repaint of the screen follow in the ledger.
 */
import { promises } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../base/clock.js';
import { errnoOf } from '../../base/errno.js';
import { makeFolderLater } from '../../base/make-folder.js';
import { whyUnsafe } from '../../base/ownership.js';
import type { TerminalEvent } from '../../protocol/events.js';
import { LEDGER_FILE } from '../../history/recording/read-recording.js';
import { repaint } from '../../vt/repaint.js';
import type { Screen } from '../../vt/screen.js';
import type { ScreenSlice } from '../../vt/screen-events.js';
import type { TerminalObserver } from '../../terminal/feed.js';
import { SESSION_VERSION } from '../past/persisted.js';
import { FileWriter } from '../recording/file-writer.js';
import { exitStatus, type RecordingLimits } from '../recording/recorder.js';
import type { CastEvent } from '../recording/writer-messages.js';
import type { Writers } from '../recording/writers.js';
import { type Session, SessionFile } from './session-file.js';

/** The part of a terminal that is kept. */
export interface KeptSource {
  readonly id: string;
  readonly title: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly generation: number;
  readonly screen: Screen;
}

export interface KeptOptions {
  /** The owner's folder; that of the terminal is made in it. */
  readonly root: string;
  readonly version: string;
  readonly clock: Clock;
  readonly writers: Writers;
  readonly limits: RecordingLimits;
  /** For the operator. */
  readonly warn: (message: string) => void;
  /** Of another process, whose folder it goes on with. */
  readonly frozen?: FrozenKept | undefined;
}

export interface FrozenKept {
  readonly folder: string;
  readonly startedAtMs: number;
  readonly size: { readonly cols: number; readonly rows: number };
  /** Time of day of these ages. */
  readonly wallMs: number;
  readonly startAgoMs: number;
  /** Of its ledger; undefined if that has ended. */
  readonly file: { readonly inode: number; readonly lastAgoMs: number; readonly size: number } | undefined;
  readonly counts: Counts;
  readonly isWarned: boolean;
  readonly cut: string | undefined;
  readonly end: Pick<Session, 'ended_at' | 'exit'>;
}

/** Bytes. */
interface Counts {
  /** Of the program. */
  arrived: number;
  kept: number;
  missing: number;
  /** To come, that are none of the program's: a reset of the screen before it starts again. */
  foreign: number;
}

export class KeptTerminal {
  readonly folder: string;
  /** The folder is there; rejects with the system's error. */
  readonly prepared: Promise<void>;
  /** Resolves once all files are closed, whatever ended them. */
  readonly closed: Promise<void>;
  readonly observer: TerminalObserver;
  readonly #terminal: KeptSource;
  readonly #size: { readonly cols: number; readonly rows: number };
  readonly #options: KeptOptions;
  readonly #file: FileWriter;
  readonly #session: SessionFile;
  readonly #startedAtMs: number;
  readonly #startMs: number;
  readonly #counts: Counts;
  #hasFolder = false;
  #isWarned = false;
  #isClosed = false;
  #cut: string | undefined;
  #end: Pick<Session, 'ended_at' | 'exit'> = { ended_at: null, exit: null };

  /** Call it before the terminal has printed anything. */
  constructor(terminal: KeptSource, options: KeptOptions) {
    const { root, version, clock, writers, limits, frozen } = options;
    this.#terminal = terminal;
    this.#options = options;
    this.#startedAtMs = frozen?.startedAtMs ?? clock.wallNow();
    // Both processes have clocks of their own; the time of day is the same.
    const sinceMs = frozen === undefined ? 0 : Math.max(0, clock.wallNow() - frozen.wallMs);
    const startMs = clock.now() - sinceMs - (frozen?.startAgoMs ?? 0);
    this.#startMs = startMs;
    this.#counts = { ...(frozen?.counts ?? { arrived: 0, kept: 0, missing: 0, foreign: 0 }) };
    this.#isWarned = frozen?.isWarned === true;
    this.#cut = frozen?.cut;
    this.#end = frozen?.end ?? this.#end;
    this.folder = frozen?.folder ?? path.join(root, folderName(this.#startedAtMs, terminal.id));
    this.prepared = frozen === undefined ? prepare(root, this.folder) : Promise.resolve();
    this.#hasFolder = frozen !== undefined;
    const { cols, rows, rev } = terminal.screen;
    this.#size = frozen?.size ?? { cols, rows };
    const resumed = frozen?.file && {
      inode: frozen.file.inode,
      lastMs: clock.now() - sinceMs - frozen.file.lastAgoMs,
      size: frozen.file.size,
    };
    const session = { startedAtMs: this.#startedAtMs, commandLine: terminal.command };
    const header = { ...this.#size, ...session, t4a: { terminal: terminal.id, rev, version } };
    const { maxBytes, minFreeBytes, maxPendingBytes } = limits;
    const ledger = path.join(this.folder, LEDGER_FILE);
    const facts = { form: 'ledger' as const, path: ledger, maxBytes, minFreeBytes, header, startMs, resumed };
    const prepared = frozen === undefined ? this.prepared : ended(frozen);
    const onGap = (): void => this.#warn('has a gap: its disk is too slow');
    const afterGap = (): Omit<CastEvent, 'ms'>[] => this.#afterGap();
    this.#file = new FileWriter({ writers, facts, maxPendingBytes, prepared, clock, onGap, afterGap });
    this.#session = new SessionFile(this.folder, (error) =>
      this.#warn(`"session.json" cannot be written: ${why(error)}`),
    );
    this.closed = this.#file.closed.then((error) => this.#fileClosed(error));
    this.prepared.then(
      () => {
        this.#hasFolder = true;
        this.#describe();
      },
      () => {},
    );
    this.observer = {
      onBytes: (bytes) => void (this.#counts.arrived += bytes.length),
      onSlice: (slice) => this.#onSlice(slice),
      onEvent: (event) => this.#onEvent(event),
    };
  }

  /** Whether another process can go on with it now; no: it begins or ends. */
  get isPortable(): boolean {
    return this.#file.isPortable || this.#isClosed;
  }

  /** A gap ends: the other process need not know of it. */
  settle(): void {
    this.#file.heal();
  }

  freeze(): FrozenKept {
    const { clock } = this.#options;
    const nowMs = clock.now();
    const file = this.#file.isPortable ? this.#file.freeze() : undefined;
    return {
      folder: this.folder,
      startedAtMs: this.#startedAtMs,
      size: this.#size,
      wallMs: clock.wallNow(),
      startAgoMs: nowMs - this.#startMs,
      file: file && { inode: file.inode, lastAgoMs: nowMs - file.lastMs, size: file.size },
      counts: { ...this.#counts },
      isWarned: this.#isWarned,
      cut: this.#cut,
      end: this.#end,
    };
  }

  /** Resolves once all that came is in the files, where another process can go on. */
  async settled(): Promise<void> {
    await this.#file.settled();
    await this.#session.written();
  }

  look(isLast: boolean): void {
    this.#put('look', isLast ? 'last' : '');
  }

  /** Resolves once all that came is on the disk. */
  async finish(): Promise<void> {
    await this.#file.finish();
    await this.closed;
    await this.#session.written();
  }

  #onSlice(slice: ScreenSlice): void {
    if (slice.kind === 'resize') return this.#put('r', `${slice.cols}x${slice.rows}`);
    const foreign = slice.bytes.subarray(0, this.#counts.foreign);
    const own = slice.bytes.subarray(foreign.length);
    this.#counts.foreign -= foreign.length;
    if (foreign.length > 0) this.#put('repaint', foreign);
    if (own.length > 0) this.#put('o', own);
  }

  #onEvent(event: TerminalEvent): void {
    if (event.event === 'marker') this.#put('m', event.label);
    if (event.event === 'exit') {
      const { code, signal } = event;
      this.#file.heal();
      // What came while the terminal was being ended, and was not parsed any more.
      this.#gap(this.#counts.arrived - this.#counts.kept - this.#counts.missing);
      this.#put('x', String(exitStatus(event)));
      this.#end = { ended_at: Math.round(this.#options.clock.wallNow()), exit: { code, signal } };
      this.#describe();
    }
    if (event.event === 'restarted') {
      this.#counts.foreign = this.#terminal.screen.pendingBytes;
      this.#end = { ended_at: null, exit: null };
      this.#describe();
    }
    if (event.event === 'removed') void this.finish();
  }

  #put(code: CastEvent['code'], payload: string | Uint8Array): void {
    const isKept = this.#file.put(code, payload);
    if (code !== 'o') return;
    if (isKept) this.#counts.kept += payload.length;
    else if (!this.#file.isOver) this.#counts.missing += payload.length;
  }

  #gap(bytes: number): void {
    if (bytes <= 0 || this.#file.isOver) return;
    this.#counts.missing += bytes;
    this.#file.append('gap', JSON.stringify({ bytes }));
  }

  #afterGap(): Omit<CastEvent, 'ms'>[] {
    const { screen } = this.#terminal;
    this.#describe();
    return [
      { code: 'gap', text: JSON.stringify({ bytes: this.#counts.missing }) },
      { code: 'r', text: `${screen.cols}x${screen.rows}` },
      { code: 'repaint', text: repaint(screen) },
    ];
  }

  async #fileClosed(failure: Error | undefined): Promise<void> {
    this.#isClosed = true;
    if (failure !== undefined) {
      this.#cut ??= why(failure);
      this.#warn(`is kept no further: ${this.#cut}`);
    }
    this.#describe();
    await this.#session.written();
  }

  #describe(): void {
    if (!this.#hasFolder) return;
    const { id, title, command, cwd, generation } = this.#terminal;
    this.#session.write({
      version: SESSION_VERSION,
      t4a: this.#options.version,
      id,
      title,
      command,
      cwd,
      ...this.#size,
      generation,
      started_at: Math.round(this.#startedAtMs),
      ...this.#end,
      ledger: { bytes: this.#counts.kept, missing_bytes: this.#counts.missing, cut: this.#cut ?? null },
    });
  }

  /** Once: what follows has the same reason. */
  #warn(message: string): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    this.#options.warn(`Terminal "${this.#terminal.id}" in ${this.folder} ${message}.`);
  }
}

/** By time first, so that names are in the order of their starts. The pid shows readers which daemon may still write. */
function folderName(wallMs: number, id: string): string {
  return `${new Date(wallMs).toISOString().replaceAll(/[:.]/g, '-')}-${id}-${process.pid}`;
}

/** @throws Error if the ledger has ended in the other process */
async function ended({ file, cut }: FrozenKept): Promise<void> {
  if (file === undefined) throw new Error(cut ?? 'it has ended');
}

/** @throws Error if somebody else could change what is in it */
async function prepare(root: string, folder: string): Promise<void> {
  await makeFolderLater(root, 0o700).catch((error: unknown) => {
    throw errnoOf(error) === 'EEXIST' ? new Error(`${root} is no folder`) : error;
  });
  if (whyUnsafe(root, await promises.stat(root)) !== undefined) throw new Error(`other users may write to ${root}`);
  await promises.mkdir(folder, { mode: 0o700 });
}

function why(error: unknown): string {
  return errnoOf(error) ?? (error instanceof Error ? error.message : String(error));
}
