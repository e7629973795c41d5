/** What of a command goes to the clipboard: its output as text, and its lines as a picture. */
import type { Block } from './block-words.js';
import type { DaemonLink } from './daemon-link.js';
import type { ThemeName } from './palette.js';

/** Lines of one picture; of a longer block the last ones. */
export const MOST_LINES = 400;

/** The terminal goes on while it is drawn. */
const TRIES = 5;

const THEMES: Readonly<Record<ThemeName, string>> = { dark: 'tokyo-night', light: 'light' };

interface Source {
  readonly link: DaemonLink;
  readonly id: string;
}

/** Of a longer output its head and its tail. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface Output {
  readonly text: string;
  /** Lines that are left out. */
  readonly omitted: number;
}

/** Lines that were wrapped are one. @throws RequestError */
export async function outputOf({ link, id }: Source, n: number): Promise<Output> {
  const fields = { id, command: n, join_wrapped: true, trim: true, max_bytes: MOST_BYTES } as const;
  const { lines, omitted } = await link.ask('text', fields);
  if (omitted === undefined) return { text: lines.join('\n'), omitted: 0 };
  const note = `[${omitted.lines} lines left out]`;
  return { text: lines.toSpliced(omitted.after, 0, note).join('\n'), omitted: omitted.lines };
}

export interface Picture {
  readonly png: Blob;
  /** It has the last {@link MOST_LINES} lines alone. */
  readonly isCut: boolean;
}

/**
 * The picture is of rows of the viewport: rows and numbers must be of one revision.
 * @throws RequestError, Error in words for a person
 */
export async function pictureOf({ link, id }: Source, block: Block, theme: ThemeName): Promise<Picture> {
  for (let i = 0; i < TRIES; i++) {
    const [view, output] = await Promise.all([
      link.ask('text', { id, region: 'viewport', start: 0, end: 0 }),
      link.ask('text', { id, command: block.n, start: 0, end: 0 }),
    ]);
    if (view.rev !== output.rev) continue;
    const top = view.first_line - view.total_lines;
    const { first_line: end, total_lines: lines } = output;
    const head = end - lines - (block.first - block.head);
    const first = Math.max(head, end - MOST_LINES);
    const above = Math.max(0, top - first);
    const size = { rows: Math.max(1, end - first), cols: await colsOf(link, id) };
    const picture = await link.ask('screenshot', {
      id,
      inline: true,
      cursor: false,
      profile: 'exact',
      theme: THEMES[theme],
      scrollback: above,
      region: { row: first - top, col: 0, ...size },
    });
    if (picture.rev === view.rev && picture.data !== undefined)
      return { png: pngOf(picture.data), isCut: first > head };
  }
  throw new Error('The terminal changes too fast for a picture of that command.');
}

async function colsOf(link: DaemonLink, id: string): Promise<number> {
  return (await link.ask('status', { id })).cols;
}

function pngOf(base64: string): Blob {
  return new Blob([Uint8Array.from(atob(base64), (byte) => byte.codePointAt(0) ?? 0)], { type: 'image/png' });
}
