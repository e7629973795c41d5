/** Times as glibc writes them in the C locale, in the local zone, with its flags, widths and modifiers. Pure. */

const DAY_MS = 86_400_000;

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

type Text = (at: Date) => string;

const TEXTS: Readonly<Record<string, Text>> = {
  '%': () => '%',
  a: (at) => (DAYS[at.getDay()] ?? '').slice(0, 3),
  A: (at) => DAYS[at.getDay()] ?? '',
  b: (at) => (MONTHS[at.getMonth()] ?? '').slice(0, 3),
  h: (at) => (MONTHS[at.getMonth()] ?? '').slice(0, 3),
  B: (at) => MONTHS[at.getMonth()] ?? '',
  n: () => '\n',
  p: (at) => (at.getHours() < 12 ? 'AM' : 'PM'),
  P: (at) => (at.getHours() < 12 ? 'am' : 'pm'),
  t: () => '\t',
  Z: (at) => zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '',
};

const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' });

/** Least digits, and what fills them, of numbers. */
const NUMBERS: Readonly<Record<string, readonly [digits: number, fill: string, number: (at: Date) => number]>> = {
  C: [1, '0', (at) => Math.floor(at.getFullYear() / 100)],
  d: [2, '0', (at) => at.getDate()],
  e: [2, '_', (at) => at.getDate()],
  g: [2, '0', (at) => thursdayOf(at).getFullYear() % 100],
  G: [1, '0', (at) => thursdayOf(at).getFullYear()],
  H: [2, '0', (at) => at.getHours()],
  I: [2, '0', (at) => at.getHours() % 12 || 12],
  j: [3, '0', (at) => dayOf(at) + 1],
  k: [2, '_', (at) => at.getHours()],
  l: [2, '_', (at) => at.getHours() % 12 || 12],
  m: [2, '0', (at) => at.getMonth() + 1],
  M: [2, '0', (at) => at.getMinutes()],
  s: [1, '0', (at) => Math.floor(at.getTime() / 1000)],
  S: [2, '0', (at) => at.getSeconds()],
  u: [1, '0', (at) => at.getDay() || 7],
  U: [2, '0', (at) => Math.floor((dayOf(at) + 7 - at.getDay()) / 7)],
  V: [2, '0', (at) => Math.floor(dayOf(thursdayOf(at)) / 7) + 1],
  w: [1, '0', (at) => at.getDay()],
  W: [2, '0', (at) => Math.floor((dayOf(at) + 7 - ((at.getDay() + 6) % 7)) / 7)],
  y: [2, '0', (at) => at.getFullYear() % 100],
  Y: [1, '0', (at) => at.getFullYear()],
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

/** Conversions before which a modifier may not stand. */
const WITHOUT: Readonly<Record<string, string>> = { E: 'aAbBhdDeFgGHIjklmMSUVwW%', O: 'aAcDFxXY%' };

/** The buffer into which tmux writes a time: what is longer is nothing. */
const MOST_LENGTH = 8191;

/** @returns '' for a text of more than 8,191 characters */
export function strftime(format: string, atMs: number): string {
  const at = new Date(atMs);
  let room = MOST_LENGTH;
  const out = format.replaceAll(
    /%([-_0^#]*)(\d*)([EO]?)(.?)/gsu,
    (all: string, flags: string, given: string, modifier: string, name: string) => {
      if (room < 0) return '';
      const text = written(at, { all, flags, width: Number(given), modifier, name });
      room -= text.length;
      return text;
    },
  );
  return out.length > MOST_LENGTH ? '' : out;
}

interface Directive {
  readonly all: string;
  readonly flags: string;
  readonly width: number;
  readonly modifier: string;
  readonly name: string;
}

function written(at: Date, { all, flags, width, modifier, name }: Directive): string {
  if (width > MOST_LENGTH) return ' '.repeat(MOST_LENGTH + 1);
  const given = /[-_0](?=[^-_0]*$)/.exec(flags)?.[0];
  const filled = (text: string): string => text.padStart(width, given === '0' ? '0' : ' ');
  const isUpper = flags.includes('^');
  const cased = (text: string): string => {
    if (flags.includes('#') && 'pZ'.includes(name)) return text.toLowerCase();
    return name !== 'P' && (isUpper || (flags.includes('#') && (isKnown ? 'aAbBh' : 'AbBh').includes(name)))
      ? text.toUpperCase()
      : text;
  };
  const number = (digits: number, own: string, value: number): string => {
    const fill = own === '_' && given === undefined ? '_' : given;
    return filled(String(value).padStart(fill === '-' ? 0 : digits, fill === '_' ? ' ' : '0'));
  };
  const least = (digits: number): number => (name === 's' ? digits : Math.max(digits, width));
  const isKnown = name !== '' && WITHOUT[modifier]?.includes(name) !== true;
  const text = isKnown ? TEXTS[name] : undefined;
  if (text !== undefined) return filled(cased(text(at)));
  const of = isKnown ? NUMBERS[name] : undefined;
  if (of !== undefined) return number(least(of[0]), of[1], of[2](at));
  const composed = isKnown ? COMPOSED[name] : undefined;
  if (composed !== undefined) return filled(cased(strftime(composed, at.getTime())));
  if (name === 'z') {
    const minutes = -at.getTimezoneOffset();
    const hours = Math.trunc(Math.abs(minutes) / 60);
    return filled(minutes < 0 ? '-' : '+') + number(least(4), '0', hours * 100 + (Math.abs(minutes) % 60));
  }
  return filled(cased(name === '%' ? '%' : all));
}

/** Day of the year, from 0. */
function dayOf(at: Date): number {
  return Math.round(
    (Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) - Date.UTC(at.getFullYear(), 0, 1)) / DAY_MS,
  );
}

/** Thursday of its week, whose year is that of the week. */
function thursdayOf(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 4 - (at.getDay() || 7));
}
