/** The reply of `explain`: the present answer with its signals, or the one that was given at a moment. */
import { decide, type JudgedSignal } from '../../events/status/doing.js';
import { MAX_SIGNALS } from '../../protocol/doing.js';
import { parseLogMoment } from '../../protocol/moment.js';
import type { Reply } from '../../protocol/registry.js';
import { openAsks } from '../../terminal/presence.js';
import type { Terminal } from '../../terminal/terminal.js';
import { placeOf } from '../past/log-of.js';
import type { DoingWatch } from './doing-watch.js';

const NOTHING = decide([], 0);

/** @throws T4aError moment_lost, moment_unknown, revision_unknown, invalid_field */
export async function explainDoing(
  terminal: Terminal,
  watch: DoingWatch | undefined,
  at: string | number | undefined,
): Promise<Reply<'explain'>> {
  const asks = openAsks(terminal);
  if (watch === undefined) {
    return { doing: NOTHING.doing, for_ms: null, signals: [], asks, warning: 'It is a recording, and no program.' };
  }
  if (at !== undefined) return { ...past(terminal, watch, at), asks };
  const { tellsAwaitingInput } = terminal.detectors;
  const reader = tellsAwaitingInput ? ((await terminal.detectors.probeInput()) ?? null) : undefined;
  const { doing, signals } = watch.now(reader);
  const nowMs = terminal.parts.clock.wallNow();
  return { doing, for_ms: agoOf(doing.since, nowMs), ...wireSignals(signals, nowMs), asks };
}

function past(terminal: Terminal, watch: DoingWatch, at: string | number): Omit<Reply<'explain'>, 'asks'> {
  const { rev, ms, seq } = placeOf(terminal, at, 'at');
  const moment = { rev, ts: ms, seq, ago_ms: Math.max(0, Math.round(terminal.parts.clock.wallNow() - ms)) };
  const meantMs = timeMeant(terminal, at);
  const given = watch.past.findLast((one) =>
    meantMs === undefined ? one.ts <= ms || one.seq <= seq : one.ts <= meantMs,
  );
  if (given === undefined) {
    const warning = 'No answer of that time is kept: nothing had said what the program does, or it is too long ago.';
    return { doing: NOTHING.doing, for_ms: null, signals: [], at: moment, warning };
  }
  return {
    doing: given.doing,
    for_ms: agoOf(given.doing.since, meantMs ?? ms),
    ...wireSignals(given.signals, meantMs ?? ms),
    at: moment,
  };
}

function agoOf(since: number | null, nowMs: number): number | null {
  return since === null ? null : Math.max(0, Math.round(nowMs - since));
}

/** Between two screens the answer may be another: a time is that time, and no screen. */
function timeMeant({ parts: { clock }, createdAtMs }: Terminal, at: string | number): number | undefined {
  const moment = parseLogMoment(at);
  if (moment === undefined || moment.before) return undefined;
  if (moment.kind === 'ts') return moment.number;
  if (moment.kind === 'since_start') return createdAtMs + moment.ms;
  if (moment.kind === 'end') return clock.wallNow();
  return moment.kind === 'before_end' ? clock.wallNow() - moment.ms : undefined;
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
