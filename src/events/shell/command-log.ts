/** The commands that a shell ran in one terminal: what, when, where, how it ended, and which lines it printed. Bounded. */
import type { Clock } from '../../base/clock.js';
import { Ring } from '../../base/ring.js';
import { type FollowedMode, LeftModes } from './left-modes.js';
import { FIRST_ALTERNATE, type RowChange } from '../../vt/snapshot.js';
import { followChanges, type FollowedLine, followPlace } from './followed-places.js';
import { afterEnd, type OutputPlace, placeAfter, type RunningPlace } from './output-place.js';
import type { CommandMark, MarkPlace } from './shell-facts.js';

export const COMMAND_LOG_CAPACITY = 1000;

export interface MarkSeen {
  readonly mark: CommandMark;
  /** The command that it starts or ends. */
  readonly record: CommandRecord | undefined;
}

/** A late start is reported before a command has done more than this to the rows above. */
const MOST_CHANGES = 256;

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
  output: OutputPlace | undefined;
}

/** The log numbers its records itself, since it also has commands whose start was not marked. */
type LoggedMark = CommandMark extends infer One ? (One extends CommandMark ? Omit<One, 'n'> : never) : never;

interface Running {
  readonly record: CommandRecord;
  readonly place: RunningPlace;
  readonly startedMs: number;
}

export class CommandLog {
  readonly modes = new LeftModes();
  readonly #clock: Clock;
  readonly #records = new Ring<CommandRecord>(COMMAND_LOG_CAPACITY);
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

  /** Oldest first. */
  get records(): readonly CommandRecord[] {
    return [...this.#records];
  }

  get last(): CommandRecord | undefined {
    return this.records.at(-1);
  }

  /** The newest that does not run. */
  get lastEnded(): CommandRecord | undefined {
    return this.records.findLast(({ running }) => !running);
  }

  onMark(mark: LoggedMark, place: MarkPlace, cwd: string | undefined): CommandRecord | undefined {
    const isStart = mark.mark === 'command_start';
    const record = isStart
      ? this.#start(mark.command, place, cwd)
      : mark.mark === 'command_done'
        ? this.#end(mark, place, cwd)
        : undefined;
    this.#sinceMark = [];
    this.#beforeEnter = 0;
    this.#noteModes(mark, place, record);
    return record;
  }

  #noteModes({ mark }: LoggedMark, { modes }: MarkPlace, record: CommandRecord | undefined): void {
    // A start that is reported late comes without the modes of its moment: those of the prompt's end count.
    if (mark === 'input_start' || (mark === 'command_start' && modes !== undefined)) this.modes.begin(modes);
    if (mark !== 'command_done' || record === undefined) return;
    const left = this.modes.end(modes);
    if (left.length > 0) record.modesLeft = left;
  }

  /** Enter is on the screen: what happens to the rows from now on is done by the command, if it is one. */
  lineEntered(): void {
    this.#beforeEnter = this.#sinceMark.length;
  }

  /** Rows of the screen were erased, written above the last mark, or have changed places. */
  onRows(change: RowChange): void {
    if (this.#running.length === 0 && this.#sinceMark.length < MOST_CHANGES) this.#sinceMark.push(change);
    for (const { record, place } of this.#running) {
      place.apply(change);
      record.output = place.place;
    }
    if (change.change !== 'erased' && change.change !== 'shifted') return;
    const top = change.change === 'erased' ? change.from : change.top;
    for (const record of this.records.toReversed()) {
      if (record.running || record.output === undefined) continue;
      if ((record.output.alternate === true) !== top >= FIRST_ALTERNATE) continue;
      // Older ones are above.
      if ((record.output.end ?? top) <= top) break;
      record.output = afterEnd(record.output, change);
    }
  }

  /** By its number, or -1 for the last one, -2 for the one before it. */
  find(n: number): CommandRecord | undefined {
    const { records } = this;
    return n < 0 ? records.at(n) : records.find((record) => record.n === n);
  }

  /**
   * To be called before lines are numbered anew; the returned function afterwards, with nothing in between.
   * @param endsWithin whether the last row of the output also holds other text: the place in the row is then lost
   */
  followPlaces(follow: (line: number) => FollowedLine, endsWithin: (record: CommandRecord) => boolean): () => void {
    const followed = new Map<OutputPlace | undefined, () => OutputPlace | undefined>();
    const add = (output: OutputPlace | undefined): void => {
      if (output !== undefined) followed.set(output, followPlace(output, follow));
    };
    for (const record of this.#records) if (!endsWithin(record)) add(record.output);
    for (const { place } of this.#running) add(place.elsewhere);
    const before = followChanges(this.#sinceMark.slice(0, this.#beforeEnter), follow);
    const after = followChanges(this.#sinceMark.slice(this.#beforeEnter), follow);
    return () => {
      const places = new Map(Array.from(followed, ([before, placeNow]) => [before, placeNow()]));
      for (const record of this.#records) record.output = places.get(record.output);
      for (const { record, place } of this.#running) place.renumbered(record.output, places.get(place.elsewhere));
      const changes = before();
      this.#beforeEnter = changes.length;
      this.#sinceMark = [...changes, ...after()];
    };
  }

  #start(command: string | undefined, at: MarkPlace, cwd: string | undefined): CommandRecord {
    const { line, agoMs, isAfterEnter, drawnAt, lead } = at;
    const startedAt = Math.round(this.#clock.wallNow() - (agoMs ?? 0));
    const record = this.#add({ command, startedAt, cwd, running: true });
    // One that is reported late has done to the screen what was done to it since Enter, or since the prompt.
    const changes =
      isAfterEnter === true
        ? this.#sinceMark.slice(this.#beforeEnter)
        : this.#sinceMark.filter((change) => drawnAt === undefined || topOf(change) !== drawnAt);
    const place = placeAfter(line, agoMs === undefined ? [] : changes, lead);
    record.output = place.place;
    this.#running.push({ record, place, startedMs: this.#clock.now() - (agoMs ?? 0) });
    return record;
  }

  #end(
    { code, command }: Extract<LoggedMark, { mark: 'command_done' }>,
    { line, col }: MarkPlace,
    cwd: string | undefined,
  ): CommandRecord {
    // The mark of an outer command's end brings that command's line: what was nested in it ends with it.
    const level = this.#running.findLastIndex(({ record }) => record.command === command);
    const running = this.#running[level === -1 ? this.#running.length - 1 : level];
    if (running === undefined) {
      const record = this.#add({ command, startedAt: undefined, cwd, running: false });
      record.code = code;
      return record;
    }
    const { record } = running;
    for (const ended of this.#running.splice(this.#running.indexOf(running))) ended.record.running = false;
    record.command ??= command;
    record.code = code;
    record.durationMs = Math.round(this.#clock.now() - running.startedMs);
    record.output = line === undefined ? undefined : running.place.ended(line, col);
    return record;
  }

  #add(fields: Pick<CommandRecord, 'command' | 'startedAt' | 'cwd' | 'running'>): CommandRecord {
    const record: CommandRecord = {
      ...fields,
      n: ++this.#count,
      code: null,
      durationMs: undefined,
      output: undefined,
    };
    this.#records.push(record);
    return record;
  }
}

function topOf(change: RowChange): number | undefined {
  return change.change === 'erased' ? change.from : change.change === 'written' ? change.first : undefined;
}
