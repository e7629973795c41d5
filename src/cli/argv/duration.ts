/** A time on the command line: whole milliseconds, or a number with its unit. */
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Words of messages for a time that was expected. */
export const EXPECTED_DURATION = 'a time, such as 500, 500ms, 5s or 2m';

/** `500`, `500ms`, `1.5s`, `2m`, `1h` in milliseconds; undefined if it is no time. */
export function milliseconds(text: string): number | undefined {
  const [, number, unit] = DURATION.exec(text) ?? [];
  if (number === undefined) return undefined;
  const ms = Number(number) * (UNIT_MS[unit ?? 'ms'] ?? 1);
  return Number.isSafeInteger(ms) ? ms : undefined;
}
