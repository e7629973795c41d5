/** The commands that a shell ran in one terminal: what, when, where, how it ended, and which lines it printed. Bounded. */
import type { Clock } from '../../base/clock.js';
import { type FollowedMode, type FrozenLeftModes, LeftModes } from '../input/left-modes.js';
import { FIRST_ALTERNATE, type RowChange } from '../../vt/snapshot.js';
import { followChanges, type FollowedLine, followPlace } from './followed-places.js';
import { afterEnd, type FrozenRunningPlace, type OutputPlace, placeAfter, RunningPlace } from './output-place.js';
import type { CommandMark, MarkPlace } from './shell-facts.js';

export const COMMAND_LOG_CAPACITY = 1000;

export interface MarkSeen {
  readonly mark: CommandMark;
  /** The command that it starts or ends. */
  readonly record: CommandRecord | undefined;
}

/** A late start is reported before a command has done more than this to the rows above. */
const MOST_CHANGES = 256;

/** Commands within commands, of more than the marks keep apart (mark-transitions.ts). */
const MOST_RUNNING = 32;

export interface CommandRecord {
  readonly n: number;
  command: string | undefined;
  readonly startedAt: number | undefined;
  readonly cwd: string | undefined;
  running: boolean;
  code: number | null;
  durationMs: number | undefined;
  /** Modes of the terminal that it has set and not reset; absent if there are none. */
  modesLeft?: readonly FollowedMode[];
  /** See `shellLevel` (shell-state.ts); absent: 0. */
  readonly level?: number;
  output: OutputPlace | undefined;
}

/** The log numbers its records itself, since it also has commands whose start was not marked. */
type LoggedMark = CommandMark extends infer One
  ? One extends CommandMark
    ? Omit<One, 'n'> & { readonly n?: number | undefined }
    : never
  : never;

interface Running {
  readonly record: CommandRecord;
  readonly place: RunningPlace;
  readonly startedMs: number;
  /** Number of the start in the marks. */
  readonly start: number | undefined;
  /** Where the shell asks for the rest of the line, after what the line has run so far. */
  pausedAt?: MarkPlace | undefined;
}

/** Records by their place in the list; times are ages. */
export interface FrozenCommands {
  readonly records: readonly CommandRecord[];
  readonly lastEnded: CommandRecord | undefined;
  readonly unstartedEnd: MarkPlace | 'lost' | undefined;
  readonly count: number;
  readonly sinceMark: readonly RowChange[];
  readonly beforeEnter: number;
  readonly running: readonly {
    readonly n: number;
    readonly place: FrozenRunningPlace;
    readonly agoMs: number;
    readonly start: number | undefined;
    readonly pausedAt?: MarkPlace | undefined;
  }[];
  readonly modes: FrozenLeftModes;
}

