/** The recordings of a daemon: which terminals are recorded, where their files are, and what lies in the folder of the owner. */
import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { constants as zlib, gunzipSync } from 'node:zlib';
import type { Clock } from '../../base/clock.js';
import { errnoOf } from '../../base/errno.js';
import { homeDirectory } from '../../base/home-directory.js';
import { makeFolderLater } from '../../base/make-folder.js';
import { whyUnsafe } from '../../base/ownership.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { Reply } from '../../protocol/registry.js';
import type { Redactor } from '../../redaction/redactor.js';
import { type FrozenRecorder, type RecordedTerminal, Recorder, type RecordingLimits } from './recorder.js';
import { Writers } from './writers.js';

export interface RecordingsOptions {
  readonly clock: Clock;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly warn: (terminal: string, message: string) => void;
  /** Asked with each recording that begins. */
  readonly redactor?: (terminal: RecordedTerminal) => Redactor | undefined;
  readonly limits?: RecordingLimits;
}

/** What a recording is asked for. */
export interface RecordingRequest {
  readonly path?: string | undefined;
  readonly title?: string | undefined;
  /** What is typed is recorded, too. */
  readonly hasInput?: boolean;
  /** Called with the recorder of each part. */
  readonly begin?: ((recorder: Recorder) => void) | undefined;
}

const MIB = 1024 * 1024;

export const RECORDING_LIMITS: RecordingLimits = {
  maxPendingBytes: 8 * MIB,
  maxBytes: 1024 * MIB,
  minFreeBytes: 1024 * MIB,
};

/** At a shutdown, for a disk that does not answer. */
const LAST_WRITES_MS = 2000;

/** The newest files that are listed. */
const MAX_LISTED = 1000;

/** Holds the header; compressed, it is at most some 4 MB of text. */
const HEAD_BYTES = 4096;

export class Recordings {
  readonly #options: RecordingsOptions;
  readonly #folder: string;
  readonly #writers = new Writers();
  readonly #active = new Map<RecordedTerminal, Recorder>();
  readonly #given = new WeakMap<Recorder, { readonly given: RecordingRequest; readonly file: Part }>();
  /** Whose files are open: also parts that are being finished. */
  readonly #open = new Set<Recorder>();

  constructor(options: RecordingsOptions) {
    const { env } = options;
    const state = env['XDG_STATE_HOME'];
    const base = state?.startsWith('/') === true ? state : join(homeDirectory(env), '.local/state');
    this.#options = options;
    this.#folder = join(base, 't4a/recordings');
  }

