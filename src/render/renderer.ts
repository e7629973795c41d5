/**
 * Snapshot -> PNG. One renderer serves all terminals: glyphs are shared, and a row that was painted before under the same
 * options, in whatever place, is not painted again. Synchronous; nothing is loaded before the first picture.
 */
import type { Snapshot, SnapshotRow } from '../vt/snapshot.js';
import type { FrameRow } from './band-store.js';
import { cellSizeOfWidth, PictureSizeError } from './cell-size.js';
import { cursorOf, type DrawnCursor } from './cursor.js';
import { Frame, type Picture } from './frame.js';
import { GlyphAtlas } from './glyph-atlas.js';
import { DEFAULT_MINIMUM_CONTRAST, Inks } from './ink.js';
import { PixelArena } from './pixel-arena.js';
import { RowPainter } from './row-painter.js';
import { colorsKey, ScreenColors } from './screen-colors.js';
import type { Theme } from './theme.js';

export type { Picture } from './frame.js';

export interface PictureOptions {
  /** Pixels: 4 to 64 wide, twice as high. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Blank pixels on every side. */
  readonly pad: number;
  readonly cursor: boolean;
  readonly theme: Theme;
  /** Contrast (WCAG) that text reaches upon its background, 4.5 unless told; 1 leaves colours alone. */
  readonly minimumContrast?: number;
  /** Bold text in colours 0 to 7 takes 8 to 15. */
  readonly boldAsBright?: boolean;
  /** False draws the cursor hollow. */
  readonly focused?: boolean;
}

/** All that rows of equal options share. */
interface Studio {
  readonly painter: RowPainter;
  readonly background: number;
  /** The frame of a terminal, or that drew a row last. */
  readonly owners: WeakMap<object, Frame>;
}

const MAX_STUDIOS = 32;
/** Frames of terminals that are looked at; the one unused for longest goes first. */
const MAX_FRAMES = 64;
const MAX_FRAME_BYTES = 32 << 20;

export class Renderer {
  readonly #fontsDir: string;
  readonly #studios = new Map<string, Studio>();
  readonly #frames = new Set<Frame>();
  readonly #arena = new PixelArena();
  readonly #themeIds = new WeakMap<Theme, number>();
  #themes = 0;
  #atlas: GlyphAtlas | undefined;

  constructor({ fontsDir }: { readonly fontsDir: string }) {
    this.#fontsDir = fontsDir;
  }

  /**
   * `terminal` is any object that stands for the terminal: with it, pictures start from what the last one of that
   * terminal needed, also when every row is new. Without it a terminal is known by its rows.
   */
  render(snapshot: Snapshot, options: PictureOptions, terminal?: object): Picture {
    checkSize(options);
    const studio = this.#studio(snapshot, options);
    const frame = this.#frameOf(snapshot, options, studio, terminal);
    const cursor = options.cursor ? cursorOf(snapshot, options.focused ?? true) : undefined;
    const picture = frame.render(snapshot.lines.map((row, y) => rowOf(row, cursor?.row === y ? cursor : undefined)));
    if (terminal === undefined) for (const row of snapshot.lines) studio.owners.set(row, frame);
    else studio.owners.set(terminal, frame);
    this.#trim();
    return picture;
  }

  #studio(snapshot: Snapshot, options: PictureOptions): Studio {
    const { cellWidth, cellHeight, pad, theme } = options;
    const minimumContrast = options.minimumContrast ?? DEFAULT_MINIMUM_CONTRAST;
    const boldAsBright = options.boldAsBright ?? false;
    const size = `${snapshot.cols} ${cellWidth} ${cellHeight} ${pad}`;
    const key = `${size} ${this.#themeId(theme)} ${minimumContrast} ${boldAsBright} ${colorsKey(snapshot)}`;
    const known = this.#studios.get(key);
    if (known !== undefined) return known;
    this.#atlas ??= new GlyphAtlas(this.#fontsDir);
    const colors = new ScreenColors(theme, snapshot.colors, snapshot.reverseScreen);
    const inks = new Inks(colors, { minimumContrast, boldAsBright });
    const painter = new RowPainter(this.#atlas, inks, colors, cellWidth, cellHeight);
    const studio = { painter, background: colors.background, owners: new WeakMap() };
    this.#studios.set(key, studio);
    dropOldest(this.#studios, this.#studios.size > MAX_STUDIOS);
    return studio;
  }

  #frameOf(snapshot: Snapshot, options: PictureOptions, studio: Studio, terminal: object | undefined): Frame {
    const { cellWidth, cellHeight, pad } = options;
    const owner =
      terminal === undefined
        ? mostFrequent(snapshot.lines.map((row) => studio.owners.get(row)))
        : studio.owners.get(terminal);
    const width = snapshot.cols * cellWidth + 2 * pad;
    const frame =
      owner ?? new Frame(studio.painter, this.#arena, { width, cellHeight, pad, background: studio.background });
    this.#frames.delete(frame);
    this.#frames.add(frame);
    return frame;
  }

  #trim(): void {
    let bytes = 0;
    for (const frame of this.#frames) bytes += frame.byteLength;
    for (const frame of this.#frames) {
      if (this.#frames.size <= MAX_FRAMES && bytes <= MAX_FRAME_BYTES) return;
      bytes -= frame.byteLength;
      this.#frames.delete(frame);
      frame.clear();
    }
  }

  #themeId(theme: Theme): number {
    const id = this.#themeIds.get(theme) ?? this.#themes++;
    this.#themeIds.set(theme, id);
    return id;
  }
}

function checkSize({ cellWidth, cellHeight, pad }: PictureOptions): void {
  if (cellSizeOfWidth(cellWidth).cellHeight !== cellHeight) {
    throw new PictureSizeError(
      `A cell of ${cellWidth}x${cellHeight} pixels cannot be drawn: it is twice as high as wide.`,
    );
  }
  if (!Number.isInteger(pad) || pad < 0) throw new PictureSizeError(`A pad of ${pad} pixels cannot be drawn.`);
}

function rowOf(row: SnapshotRow, cursor: DrawnCursor | undefined): FrameRow {
  const variant = cursor === undefined ? '' : `${cursor.col} ${cursor.shape}`;
  return { row, variant, look: { cursor } };
}

function mostFrequent(frames: readonly (Frame | undefined)[]): Frame | undefined {
  const counts = new Map<Frame, number>();
  let best: Frame | undefined;
  for (const frame of frames) {
    if (frame === undefined) continue;
    const count = (counts.get(frame) ?? 0) + 1;
    counts.set(frame, count);
    if (best === undefined || count > (counts.get(best) ?? 0)) best = frame;
  }
  return best;
}

function dropOldest(map: Map<string, unknown>, full: boolean): void {
  const [oldest] = map.keys();
  if (full && oldest !== undefined) map.delete(oldest);
}
