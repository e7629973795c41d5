/** The reply of `explain`: the present answer with its signals, or the one of a moment, from the log. */
import { decide, type JudgedSignal } from '../../events/status/doing.js';
import { MAX_SIGNALS } from '../../protocol/doing.js';
import { parseLogMoment } from '../../protocol/moment.js';
import type { Reply } from '../../protocol/registry.js';
import { wireRecord } from '../../terminal/program-status.js';
import { openAsks } from '../../terminal/presence.js';
import type { Terminal } from '../../terminal/terminal.js';
import { loggedOf, placeOf } from '../past/log-of.js';
import type { DoingWatch, Sample } from './doing-watch.js';
import { factsAt, type SourcedRecord } from './facts.js';
import { recordSignal } from './signals.js';

const NOTHING = decide([], 0);

/** @throws T4aError moment_lost, moment_unknown, revision_unknown, invalid_field */
export async function explainDoing(
  terminal: Terminal,
  watch: DoingWatch | undefined,
  at: string | number | undefined,
): Promise<Reply<'explain'>> {
  if (watch === undefined) {
    return {
      doing: NOTHING.doing,
      for_ms: null,
      signals: [],
      records: [],
      asks: openAsks(terminal),
      warning: 'It is a recording, and no program.',
    };
  }
  if (at !== undefined) return past(terminal, at);
  const { tellsAwaitingInput } = terminal.detectors;
  const reader = tellsAwaitingInput ? ((await terminal.detectors.probeInput()) ?? null) : undefined;
  return explained(watch.sample(reader), terminal.clock.wallNow());
}

function past(terminal: Terminal, at: string | number): Reply<'explain'> {
  const place = placeOf(terminal, at, 'at');
  const { rev, ms, seq } = place;
  const { log, now } = loggedOf(terminal, 'at');
  const moment = { rev, ts: ms, seq, ago_ms: Math.max(0, Math.round(now() - ms)) };
  const meantMs = timeMeant(at, terminal.createdAtMs, now);
  const facts = factsAt(log, meantMs === undefined ? place : { ms: meantMs });
  if (facts === undefined) {
    const warning = 'Nothing had said by then what the program does.';
    return { doing: NOTHING.doing, for_ms: null, signals: [], records: [], asks: 0, at: moment, warning };
  }
  const { records, signals, asks, nowMs } = facts;
  const claims = records.map((one) => recordSignal(one, one.source));
  return { ...explained({ ...decide([...signals, ...claims], nowMs, asks), records, asks }, nowMs), at: moment };
}

function explained({ doing, signals, records, asks }: Sample, nowMs: number): Reply<'explain'> {
  return {
    doing,
    for_ms: agoOf(doing.since, nowMs),
    ...wireSignals(signals, nowMs),
    records: wireRecords(records),
    asks,
  };
}

/** The latest first. */
function wireRecords(records: readonly SourcedRecord[]): NonNullable<Reply<'explain'>['records']> {
  return records
    .toReversed()
    .slice(0, MAX_SIGNALS)
    .map(({ source, record, stale }) => ({ source, ...wireRecord(record), at: record.at, stale: stale ?? null }));
}

function agoOf(since: number | null, nowMs: number): number | null {
  return since === null ? null : Math.max(0, Math.round(nowMs - since));
}

/** Between two screens the answer may be another: a time is that time, and no screen. */
function timeMeant(at: string | number, createdAtMs: number, now: () => number): number | undefined {
  const moment = parseLogMoment(at);
  if (moment === undefined || moment.before) return undefined;
  if (moment.kind === 'ts') return moment.number;
  if (moment.kind === 'since_start') return createdAtMs + moment.ms;
  if (moment.kind === 'end') return now();
  return moment.kind === 'before_end' ? now() - moment.ms : undefined;
}

function wireSignals(signals: readonly JudgedSignal[], nowMs: number): Pick<Reply<'explain'>, 'signals' | 'left_out'> {
  const shown = signals
    .slice(0, MAX_SIGNALS)
    .map(({ signal: { source, is, kind, says, since, at, by }, counts, why }) => {
      return { source, is, kind, says, since, age_ms: Math.max(0, Math.round(nowMs - at)), by, counts, why };
    });
  const leftOut = signals.length - shown.length;
  return { signals: shown, ...(leftOut === 0 ? {} : { left_out: leftOut }) };
}