export class CommandLog {
  readonly modes = new LeftModes();
  readonly #clock: Clock;
  readonly #records: CommandRecord[] = [];
  #lastEnded: CommandRecord | undefined;
  #unstartedEnd: MarkPlace | 'lost' | undefined;
  #count = 0;
  /** While nothing is known to run. */
  #sinceMark: RowChange[] = [];
  /** How many of them came before Enter was seen of the line that may start a command. */
  #beforeEnter = 0;
  /** Outermost first: a command that runs a shell is still running while that shell's commands come and go. */
  #running: Running[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  freeze(): FrozenCommands {
    const nowMs = this.#clock.now();
    return {
      records: this.#records.map((record) => ({ ...record })),
      lastEnded: this.#lastEnded,
      unstartedEnd: this.#unstartedEnd,
      count: this.#count,
      sinceMark: this.#sinceMark,
      beforeEnter: this.#beforeEnter,
      running: this.#running.map(({ record, place, startedMs, start, pausedAt }) => ({
        n: record.n,
        place: place.freeze(),
        agoMs: nowMs - startedMs,
        start,
        pausedAt,
      })),
      modes: this.modes.freeze(),
    };
  }

  /** To be called on a log without records. */
  restore({ records, lastEnded, unstartedEnd, count, sinceMark, beforeEnter, running, modes }: FrozenCommands): void {
    const nowMs = this.#clock.now();
    this.#records.push(...records.map((record) => ({ ...record })));
    // Beyond the bound of the list it is kept by itself.
    this.#lastEnded = lastEnded && (this.#records.find(({ n }) => n === lastEnded.n) ?? lastEnded);
    this.#unstartedEnd = unstartedEnd;
    this.#count = count;
    this.#sinceMark = [...sinceMark];
    this.#beforeEnter = beforeEnter;
    this.#running = running.flatMap(({ n, place, agoMs, start, pausedAt }) => {
      const record = this.#records.find((each) => each.n === n);
      if (record === undefined) return [];
      return [{ record, place: RunningPlace.thaw(place), startedMs: nowMs - agoMs, start, pausedAt }];
    });
    this.modes.restore(modes);
  }

  /** Oldest first. */
  get records(): readonly CommandRecord[] {
    return this.#records;
  }

  /** Those of shells within a command count until it ends. */
  get last(): CommandRecord | undefined {
    return this.#records.findLast((record) => this.#counts(record));
  }

  /** The one that has ended last. */
  get lastEnded(): CommandRecord | undefined {
    return this.#lastEnded;
  }

  /** The place of the last end, if its command was seen to start nowhere or was refused; lost where its row has been laid out anew. */
  get unstartedEnd(): MarkPlace | 'lost' | undefined {
    return this.#unstartedEnd;
  }

  /** @param level of the shell after the mark (`shellLevel` of shell-state.ts) */
  onMark(mark: LoggedMark, place: MarkPlace, cwd: string | undefined, level = 0): CommandRecord | undefined {
    const isStart = mark.mark === 'command_start';
    if (isStart || mark.mark === 'command_done') this.#unstartedEnd = undefined;
    else if (mark.mark === 'line_refused') this.#unstartedEnd = place;
    const record = isStart
      ? this.#start(mark, place, cwd, level)
      : mark.mark === 'command_done'
        ? this.#end(mark, place, cwd, level)
        : undefined;
    this.#sinceMark = [];
    this.#beforeEnter = 0;
    this.#noteModes(mark, place, record);
    return record;
  }

  #noteModes({ mark }: LoggedMark, { modes }: MarkPlace, record: CommandRecord | undefined): void {
    // A start that is reported late comes without the modes of its moment: those of the prompt's end count.
    if (mark === 'input_start') this.modes.atPrompt(modes);
    else if (mark === 'command_start' && modes !== undefined) this.modes.begin(modes);
    if (mark !== 'command_done' || record === undefined) return;
    const left = this.modes.end(modes);
    if (left.length > 0) record.modesLeft = left;
  }

  /** The shell has ended, and with it what it ran: no end of that will be marked. */
  exited(): void {
    for (const { record, startedMs } of this.#running) {
      if (!record.running) continue;
      record.running = false;
      record.durationMs = Math.round(this.#clock.now() - startedMs);
    }
  }

  /** The output of the outermost command has an end for as long as the shell asks for more. @param place undefined: it goes on */
  pause(place: MarkPlace | undefined): void {
    const [outermost] = this.#running;
    if (outermost === undefined || (outermost.pausedAt !== undefined && place !== undefined)) return;
    outermost.pausedAt = place;
    outermost.record.output = shownPlace(outermost);
  }

  /** Enter is on the screen: what happens to the rows from now on is done by the command, if it is one. */
  lineEntered(): void {
    this.#beforeEnter = this.#sinceMark.length;
  }

  /** Rows of the screen were erased, written above the last mark, or have changed places. */
  onRows(change: RowChange): void {
    if (this.#running.length === 0 && this.#sinceMark.length < MOST_CHANGES) this.#sinceMark.push(change);
    for (const running of this.#running) {
      running.place.apply(change);
      // Only of text that stays where it was printed is the end known.
      if (change.change !== 'written') running.pausedAt = undefined;
      running.record.output = shownPlace(running);
    }
    if (change.change !== 'erased' && change.change !== 'shifted') return;
    const top = change.change === 'erased' ? change.from : change.top;
    for (const record of this.records.toReversed()) {
      if (record.output === undefined || this.#running.some((each) => each.record === record)) continue;
      if ((record.output.alternate === true) !== top >= FIRST_ALTERNATE) continue;
      // Older ones are above.
      if ((record.output.end ?? top) <= top) break;
      record.output = afterEnd(record.output, change);
    }
  }

  /** By its number, or -1 for the last one, -2 for the one before it: those of shells within a command count until it ends. */
  find(n: number): CommandRecord | undefined {
    if (n >= 0) return this.#records.find((record) => record.n === n);
    return this.#records.filter((record) => this.#counts(record)).at(n);
  }

  #counts({ level = 0 }: CommandRecord): boolean {
    return level <= this.#running.length;
  }

  /**
   * To be called before lines are numbered anew; the returned function afterwards, with nothing in between.
   * @param endsWithin whether the last row of the output also holds other text: the place in the row is then lost
   */
  followPlaces(follow: (line: number) => FollowedLine, endsWithin: (record: CommandRecord) => boolean): () => void {
    this.pause(undefined);
    const followed = new Map<OutputPlace | undefined, () => OutputPlace | undefined>();
    const add = (output: OutputPlace | undefined): void => {
      if (output !== undefined) followed.set(output, followPlace(output, follow));
    };
    for (const record of this.#records) if (!endsWithin(record)) add(record.output);
    for (const { place } of this.#running) add(place.elsewhere);
    const before = followChanges(this.#sinceMark.slice(0, this.#beforeEnter), follow);
    const after = followChanges(this.#sinceMark.slice(this.#beforeEnter), follow);
    if (this.#unstartedEnd !== undefined) this.#unstartedEnd = 'lost';
    return () => {
      const places = new Map(Array.from(followed, ([before, placeNow]) => [before, placeNow()]));
      for (const record of this.#records) record.output = places.get(record.output);
      for (const { record, place } of this.#running) place.renumbered(record.output, places.get(place.elsewhere));
      const changes = before();
      this.#beforeEnter = changes.length;
      this.#sinceMark = [...changes, ...after()];
    };
  }

  #start(
    { command, n: start }: Extract<LoggedMark, { mark: 'command_start' }>,
    at: MarkPlace,
    cwd: string | undefined,
    level: number,
  ): CommandRecord {
    const { line, agoMs, isAfterEnter, drawnAt, lead } = at;
    const startedAt = Math.round(this.#clock.wallNow() - (agoMs ?? 0));
    const record = this.#add({ command, startedAt, cwd, running: true }, level);
    // One that is reported late has done to the screen what was done to it since Enter, or since the prompt.
    const changes =
      isAfterEnter === true
        ? this.#sinceMark.slice(this.#beforeEnter)
        : this.#sinceMark.filter((change) => drawnAt === undefined || topOf(change) !== drawnAt);
    const place = placeAfter(line, agoMs === undefined ? [] : changes, lead);
    record.output = place.place;
    this.#running.push({ record, place, start, startedMs: this.#clock.now() - (agoMs ?? 0) });
    // The outermost stays: its end will come.
    if (this.#running.length > MOST_RUNNING) for (const lost of this.#running.splice(1, 1)) lost.record.running = false;
    return record;
  }

  #end(
    { code, command, n }: Extract<LoggedMark, { mark: 'command_done' }>,
    place: MarkPlace,
    cwd: string | undefined,
    shellLevel: number,
  ): CommandRecord {
    // The mark of an outer command's end brings that command's line: what was nested in it ends with it.
    const level = this.#running.findLastIndex(({ record, start }) =>
      n === undefined ? record.command === command : start === n,
    );
    const running = this.#running[level === -1 ? this.#running.length - 1 : level];
    // What is printed within a command does not end it.
    if (running === undefined || (running.record.level ?? 0) < shellLevel) {
      const record = this.#add({ command, startedAt: undefined, cwd, running: false }, shellLevel);
      record.code = code;
      this.#lastEnded = record;
      this.#unstartedEnd = place;
      return record;
    }
    const { record } = running;
    this.#lastEnded = record;
    for (const ended of this.#running.splice(this.#running.indexOf(running))) ended.record.running = false;
    record.command ??= command;
    record.code = code;
    record.durationMs = Math.round(this.#clock.now() - running.startedMs);
    const { line, col } = running.pausedAt ?? place;
    record.output = line === undefined ? undefined : running.place.ended(line, col);
    return record;
  }

  #add(fields: Pick<CommandRecord, 'command' | 'startedAt' | 'cwd' | 'running'>, level: number): CommandRecord {
    const record: CommandRecord = {
      ...fields,
      ...(level === 0 ? {} : { level }),
      n: ++this.#count,
      code: null,
      durationMs: undefined,
      output: undefined,
    };
    this.#records.push(record);
    // The end of one that runs will be looked for.
    if (this.#records.length > COMMAND_LOG_CAPACITY) {
      this.#records.splice(
        Math.max(
          0,
          this.#records.findIndex(({ running }) => !running),
        ),
        1,
      );
    }
    return record;
  }
}

function shownPlace({ place, pausedAt }: Running): OutputPlace | undefined {
  const { line, col } = pausedAt ?? {};
  return line === undefined || col === undefined ? place.place : (place.ended(line, col) ?? place.place);
}

function topOf(change: RowChange): number | undefined {
  return change.change === 'erased' ? change.from : change.change === 'written' ? change.first : undefined;
}

/** The event of a mark; undefined if it is none of a command. */
export function commandEvent({ mark, record }: MarkSeen) {
  const within = record?.level === undefined ? {} : { shell_level: record.level };
  if (mark.mark === 'command_start') {
    return { event: 'command_started', command: mark.command ?? null, ...within } as const;
  }
  if (mark.mark !== 'command_done') return undefined;
  const { code, command = null } = mark;
  return { event: 'command_done', code, command, duration_ms: record?.durationMs ?? null, ...within } as const;
}
