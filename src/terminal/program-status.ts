/**
 * What the programs of a terminal say they are doing. Made with the first report: a terminal whose programs say nothing pays
 * nothing. An opened recording has none, since it is no program.
 */
import { type HasParts, PartKey } from '../base/parts.js';
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';
import { parseStatusReport } from '../events/status/report.js';
import {
  type FrozenRecords,
  type Reporter,
  type StatusChange,
  type StatusRecord,
  StatusRecords,
} from '../events/status/records.js';
import { StatusReports, type ToldChange } from '../events/status/changes.js';
import type { HookRecord } from '../events/status/doing-view.js';
import type { EventBody } from '../protocol/events.js';
import type { Reply } from '../protocol/registry.js';
import type { OscMessage } from '../vt/screen-effects.js';
import { foregroundName, readStat } from './system/processes.js';
import { isInteractiveShell } from './system/proc/shell-process.js';
import type { TerminalObserver } from './feed.js';

/** The part of a terminal that reports come from. */
export interface ReportingTerminal extends HasParts {
  readonly id: string;
  readonly pid: number;
  readonly alive: boolean;
  readonly clock: Clock;
  publish(body: EventBody): void;
}

type Reported = NonNullable<Reply<'status'>['reported']>;

const STATUS = 7501;
const SHELL_MARKS: ReadonlySet<number> = new Set([133, 633]);

export interface FrozenStatus {
  readonly records: FrozenRecords;
  readonly changes: number;
}

export class ProgramStatus implements Disposable {
  readonly #terminal: ReportingTerminal;
  readonly #records = new StatusRecords();
  readonly #reports: StatusReports;
  /** Grows with each change of the records. */
  changes = 0;
  /** Of the slice that is being told: the system is asked once for all of its reports. */
  #reporter: { readonly by: Reporter | undefined } | undefined;

  constructor(terminal: ReportingTerminal) {
    this.#terminal = terminal;
    this.#reports = new StatusReports({
      clock: terminal.clock,
      get: (id) => this.#records.get(id),
      tell: (change) => this.#tell(change),
    });
  }

  get records(): readonly StatusRecord[] {
    return this.#records.all();
  }

  /** All of them, those that count for nothing with the reason. */
  weighed(): WeighedRecord[] {
    const inFront = frontOf(this.#terminal);
    return this.records.map((record) => ({ record, stale: staleness(record, inFront) }));
  }

  /** Of the program that is in front now, its most urgent record. */
  get reported(): Reported | null {
    const inFront = frontOf(this.#terminal);
    const record = this.#records.mostUrgent((one) => staleness(one, inFront) === undefined);
    return record === undefined ? null : { ...wireRecord(record), records: this.#records.size };
  }

  freeze(): FrozenStatus {
    return { records: this.#records.freeze(), changes: this.changes };
  }

  restore({ records, changes }: FrozenStatus): void {
    this.#records.restore(records);
    this.changes = changes;
  }

  onReport({ data, terminatorBytes = 1 }: OscMessage): void {
    const report = parseStatusReport(data, terminatorBytes);
    if (report === undefined) return;
    this.#reporter ??= { by: reporterOf(this.#terminal.pid) };
    this.#onChange(this.#records.apply(report, this.#reporter.by, this.#terminal.clock.wallNow()));
  }

  /** The program is done with what it did. */
  onEnd(): void {
    this.#onChange(this.#records.end());
  }

  onReset(): void {
    this.#onChange(this.#records.reset());
  }

  onParsed(): void {
    this.#reporter = undefined;
  }

  dispose(): void {
    this.#reports.dispose();
  }

  #onChange(change: StatusChange | undefined): void {
    if (change === undefined) return;
    this.changes++;
    this.#reports.onChange(change);
  }

  #tell({ record, id, was, skipped }: ToldChange): void {
    this.#terminal.publish({
      event: 'reported',
      terminal: this.#terminal.id,
      record: record === undefined ? { ...CLEARED, id, since: this.#terminal.clock.wallNow() } : wireRecord(record),
      was: was ?? null,
      ...(skipped > 0 ? { skipped } : {}),
    });
  }
}

export interface WeighedRecord {
  readonly record: StatusRecord;
  /** Why it counts for nothing. */
  readonly stale: string | undefined;
}