  /** Why they cannot be frozen now, in words for people. */
  get hindrances(): readonly string[] {
    const isEnding = this.#open.size > this.#active.size;
    const isPortable = [...this.#active.values()].every((recorder) => recorder.isPortable);
    return isEnding || !isPortable ? ['recordings that begin or end'] : [];
  }

  settle(): void {
    for (const recorder of this.#active.values()) recorder.settle();
  }

  freeze(): FrozenRecordings {
    return new Map(
      Array.from(this.#active, ([{ id }, recorder]) => {
        const { given, file } = this.#given.get(recorder) ?? NOT_GIVEN;
        const { path, part } = file;
        const { title, hasInput = false } = given;
        return [id, { title, hasInput, given: given.path, path, part, recorder: recorder.freeze() }] as const;
      }),
    );
  }

  /** @param begin see {@link RecordingRequest.begin}, for those with input */
  restore(
    frozen: FrozenRecordings,
    terminals: readonly RecordedTerminal[],
    begin: (terminal: RecordedTerminal) => RecordingRequest['begin'],
  ): void {
    for (const terminal of terminals) {
      const own = frozen.get(terminal.id);
      if (own?.recorder === undefined) continue;
      const { title, hasInput, given: path, part } = own;
      const given = { title, path, hasInput, begin: hasInput ? begin(terminal) : undefined };
      const file = { path: own.path, part, prepared: Promise.resolve() };
      this.#record(terminal, given, file, own.recorder).opened.catch(() => {});
    }
  }

  /** Resolves once all of them are in their files. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#active.values(), (recorder) => recorder.settled()));
  }

  /** @throws T4aError recording_not_found */
  of(terminal: RecordedTerminal): Recorder {
    const recorder = this.#active.get(terminal);
    if (recorder !== undefined) return recorder;
    throw new T4aError('recording_not_found', `Terminal "${terminal.id}" is not being recorded.`, {
      hint: `t4a record ${terminal.id}`,
    });
  }

  /**
   * Records from the call on; resolves once the file exists.
   * @throws T4aError recording_exists, recording_failed
   */
  async start(terminal: RecordedTerminal, given: RecordingRequest): Promise<Recorder> {
    const present = this.#active.get(terminal);
    if (present !== undefined) {
      throw new T4aError('recording_exists', `Terminal "${terminal.id}" is being recorded to ${quote(present.path)}.`, {
        hint: `t4a record ${terminal.id} stop`,
      });
    }
    const { clock } = this.#options;
    const path = given.path ?? join(this.#folder, fileName(clock.wallNow(), terminal.id));
    const prepared = given.path === undefined ? this.#prepareFolder() : Promise.resolve();
    const recorder = this.#record(terminal, given, { path, part: 1, prepared });
    try {
      await recorder.opened;
    } catch (error) {
      await recorder.closed;
      throw refusal(path, error);
    }
    return recorder;
  }

  #record(terminal: RecordedTerminal, given: RecordingRequest, file: Part, frozen?: FrozenRecorder): Recorder {
    const { clock, version, limits = RECORDING_LIMITS, warn } = this.#options;
    const recorder = new Recorder(terminal, {
      path: pathOfPart(file),
      title: given.title,
      version,
      clock,
      writers: this.#writers,
      limits,
      redactor: this.#options.redactor?.(terminal),
      warn: (message) => warn(terminal.id, message),
      prepared: file.prepared,
      frozen,
      // Between two slices: a part begins with a repaint of the screen, and nothing is parsed in between.
      onLong: () => queueMicrotask(() => this.#nextPart(terminal, given, { recorder, file })),
    });
    this.#active.set(terminal, recorder);
    this.#given.set(recorder, { given, file });
    this.#open.add(recorder);
    void recorder.closed.then(() => {
      this.#open.delete(recorder);
      if (this.#active.get(terminal) === recorder) this.#active.delete(terminal);
    });
    given.begin?.(recorder);
    return recorder;
  }

  #nextPart(terminal: RecordedTerminal, given: RecordingRequest, last: { recorder: Recorder; file: Part }): void {
    if (this.#active.get(terminal) !== last.recorder || !terminal.alive) return;
    const { path, part } = last.file;
    const next = this.#record(terminal, given, { path, part: part + 1, prepared: Promise.resolve() });
    // The recorder publishes the warning.
    next.opened.catch(() => {});
    void last.recorder.finish();
  }

  /** Open ones from elsewhere, the newest files of the owner's folder, oldest first, and live ones. */
  async list(opened: readonly OpenedFile[] = []): Promise<Reply<'recordings'>['recordings']> {
    const live = [...this.#active.values()].map((recorder) => ({
      path: recorder.path,
      title: recorder.title ?? null,
      terminal: recorder.terminal,
      started_at: Math.floor(recorder.startedAtMs),
      size: recorder.size,
      live: true,
    }));
    const names = await readdir(this.#folder).catch(() => []);
    const files = names.filter((name) => /\.cast(?:\.gz)?$/.test(name)).toSorted();
    const paths = files.slice(-MAX_LISTED).map((name) => join(this.#folder, name));
    const others = paths.filter((path) => !live.some((one) => one.path === path));
    const found = await Promise.all(others.map(describeFile));
    const listed = [...found.filter((one) => one !== undefined), ...live];
    const elsewhere = new Set(
      opened.map(({ path }) => path).filter((path) => !listed.some((one) => one.path === path)),
    );
    const own = await Promise.all([...elsewhere].map(describeOpened));
    return [...own.filter((one) => one !== undefined), ...listed].map((one) => ({
      ...one,
      opened: opened.filter(({ path }) => path === one.path).map(({ id }) => id),
    }));
  }

  /** Ends all, within a bound. */
  async finishAll(): Promise<void> {
    const finished = Promise.all([...this.#open].map((recorder) => recorder.finish()));
    await new Promise<void>((resolve) => {
      const deadline = this.#options.clock.after(LAST_WRITES_MS, resolve);
      void finished.then(() => {
        deadline.dispose();
        resolve();
      });
    });
    this.#writers.dispose();
  }

  /** @throws Error if somebody else could change what is in it */
  async #prepareFolder(): Promise<void> {
    await makeFolderLater(this.#folder, 0o700);
    for (const folder of [this.#folder, dirname(this.#folder)]) {
      if (whyUnsafe(folder, await lstat(folder)) !== undefined) throw new Error(`other users may write to ${folder}`);
    }
  }
}

const NOT_GIVEN = { given: {} as RecordingRequest, file: { path: '', part: 1 } };

/** By the id of the terminal. */
export type FrozenRecordings = ReadonlyMap<
  string,
  {
    readonly title: string | undefined;
    readonly hasInput: boolean;
    /** Path that the request has named. */
    readonly given: string | undefined;
    /** Of the first part. */
    readonly path: string;
    readonly part: number;
    readonly recorder: FrozenRecorder | undefined;
  }
>;

/** A recording that is a terminal. */
export interface OpenedFile {
  readonly id: string;
  readonly path: string;
}

type ListedFile = Omit<Reply<'recordings'>['recordings'][number], 'opened'>;

interface Part {
  /** Of the first part. */
  readonly path: string;
  readonly part: number;
  /** The folder is ready. */
  readonly prepared: Promise<void>;
}

/** `x.cast.gz`, `x.2.cast.gz`, … */
function pathOfPart({ path, part }: Part): string {
  return part === 1 ? path : path.replace(/\.cast(?:\.gz)?$/, (ending) => `.${part}${ending}`);
}

/** By time first, so that names are in the order of their starts. */
function fileName(wallMs: number, id: string): string {
  const time = new Date(wallMs).toISOString().replaceAll(/[:.]/g, '-');
  return `${time}-${id}-${process.pid}.cast.gz`;
}

function refusal(path: string, error: unknown): T4aError {
  const isTaken = ['EEXIST', 'ELOOP'].includes(errnoOf(error) ?? '');
  const why = errnoOf(error) ?? (error instanceof Error ? error.message : String(error));
  if (isTaken) {
    return new T4aError('recording_exists', `${quote(path)} exists already.`, {
      hint: 'Name a file that does not exist.',
      field: 'path',
    });
  }
  return new T4aError('recording_failed', `${quote(path)} cannot be written: ${why}.`, { field: 'path' });
}

/** Undefined for what is no recording, or may not be read. */
async function describeFile(path: string): Promise<ListedFile | undefined> {
  try {
    // A FIFO of that name would be waited for.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const facts = await file.stat();
      if (!facts.isFile()) return undefined;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return { path, ...header(path, buffer.subarray(0, bytesRead)), size: facts.size, live: false };
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** It may be reached by a link, and of a format without a header. Undefined if it is gone. */
async function describeOpened(path: string): Promise<ListedFile | undefined> {
  try {
    const target = await realpath(path);
    const unknown = { title: null, terminal: null, started_at: null, live: false };
    return { ...((await describeFile(target)) ?? { ...unknown, size: (await stat(target)).size }), path };
  } catch {
    return undefined;
  }
}

/** @throws Error for what is no asciicast */
function header(
  path: string,
  head: Buffer,
): { title: string | null; terminal: string | null; started_at: number | null } {
  const text = path.endsWith('.gz') ? gunzipSync(head, { finishFlush: zlib.Z_SYNC_FLUSH }) : head;
  const [line = ''] = text.toString('utf8').split('\n', 1);
  const fields = JSON.parse(line) as Record<string, unknown>;
  const { title, timestamp, t4a } = fields;
  const terminal = typeof t4a === 'object' && t4a !== null && 'terminal' in t4a ? t4a.terminal : undefined;
  return {
    title: typeof title === 'string' ? title : null,
    terminal: typeof terminal === 'string' ? terminal : null,
    started_at: typeof timestamp === 'number' ? timestamp * 1000 : null,
  };
}
