/** Parts that pictures of equal options share: colours, the painter, and the stream of each terminal. */
import type { Snapshot } from '../../vt/snapshot.js';
import type { PngStream } from './png-stream.js';
import type { GlyphAtlas } from '../glyphs/atlas.js';
import { DEFAULT_MINIMUM_CONTRAST, CellColorRules, colorsKey, ScreenColors } from './cell-colors.js';
import type { Reserved } from './palette.js';
import type { PictureOptions } from '../picture-options.js';
import { RowPainter } from './row-painter.js';
import type { Theme } from '../theme.js';

export interface CachedPainter {
  readonly painter: RowPainter;
  /** Colours that every palette has. */
  readonly reserved: Reserved;
  /** The stream of a terminal, or the one that drew a row last. */
  readonly owners: WeakMap<object, PngStream>;
}

/** Programs that set colours make new ones; the one unused for longest goes first. */
const MAX_PAINTERS = 32;

export class PainterCache {
  readonly #atlas: GlyphAtlas;
  readonly #painters = new Map<string, CachedPainter>();
  readonly #themeIds = new WeakMap<Theme, number>();
  #themes = 0;

  constructor(atlas: GlyphAtlas) {
    this.#atlas = atlas;
  }

  of(snapshot: Snapshot, options: PictureOptions): CachedPainter {
    const { cellWidth, cellHeight, pad, cursor, theme, minimumContrast, boldAsBright } = options;
    const look = `${this.#themeId(theme)} ${minimumContrast} ${boldAsBright} ${colorsKey(snapshot)}`;
    const key = `${snapshot.cols} ${cellWidth} ${cellHeight} ${pad} ${cursor} ${look}`;
    const cached = this.#painters.get(key) ?? this.#open(snapshot, options);
    this.#painters.delete(key);
    this.#painters.set(key, cached);
    const [oldest] = this.#painters.keys();
    if (this.#painters.size > MAX_PAINTERS && oldest !== undefined) this.#painters.delete(oldest);
    return cached;
  }

  #open(snapshot: Snapshot, options: PictureOptions): CachedPainter {
    const colors = new ScreenColors(options.theme, snapshot.colors, snapshot.reverseScreen);
    const minimumContrast = options.minimumContrast ?? DEFAULT_MINIMUM_CONTRAST;
    const rules = { minimumContrast, boldAsBright: options.boldAsBright ?? false };
    const cellColors = {
      plain: new CellColorRules(colors, { ...rules, faded: false }),
      faded: new CellColorRules(colors, { ...rules, faded: true }),
    };
    const painter = new RowPainter(this.#atlas, cellColors, colors, options.cellWidth, options.cellHeight);
    const cursor = options.cursor ? painter.cursorColors() : undefined;
    return { painter, reserved: { background: colors.background, cursor }, owners: new WeakMap() };
  }

  #themeId(theme: Theme): number {
    const id = this.#themeIds.get(theme) ?? this.#themes++;
    this.#themeIds.set(theme, id);
    return id;
  }
}
