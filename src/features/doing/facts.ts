/**
 * What was known of a terminal's programs, in the log of its history: what they and their hooks say, who was in front then, and the other
 * signals. An entry has what has changed since the one before; each chunk of the log begins with all of it. From that `explain` gives
 * the answer of a moment as it was given then: by the same decision, over the same signals.
 */
import type { Place } from '../../history/find-place.js';
import type { LogChunk } from '../../history/log-chunk.js';
import type { LogEntry } from '../../history/log-entries.js';
import type { TerminalLog } from '../../history/terminal-log.js';
import type { Signal } from '../../events/status/doing.js';
import type { StatusRecord } from '../../events/status/records.js';
import type { WeighedRecord } from '../../terminal/program-status.js';
import { T4aError } from '../../protocol/errors.js';
import { unpack } from '../past/packer.js';

export interface SourcedRecord extends WeighedRecord {
  readonly source: '7501' | 'report';
}

export interface Facts {
  /** The least recently updated one first. */
  readonly records: readonly SourcedRecord[];
  /** All but those of records. */
  readonly signals: readonly Signal[];
  /** Open questions about the terminal. */
  readonly asks: number;
}

/** An entry of the log, as JSON. Absent: as before. */
interface Change {
  /** Source, id, and the fields that are others now: null for what is absent in a record. */
  readonly records?: readonly (readonly [SourcedRecord['source'], string, Readonly<Record<string, unknown>>])[];
  readonly gone?: readonly string[];
  readonly signals?: readonly Signal[];
  readonly asks?: number;
}

export class FactLog {
  readonly #log: TerminalLog;
  /** As the log has them, by source and id. */
  readonly #records = new Map<string, SourcedRecord>();
  #signals: readonly Signal[] = [];
  #signalsText = '';
  #asks: number | undefined;

  constructor(log: TerminalLog) {
    this.#log = log;
    log.wholeFacts = () => this.#whole();
  }

