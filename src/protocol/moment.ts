/** A moment of a recording, as a text: `12.5s`, `1500ms`, `1:02.5` (since the start), `-5s` (before the end), `start`, `end`, `marker:NAME`. */

export type Moment =
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'since_start' | 'before_end'; readonly ms: number }
  | { readonly kind: 'marker'; readonly name: string };

/** What a message says was expected. */
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
