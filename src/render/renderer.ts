/**
 * Snapshot -> picture. One renderer serves all terminals: glyphs are shared, and a row that was painted before under the
 * same options, in whatever place, is not painted again. Nothing is loaded before the first picture.
 */
import type { Snapshot } from '../vt/snapshot.js';
import { cursorOf, boxesKey, boxesOf } from './raster/overlays.js';
import { PngStream, type EncodedPng } from './raster/png-stream.js';
import { GlyphAtlas } from './glyphs/atlas.js';
import { checkCellSize } from './cell-size.js';
import type { PictureOptions } from './picture-options.js';
import { PixelArena } from './raster/blit.js';
import type { PictureRow } from './raster/row-store.js';
import { atOnce, inSlices } from './slices.js';
import { type CachedPainter, PainterCache } from './raster/painter-cache.js';
import { type ScreenView, viewOf } from './view.js';

export type { EncodedPng } from './raster/png-stream.js';
export type { PictureOptions } from './picture-options.js';

/** Streams of terminals that are looked at; the one unused for longest goes first. */
const MAX_STREAMS = 64;
const MAX_STREAM_BYTES = 16 << 20;
const MAX_IDLE_ARENAS = 1;

export class Renderer {
  readonly #fontsDir: string;
  readonly #atlasBytes: (() => number) | undefined;
  readonly #streams = new Set<PngStream>();
  readonly #arena = new PixelArena();
  readonly #idleArenas: PixelArena[] = [];
  #newest: PngStream | undefined;
  readonly #streamOfPicture = new WeakMap<object, PngStream>();
  #atlas: GlyphAtlas | undefined;
  #painters: PainterCache | undefined;

  /** @param atlasBytes drawn glyphs that are kept; asked again while they are drawn */
  constructor({ fontsDir, atlasBytes }: { readonly fontsDir: string; readonly atlasBytes?: () => number }) {
    this.#fontsDir = fontsDir;
    this.#atlasBytes = atlasBytes;
  }

  /** Bytes that are kept for the next pictures: drawn glyphs, and pictures. */
  get keptBytes(): { readonly glyphs: number; readonly pictures: number } {
    return { glyphs: this.#atlas?.byteLength ?? 0, pictures: this.#pictureBytes() };
  }

  /** Drops glyphs, rows and pictures; the next picture makes them anew. A picture that is being drawn is finished. */
  dropCaches(): void {
    for (const stream of this.#streams) if (!stream.busy) stream.clear();
    this.#streams.clear();
    this.#newest = undefined;
    this.#idleArenas.length = 0;
    this.#atlas = undefined;
    this.#painters = undefined;
  }

  /**
   * The whole picture at once. `terminal` is any object that stands for the terminal: with it, pictures start from what
   * the last one of that terminal needed, also when every row is new. Without it a terminal is known by its rows.
   */
  render(snapshot: Snapshot, options: PictureOptions, terminal?: object): EncodedPng {
    try {
      return atOnce(this.#begin(snapshot, options, terminal, this.#arena));
    } finally {
      this.#trim();
      this.#arena.trim();
    }
  }

  /**
   * The same picture, giving the loop a turn whenever painting has held it for 4 ms.
   * @throws the signal's reason, once that is aborted
   */
  async renderInSlices(
    snapshot: Snapshot,
    options: PictureOptions,
    terminal?: object,
    signal?: AbortSignal,
  ): Promise<EncodedPng> {
    const arena = this.#idleArenas.pop() ?? new PixelArena();
    try {
      return await inSlices(this.#begin(snapshot, options, terminal, arena), signal);
    } finally {
      this.#trim();
      arena.trim();
      if (this.#idleArenas.length < MAX_IDLE_ARENAS) this.#idleArenas.push(arena);
    }
  }

  /** Whether the picture is still kept; it then counts as used. */
  keeps(picture: object): boolean {
    const stream = this.#streamOfPicture.get(picture);
    if (stream === undefined || !this.#streams.delete(stream)) return false;
    this.#streams.add(stream);
    this.#newest = stream;
    return true;
  }

  *#begin(
    snapshot: Snapshot,
    options: PictureOptions,
    terminal: object | undefined,
    arena: PixelArena,
  ): Generator<void, EncodedPng> {
    checkCellSize(options);
    const view = viewOf(snapshot, options);
    this.#atlas ??= new GlyphAtlas(this.#fontsDir, this.#atlasBytes);
    this.#painters ??= new PainterCache(this.#atlas);
    const cached = this.#painters.of(view.snapshot, options);
    const stream = this.#streamOf(view.snapshot, options, cached, terminal);
    const picture = yield* stream.paint(rowsOf(view, options), arena);
    this.#streamOfPicture.set(picture, stream);
    return picture;
  }

  #streamOf(
    snapshot: Snapshot,
    options: PictureOptions,
    cached: CachedPainter,
    terminal: object | undefined,
  ): PngStream {
    const { owners, painter, reserved } = cached;
    const { cellWidth, cellHeight, pad } = options;
    const owner =
      terminal === undefined ? mostFrequent(snapshot.lines.map((row) => owners.get(row))) : owners.get(terminal);
    const width = snapshot.cols * cellWidth + 2 * pad;
    const newStream = (): PngStream => new PngStream(painter, { width, cellWidth, cellHeight, pad }, reserved);
    // Used for this picture only. If it were kept, it would replace the busy stream, and both would stay in memory.
    if (owner?.busy === true) return newStream();
    const stream = owner ?? newStream();
    for (const known of terminal === undefined ? snapshot.lines : [terminal]) owners.set(known, stream);
    this.#streams.delete(stream);
    this.#streams.add(stream);
    this.#newest = stream;
    return stream;
  }

  #pictureBytes(): number {
    let bytes = 0;
    for (const stream of this.#streams) bytes += stream.byteLength;
    return bytes;
  }

  /** Drops all but the picture that was asked for last and those that are being painted. */
  #trim(): void {
    let bytes = this.#pictureBytes();
    for (const stream of this.#streams) {
      if (this.#streams.size <= MAX_STREAMS && bytes <= MAX_STREAM_BYTES) return;
      if (stream === this.#newest || stream.busy) continue;
      bytes -= stream.byteLength;
      this.#streams.delete(stream);
      stream.clear();
    }
  }
}

function rowsOf(view: ScreenView, options: PictureOptions): readonly PictureRow[] {
  const { snapshot, rowOffset } = view;
  const cursor = options.cursor ? cursorOf(snapshot, options.focused ?? true) : undefined;
  const { marks = [], unchangedRows } = options;
  return snapshot.lines.map((row, y) => {
    const ownCursor = cursor?.row === y ? cursor : undefined;
    const faded = unchangedRows?.has(y - rowOffset) === true;
    const boxes = marks.length === 0 ? [] : boxesOf(marks, y, view, snapshot.cols);
    const cursorKey = ownCursor === undefined ? '' : `${ownCursor.shape} ${ownCursor.col}`;
    const variant = `${cursorKey}${faded ? ' faded' : ''}${boxesKey(boxes)}`;
    return { row, variant, look: { cursor: ownCursor, faded, boxes } };
  });
}

function mostFrequent(streams: readonly (PngStream | undefined)[]): PngStream | undefined {
  const counts = new Map<PngStream, number>();
  let best: PngStream | undefined;
  for (const stream of streams) {
    if (stream === undefined) continue;
    const count = (counts.get(stream) ?? 0) + 1;
    counts.set(stream, count);
    if (best === undefined || count > (counts.get(best) ?? 0)) best = stream;
  }
  return best;
}
