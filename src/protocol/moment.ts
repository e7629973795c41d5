/** A moment of a recording, as a text: `12.5s`, `1500ms`, `1:02.5` (since the start), `-5s` (before the end), `start`, `end`, `marker:NAME`. */

export type Moment =
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'since_start' | 'before_end'; readonly ms: number }
  | { readonly kind: 'marker'; readonly name: string };

/** Words of messages for a moment that was expected. */
export const EXPECTED_MOMENT = '12.5s, 1500ms, 1:02.5, -5s (before the end), start, end or marker:NAME';

/** All moments, and nothing else. */
export const MOMENT =
  /^(?:start|end|marker:[\s\S]*|-?\d{1,9}(?:\.\d+)?(?:ms|s|m|h)|(?:\d{1,4}:)?\d{1,4}:\d{1,2}(?:\.\d+)?)$/;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** @returns undefined if it is no moment */
export function parseMoment(text: string): Moment | undefined {
  if (text === 'start' || text === 'end') return { kind: text };
  if (text.startsWith('marker:')) return { kind: 'marker', name: text.slice('marker:'.length) };
  const [, sign, number, unit] = /^(-?)(\d{1,9}(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  if (number !== undefined && unit !== undefined) {
    return { kind: sign === '-' ? 'before_end' : 'since_start', ms: Number(number) * (UNIT_MS[unit] ?? 1) };
  }
  const [, hours = '0', minutes, seconds] = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2}(?:\.\d+)?)$/.exec(text) ?? [];
  if (minutes === undefined || seconds === undefined) return undefined;
  return { kind: 'since_start', ms: Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 };
}

/** A moment of a live terminal. Revision, event, command, input and markers are those of its log. */
export type LogMoment = LogPoint & {
  /** The screen just before it: the revision before. */
  readonly before: boolean;
};

export type LogPoint =
  | Moment
  | { readonly kind: 'rev' | 'seq' | 'ts'; readonly number: number }
  /** `back` 1 is the last. */
  | { readonly kind: 'input'; readonly back: number }
  /** `command` as in `commands`: -1 is the last. */
  | { readonly kind: 'command'; readonly command: number; readonly point: 'start' | 'end' };

export const EXPECTED_LOG_MOMENT =
  'a revision, -5s, -1500ms, 1:02.5 (since the start), ts:MS, an ISO time, rev:N, seq:N, command:-1:start, command:-1:end, input, input:-2, marker:NAME, start or end; with ^ at its end, just before it';

/** Their form; a date may still be none. */
export const LOG_MOMENT =
  /^(?:start|end|input(?::-[1-9]\d{0,8})?|(?:(?:rev|seq|ts):)?\d{1,15}|command:-?\d{1,9}(?::start|:end)?|marker:[\s\S]*|\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?|-?\d{1,9}(?:\.\d+)?(?:ms|s|m|h)|(?:\d{1,4}:)?\d{1,4}:\d{1,2}(?:\.\d+)?)\^?$/;

/** @returns undefined if it is no moment */
export function parseLogMoment(given: string | number): LogMoment | undefined {
  if (typeof given === 'number') return { kind: 'rev', number: given, before: false };
  const before = given.endsWith('^');
  const point = parseLogPoint(before ? given.slice(0, -1) : given);
  return point && { ...point, before };
}

function parseLogPoint(text: string): LogPoint | undefined {
  const [, kind, digits] = /^(?:(rev|seq|ts):)?(\d{1,15})$/.exec(text) ?? [];
  if (digits !== undefined) return { kind: (kind ?? 'rev') as 'rev' | 'seq' | 'ts', number: Number(digits) };
  if (text === 'input') return { kind: 'input', back: 1 };
  const [, back] = /^input:-(\d{1,9})$/.exec(text) ?? [];
  if (back !== undefined && Number(back) > 0) return { kind: 'input', back: Number(back) };
  const [, command, point = 'end'] = /^command:(-?\d{1,9})(?::(start|end))?$/.exec(text) ?? [];
  if (command !== undefined) return { kind: 'command', command: Number(command), point: point as 'start' | 'end' };
  if (/^\d{4}-\d\d-\d\dT/.test(text)) {
    const ms = Date.parse(text);
    return Number.isNaN(ms) ? undefined : { kind: 'ts', number: ms };
  }
  return parseMoment(text);
}
