/**
 * A clip as one HTML file that plays it: each different row of cells once, and a timeline of which rows stand where. No
 * emulator runs in the browser. The page loads nothing, and runs only its own script, whose hash its policy names.
 */
import { createHash } from 'node:crypto';
import { htmlRows } from '../render/vector/html.js';
import type { RecordedClip } from './clip.js';
import type { Exported } from './exported.js';
import { boundedFrames, type FilmOptions } from './film.js';
import { PLAYER_SCRIPT, PLAYER_STYLE } from './html-player-page.js';

/** Pixels that a row counts for in the bound on all pixels, since it costs as much as some. */
const PIXELS_OF_CELL = 16;

/** Milliseconds, then pairs of a place and a row of {@link Film.rows}, for the places that change. */
type FrameChanges = readonly number[];

interface Film {
  readonly rows: readonly string[];
  readonly frames: readonly FrameChanges[];
  readonly markers: readonly { readonly ms: number; readonly label: string }[];
  readonly durationMs: number;
}

/** @throws T4aError export_too_large */
export async function htmlPlayer(clip: RecordedClip, options: FilmOptions): Promise<Exported> {
  await clip.begin();
  const { cols, rows } = clip.grid();
  const symbols = new Map<string, string>();
  const table = new RowTable();
  const frames: FrameChanges[] = [];
  let style = '';
  let places: number[] = [];
  for await (const { snapshot, atMs } of boundedFrames(clip, options, cols * rows * PIXELS_OF_CELL)) {
    const screen = htmlRows(snapshot, options, symbols);
    style ||= screen.style;
    const now = Array.from({ length: rows }, (_, y) => table.indexOf(screen.rows[y] ?? ''));
    const changes = now.flatMap((row, y) => (row === places[y] ? [] : [y, row]));
    places = now;
    if (changes.length > 0) frames.push([Math.round(atMs), ...changes]);
  }
  const markers = [...clip.events()].flatMap((event) =>
    event.kind === 'marker' ? [{ ms: Math.round(event.atMs), label: event.label }] : [],
  );
  const durationMs = Math.round(clip.durationMs);
  const film: Film = { rows: table.rows, frames, markers, durationMs };
  const { title = '' } = clip.recording.start;
  const width = cols * options.cellWidth + 2 * options.pad;
  const page = pageOf(film, { title, style, width, symbols: [...symbols.values()].join('') });
  return { chunks: [Buffer.from(page)], durationMs, frames: frames.length };
}

class RowTable {
  readonly rows: string[] = [];
  readonly #indexOf = new Map<string, number>();

  indexOf(html: string): number {
    // A file of somebody else's machine is no target.
    const row = html.replaceAll(/<a href="file:[^"]*">/gi, '<a>');
    let index = this.#indexOf.get(row);
    if (index === undefined) {
      index = this.rows.push(row) - 1;
      this.#indexOf.set(row, index);
    }
    return index;
  }
}

interface PageParts {
  readonly title: string;
  readonly style: string;
  readonly width: number;
  readonly symbols: string;
}

function pageOf(film: Film, { title, style, width, symbols }: PageParts): string {
  const hash = createHash('sha256').update(PLAYER_SCRIPT).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  // No text of the recording ends the element.
  const data = JSON.stringify(film).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width"><title>${escaped(title === '' ? 'Recording' : title)}</title><style>
${style}${PLAYER_STYLE}#t4a{width:${width}px}
</style></head><body><div id="t4a"><pre id="screen"></pre>
<div id="bar"><button id="play" aria-label="Play or pause"></button><input id="seek" type="range" min="0" step="1" aria-label="Time"><span id="time"></span><select id="speed" aria-label="Speed"><option>0.5</option><option selected>1</option><option>2</option><option>4</option></select><select id="chapters" aria-label="Markers"><option value="0">start</option></select></div></div>
<svg style="display:none">${symbols}</svg>
<script id="film" type="application/json">${data}</script>
<script>${PLAYER_SCRIPT}</script></body></html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