/** Group in front. Of a program that has ended, and whose end was not told yet: the last one, whichever it was. */
function frontOf({ pid, alive }: ReportingTerminal): number | 'the last' | undefined {
  return alive ? (foregroundGroup(pid) ?? 'the last') : undefined;
}

function staleness({ by }: StatusRecord, inFront: ReturnType<typeof frontOf>): string | undefined {
  if (by === undefined) return undefined;
  if (by.isShell) return 'was printed while a shell was in front';
  return inFront === 'the last' || by.pid === inFront ? undefined : 'its program is not in front any more';
}

const CLEARED = { state: 'clear', kind: null, app: null, title: null, msg: null, progress: null, by: null } as const;

export function wireRecord({
  state,
  kind,
  id,
  app,
  title,
  msg,
  progress,
  since,
  by,
}: StatusRecord): Omit<Reported, 'records'> {
  return {
    state,
    kind: kind ?? null,
    id,
    app: app ?? null,
    title: title ?? null,
    msg: msg ?? null,
    progress: progress ?? null,
    since,
    by: by === undefined ? null : { pid: by.pid, process: by.process },
  };
}

/** For the replies of `report` and `status`. Null if hooks say nothing. */
export function wireHookRecord(found: HookRecord | undefined): Reply<'report'>['report'] {
  return found === undefined ? null : { ...wireRecord(found.record), ends_at: found.endsAt };
}

/** Undefined if the session has ended, and where the system does not say. */
function foregroundGroup(leader: number): number | undefined {
  const group = readStat(leader)?.foregroundGroup;
  return group !== undefined && group > 0 ? group : undefined;
}

const systemTells = readStat(process.pid) !== undefined;

/** Undefined where the system does not say. */
function reporterOf(leader: number): Reporter | undefined {
  if (!systemTells) return undefined;
  const pid = foregroundGroup(leader) ?? leader;
  return { pid, process: foregroundName(leader) ?? null, isShell: isInteractiveShell(pid) };
}

const STATUS_PART = new PartKey<ProgramStatus | undefined>(() => undefined);

/** Null if the program in front says nothing. */
export function reportedBy(terminal: HasParts): Reported | null {
  return terminal.part(STATUS_PART).value?.reported ?? null;
}

export function weighedRecords(terminal: HasParts): WeighedRecord[] {
  return terminal.part(STATUS_PART).value?.weighed() ?? [];
}

/** Of the records, so far. */
export function statusChanges(terminal: HasParts): number {
  return terminal.part(STATUS_PART).value?.changes ?? 0;
}

/** Undefined if its programs have said nothing. */
export function freezeStatus(terminal: HasParts): FrozenStatus | undefined {
  return terminal.part(STATUS_PART).value?.freeze();
}

export function restoreStatus(terminal: ReportingTerminal, frozen: FrozenStatus): void {
  (terminal.part(STATUS_PART).value ??= new ProgramStatus(terminal)).restore(frozen);
}

/** For rules: `STATE KIND APP: MSG`, with `-` for what the program leaves out; empty if it says nothing. */
export function reportLine(terminal: HasParts): string {
  const reported = reportedBy(terminal);
  if (reported === null) return '';
  const { state, kind, app, msg } = reported;
  return `${state} ${kind ?? '-'} ${app ?? '-'}: ${msg ?? '-'}`;
}

/** @returns the observer; reports are not heard without it */
export function observeStatus(terminal: ReportingTerminal): TerminalObserver {
  const part = terminal.part(STATUS_PART);
  return {
    onEffect(effect) {
      if (effect.kind === 'reset') return part.value?.onReset();
      if (effect.kind !== 'osc') return;
      const { message } = effect;
      if (message.code === STATUS) {
        (part.value ??= new ProgramStatus(terminal)).onReport(message);
      } else if (part.value !== undefined && SHELL_MARKS.has(message.code) && message.data.startsWith('A'))
        part.value.onEnd();
    },
    onParsed: () => part.value?.onParsed(),
    onEvent: ({ event }) => {
      if (event === 'exit') part.value?.onEnd();
      if (event === 'removed') part.value?.dispose();
    },
  };
}