  note({ records, signals, asks }: Facts): void {
    const change: { -readonly [K in keyof Change]: Change[K] } = this.#changedRecords(records);
    const text = JSON.stringify(signals.map((signal) => (isRenewed(signal) ? { ...signal, at: 0 } : signal)));
    if (text !== this.#signalsText) change.signals = signals;
    if (asks !== this.#asks) change.asks = asks;
    this.#signals = signals;
    this.#signalsText = text;
    this.#asks = asks;
    this.#write(change);
  }

  noteRecords(records: readonly SourcedRecord[]): void {
    this.#write(this.#changedRecords(records));
  }

  #changedRecords(records: readonly SourcedRecord[]): Change {
    const changed: [SourcedRecord['source'], string, Record<string, unknown>][] = [];
    const gone = new Set(this.#records.keys());
    for (const one of records) {
      const key = keyOf(one.source, one.record.id);
      gone.delete(key);
      const fields = changedFields(this.#records.get(key), one);
      if (fields === undefined) continue;
      // The latest comes last.
      this.#records.delete(key);
      this.#records.set(key, one);
      changed.push([one.source, one.record.id, fields]);
    }
    for (const key of gone) this.#records.delete(key);
    return { ...(changed.length > 0 && { records: changed }), ...(gone.size > 0 && { gone: [...gone] }) };
  }

  #write(change: Change): void {
    if (Object.keys(change).length > 0) this.#log.facts(bytesOf(change));
  }

  #whole(): Uint8Array {
    const records = [...this.#records.values()].map(
      (one) => [one.source, one.record.id, changedFields(undefined, one) ?? {}] as const,
    );
    return bytesOf({ records, signals: this.#signals, asks: this.#asks ?? 0 });
  }
}

/** A moment of the log: a time, also between two screens; or a place: the entry that it means, or a screen until the next one. */
export type FactMoment = { readonly ms: number } | Place;

export interface PastFacts extends Facts {
  /** Wall time for which the signals are decided. */
  readonly nowMs: number;
}

/** @returns undefined if nothing had been noted by then @throws T4aError moment_lost */
export function factsAt(log: TerminalLog, moment: FactMoment): PastFacts | undefined {
  const chunk = chunkOf(log, moment);
  if (chunk === undefined) return undefined;
  if (chunk.isBeforeGap && !isPlace(moment) && moment.ms > chunk.lastMs) {
    throw new T4aError('moment_lost', 'The history of the terminal has a gap there.', { field: 'at', hint: GAP });
  }
  const records = new Map<string, SourcedRecord>();
  let signals: readonly Signal[] | undefined;
  let asks = 0;
  let lastMs = chunk.start.ms;
  let lastOutputMs = Number.NEGATIVE_INFINITY;
  for (const entry of chunk.entries(unpack)) {
    if (isAfter(entry, moment)) break;
    lastMs = entry.ms;
    if (entry.kind === 'output') lastOutputMs = entry.ms;
    if (entry.kind !== 'facts') continue;
    const change = JSON.parse(Buffer.from(entry.bytes).toString()) as Change;
    for (const [source, id, fields] of change.records ?? []) {
      const key = keyOf(source, id);
      const before = records.get(key);
      records.delete(key);
      records.set(key, withFields(before, source, id, fields));
    }
    for (const key of change.gone ?? []) records.delete(key);
    signals = change.signals ?? signals ?? [];
    asks = change.asks ?? asks;
  }
  if (signals === undefined) return undefined;
  const nowMs = isPlace(moment) ? lastMs : moment.ms;
  const then = signals.map((signal) => renewed(signal, nowMs, lastOutputMs));
  return { records: [...records.values()], signals: then, asks, nowMs };
}

const GAP =
  'Nothing is kept while the terminal waits for the end of an escape sequence. Choose a moment outside of that.';

function isPlace(moment: FactMoment): moment is Place {
  return 'chunk' in moment;
}

function chunkOf({ chunks }: TerminalLog, moment: FactMoment): LogChunk | undefined {
  if (isPlace(moment)) return (moment.entry ?? moment).chunk;
  return chunks.findLast(({ start }) => start.ms <= moment.ms);
}

function isAfter(entry: LogEntry, moment: FactMoment): boolean {
  if (!isPlace(moment)) return entry.ms > moment.ms;
  if (moment.entry !== undefined) return entry.end > moment.entry.end;
  return entry.kind === 'output' && entry.end > moment.end;
}

/** Its last sign is that of each moment: no entry is written for it. */
function isRenewed({ source, is }: Signal): boolean {
  return source === 'progress' || (source === 'kernel' && (is === 'idle' || is === 'working'));
}

/** Output is in the log. */
function renewed(signal: Signal, nowMs: number, lastOutputMs: number): Signal {
  if (!isRenewed(signal)) return signal;
  return { ...signal, at: signal.source === 'progress' ? nowMs : Math.max(signal.at, lastOutputMs) };
}

const FIELDS = ['state', 'kind', 'progress', 'app', 'title', 'msg', 'isCut', 'since', 'at'] as const;

function changedFields(
  before: SourcedRecord | undefined,
  { record, stale }: SourcedRecord,
): Record<string, unknown> | undefined {
  const fields: Record<string, unknown> = {};
  for (const field of FIELDS) {
    if (record[field] !== before?.record[field]) fields[field] = record[field] ?? null;
  }
  if (!isSame(record.by, before?.record.by)) fields['by'] = record.by ?? null;
  if (stale !== before?.stale) fields['stale'] = stale ?? null;
  return before !== undefined && Object.keys(fields).length === 0 ? undefined : fields;
}

function isSame(a: StatusRecord['by'], b: StatusRecord['by']): boolean {
  return a === b || (a?.pid === b?.pid && a?.process === b?.process && a?.isShell === b?.isShell);
}

/** @param given as {@link changedFields} made them */
function withFields(
  before: SourcedRecord | undefined,
  source: SourcedRecord['source'],
  id: string,
  given: Readonly<Record<string, unknown>>,
): SourcedRecord {
  const fields = Object.fromEntries(Object.entries(given).map(([field, value]) => [field, value ?? undefined]));
  const { stale, ...record } = { ...NO_FIELDS, ...before?.record, stale: before?.stale, ...fields };
  return { source, record: { ...record, id } as StatusRecord, stale };
}

const NO_FIELDS = {
  kind: undefined,
  progress: undefined,
  app: undefined,
  title: undefined,
  msg: undefined,
  by: undefined,
};

function keyOf(source: SourcedRecord['source'], id: string): string {
  return `${source}:${id}`;
}

function bytesOf(change: Change): Uint8Array {
  return Buffer.from(JSON.stringify(change));
}
