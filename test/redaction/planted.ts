/** Random output of a program with a secret planted in it, and a naive search that knows nothing of how secrets are masked. */
import * as fc from 'fast-check';

export const SECRETS = [
  'AKIAIOSFODNN7EXAMPLE',
  'ghp_0123456789abcdefghijABCDEFGHIJ012345',
  'sk-ant-api03-0123456789abcdefghij',
  'xoxb-123456789012-abcdefABCDEF',
  'geheim-密码-und-lang',
  'hunter2-of-a-variable',
] as const;

/** For {@link SECRETS}: the last two are a pattern and a value. */
export const SETTINGS = { patterns: ['geheim-[^ ]{2}-und-lang'], variables: ['*_PASSWORD'], known: true };
export const VARIABLES = { DATABASE_PASSWORD: 'hunter2-of-a-variable' };

/** What may stand between two characters of a secret: it moves nothing. */
const WITHIN = [
  '',
  '',
  '',
  '',
  '\x1b[1m',
  '\x1b[0;38;5;9m',
  '\x1b[K',
  '\x1b]8;;https://example.org/\x07',
  '\x1b]8;;\x1b\\',
  '\x07',
  '\x1b(B',
  '\x1b[?25l',
  '\0',
  '\u200b',
  '\ufeff',
  '\u2060',
  '\u0301',
];
const WORDS = [
  'make: done',
  '\r\n',
  '\r\n',
  ' ',
  'ä中😀',
  '\x1b[31mred\x1b[m',
  '\tcolumn',
  '\x1b]2;a title\x07',
  '#',
  '50%\r',
  // No letters: beside those of a secret that is drawn there, it would be none.
  '\r\n.://. .://.\r\n',
  '\r\n. . .\r\n'.repeat(10),
  '\r\n\t.\t.\r\n',
  '\r\n密码\r\n',
  '\x1b[32m.\x1b[m\x1b[K\r\n',
  '\x1b[2;3H',
  'AKIA',
  'ghp_',
];

const at = (row: number, col: number): string => `\x1b[${row + 1};${col + 1}H`;

