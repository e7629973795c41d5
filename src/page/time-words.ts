/** Times of the past, for people. Pure. */

/** Of a wall clock: 19:32:05.3, with the day if it is another than that of `nowMs`. */
export function clockWords(ms: number, nowMs: number): string {
  const [then, now] = [new Date(ms), new Date(nowMs)];
  const time = `${two(then.getHours())}:${two(then.getMinutes())}:${two(then.getSeconds())}.${Math.floor(then.getMilliseconds() / 100)}`;
  const isSameDay = then.toDateString() === now.toDateString();
  return isSameDay ? time : `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}

/** Of a stretch of time: 0:07.3, 12:05.0, 1:02:03. */
export function spanWords(ms: number): string {
  const tenths = Math.max(0, Math.floor(ms / 100));
  const [seconds, minutes] = [Math.floor(tenths / 10), Math.floor(tenths / 600)];
  if (minutes >= 60) return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}.${tenths % 10}`;
}

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** 3 min ago. */
export function agoWords(ms: number): string {
  const [unitMs, name] = UNITS.find(([unit]) => ms >= unit) ?? [1000, 's'];
  const count = ms / unitMs;
  return `${count < 10 && ms >= 1000 ? Math.floor(count * 10) / 10 : Math.max(0, Math.floor(count))} ${name} ago`;
}

const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Time of day, and the day if it is not today: a person may have been away for a night. @param ms since the Unix epoch */
export function timeOfDay(ms: number): string {
  const date = new Date(ms);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleTimeString([], isToday ? TIME : { weekday: 'short', ...TIME });
}

const STEPS_MS: readonly number[] = [100, 250, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000];

/** One press of an arrow: a round time of which some 100 make the whole. */
export function stepOf(lengthMs: number): number {
  return STEPS_MS.find((step) => step * 100 >= lengthMs) ?? 3_600_000;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
