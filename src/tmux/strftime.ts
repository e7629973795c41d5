/** `%H` and the like of a format, in the local time and in the C locale. */
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const two = (number: number): string => String(number).padStart(2, '0');

const FIELDS: Readonly<Record<string, (date: Date) => string>> = {
  '%': () => '%',
  a: (date) => (DAYS[date.getDay()] ?? '').slice(0, 3),
  A: (date) => DAYS[date.getDay()] ?? '',
  b: (date) => (MONTHS[date.getMonth()] ?? '').slice(0, 3),
  h: (date) => (MONTHS[date.getMonth()] ?? '').slice(0, 3),
  B: (date) => MONTHS[date.getMonth()] ?? '',
  d: (date) => two(date.getDate()),
  e: (date) => String(date.getDate()).padStart(2),
  H: (date) => two(date.getHours()),
  I: (date) => two(date.getHours() % 12 || 12),
  j: (date) =>
    String(Math.round((date.getTime() - new Date(date.getFullYear(), 0, 0).getTime()) / 86_400_000)).padStart(3, '0'),
  m: (date) => two(date.getMonth() + 1),
  M: (date) => two(date.getMinutes()),
  n: () => '\n',
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  S: (date) => two(date.getSeconds()),
  t: () => '\t',
  u: (date) => String(date.getDay() || 7),
  w: (date) => String(date.getDay()),
  y: (date) => two(date.getFullYear() % 100),
  Y: (date) => String(date.getFullYear()),
};

const COMPOSED: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
};

export function strftime(format: string, atMs: number): string {
  const date = new Date(atMs);
  return format
    .replaceAll(/%(.)/g, (all, name: string) => COMPOSED[name] ?? all)
    .replaceAll(/%(.)/gs, (all, name: string) => FIELDS[name]?.(date) ?? all);
}