/** Ways to draw letters in another order than that of the text, or more than once. They are not wide, and end with a blank. */
const DRAWN: Readonly<Record<string, (letters: readonly string[], cols: number, seed: number) => string>> = {
  places: (letters, cols, seed) => {
    const placed = letters.map((letter, i) => `${at(2 + Math.floor((i + 3) / cols), (i + 3) % cols)}${letter}`);
    return `${placed.toSorted((a, b) => ((a.length * seed) % 7) - ((b.length * seed) % 7) || (a < b ? 1 : -1)).join('')}\r\n`;
  },
  columns: (letters, cols) =>
    `\x1b[2J${letters.map((letter, i) => (i < cols - 4 ? `${at(1, i)}${letter}${at(4, i)}#` : `${at(1 + Math.floor(i / cols), i % cols)}${letter}`)).join('')}\r\n`,
  overstruck: (letters) => `\r\n${letters.map((letter) => `${letter}\b${letter}`).join('')} `,
  mistyped: (letters) => `\r\n${letters.map((letter) => `x\b \b${letter}`).join('')} `,
  repainted: (letters, cols) =>
    letters.length > cols ? '' : `\r\n${letters.map((_, i) => `\r${letters.slice(0, i + 1).join('')}`).join('')}\r\n`,
  erased: (letters, cols) =>
    letters.length > cols
      ? ''
      : `\r\n${letters.map((_, i) => `\r\x1b[K\x1b[1m${letters.slice(0, i + 1).join('')}\x1b[m`).join('')}\r\n`,
  inserted: (letters, cols) =>
    letters.length > cols
      ? ''
      : `\r\n\x1b[4h${letters
          .map((letter) => `\r${letter}`)
          .toReversed()
          .join('')}\x1b[4l\r\n`,
  opened: (letters, cols) =>
    letters.length > cols
      ? ''
      : `\r\n${letters
          .map((letter) => `\r\x1b[@${letter}`)
          .toReversed()
          .join('')}\r\n`,
  closed: (letters, cols) =>
    letters.length + 3 > cols
      ? ''
      : `\r\n${letters.slice(0, 9).join('')}xyz${letters.slice(9).join('')}\x1b[10G\x1b[3P\r\n`,
  'on the other screen': (letters) => `\x1b[?1049h${at(3, 0)}${letters.join('')}\x1b[?1049l`,
  'in a region': (letters) => `\x1b[2;5r${at(4, 0)}\n${letters.join('')} \n\x1b[r`,
  'then covered': (letters) =>
    `${at(2, 0)}${letters.slice(0, 8).join('')}\x1b7${at(0, 0)}#\x1b8${letters.slice(8).join('')}${at(2, 0)}\x1b[2K`,
};

/** A secret in a place of its own, as a program may write it. */
function written(cols: number): fc.Arbitrary<string> {
  const within = fc.array(fc.constantFrom(...WITHIN), { minLength: 64, maxLength: 64 });
  return fc
    .tuple(
      fc.constantFrom(...SECRETS),
      within,
      fc.constantFrom('line', 'rows', 'line', 'rows', 'title', 'link', 'clipboard', ...Object.keys(DRAWN)),
      fc.nat(cols - 1),
    )
    .map(([secret, parts, form, col]) => {
      if (form === 'title') return `\x1b]2;in a ${secret} title\x07`;
      if (form === 'link') return `\x1b]8;;https://example.org/?key=${secret}\x1b\\link\x1b]8;;\x1b\\ `;
      if (form === 'clipboard') return `\x1b]52;c;${Buffer.from(`is ${secret}`).toString('base64')}\x07`;
      const characters = Array.from(secret);
      const draw = DRAWN[form];
      if (draw !== undefined) return /[^ -~]/.test(secret) ? '' : draw(characters, cols, col);
      let text = `\r\n${'.'.repeat(col)} `;
      let at = col + 1;
      for (const [i, character] of characters.entries()) {
        const width = /[\u4e00-\u9fff]/.test(character) ? 2 : 1;
        if (form === 'rows' && at === cols) {
          text += '\r\n';
          at = 0;
        } else if (at + width > cols) at = 0;
        text += character + (i < characters.length - 1 ? parts[i] : '');
        at += width;
      }
      return `${text} `;
    });
}

export interface Planted {
  readonly cols: number;
  readonly text: string;
  /** In the parts in which it comes. */
  readonly parts: readonly string[];
}

export const planted: fc.Arbitrary<Planted> = fc.integer({ min: 12, max: 40 }).chain((cols) =>
  fc
    .tuple(
      fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...WORDS) }, { weight: 2, arbitrary: written(cols) }), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.array(
        fc.oneof(
          { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }) },
          { weight: 1, arbitrary: fc.integer({ min: 60, max: 2000 }) },
        ),
        { minLength: 1, maxLength: 40 },
      ),
    )
    .map(([pieces, cuts]) => {
      const text = pieces.join('');
      const characters = Array.from(text);
      const parts: string[] = [];
      for (let at = 0, i = 0; at < characters.length; i++) {
        const length = cuts[i % cuts.length] ?? 1;
        parts.push(characters.slice(at, at + length).join(''));
        at += length;
      }
      return { cols, text, parts };
    }),
);

/** The secrets that a text has, whatever sequences and row ends stand between their characters. */
export function foundIn(text: string): string[] {
  const decoded = text.replaceAll(/52;c;([A-Za-z0-9+/=]+)/g, (_, data: string) =>
    Buffer.from(data, 'base64').toString(),
  );
  /* oxlint-disable no-control-regex */
  const bare = decoded
    .replaceAll(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, '')
    .replaceAll(/\x1b\[[0-?]*[ -/]*[@-~]|\x1b\(B|\x1b[78]|[\x00-\x1f\x7f]/g, '');
  /* oxlint-enable no-control-regex */
  const seen = [decoded, bare, bare.replaceAll(/\u200b|\u2060|\ufeff|\u0301/g, '')];
  // Also without its last character, as it stood before that was drawn.
  return SECRETS.filter((secret) => seen.some((each) => each.includes(secret.slice(0, -1))));
}
