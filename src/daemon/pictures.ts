/** Pictures on request: turns the wire's options into the renderer's, and loads the renderer with the first one. */
import type { z } from 'zod';
import type { pictureReplyShape, pictureShape } from '../protocol/commands/screenshot.js';
import { T4aError } from '../protocol/errors.js';
import type { Renderer } from '../render/renderer.js';
import type { Snapshot } from '../vt/snapshot.js';

type PictureParams = z.output<z.ZodObject<typeof pictureShape>>;
type PictureFacts = Omit<z.output<z.ZodObject<typeof pictureReplyShape>>, 'len'>;

export interface DrawnPicture {
  /** The header's fields but `len`. */
  readonly facts: PictureFacts;
  readonly bytes: readonly Uint8Array[];
}

/** No side is longer than a PNG reader can be trusted with; 500x200 cells of 20x40 pixels fit. */
const MAX_SIDE_PIXELS = 16_384;

export class Pictures {
  readonly #fontsDir: string;
  #renderer: Promise<Renderer> | undefined;

  constructor(fontsDir: string) {
    this.#fontsDir = fontsDir;
  }

  /** @throws T4aError image_too_large, render_failed */
  async draw(snapshot: Snapshot, params: PictureParams): Promise<DrawnPicture> {
    const { DEFAULT_PROFILE, PROFILES, cellSizeOfScale } = await import('../render/cell-size.js');
    const { DEFAULT_THEME, THEMES } = await import('../render/theme.js');
    const { estimateTokens } = await import('../render/tokens.js');
    const { cellWidth, cellHeight } =
      params.scale === undefined ? PROFILES[DEFAULT_PROFILE] : cellSizeOfScale(params.scale);
    const pad = params.pad ?? 0;
    const width = snapshot.cols * cellWidth + 2 * pad;
    const height = snapshot.rows * cellHeight + 2 * pad;
    if (Math.max(width, height) > MAX_SIDE_PIXELS) {
      throw new T4aError(
        'image_too_large',
        `The picture would be ${width}x${height} pixels; the limit is ${MAX_SIDE_PIXELS} a side.`,
        {
          hint: 'Use a smaller "scale".',
          field: 'scale',
        },
      );
    }
    const theme = THEMES.get(DEFAULT_THEME);
    if (theme === undefined) throw new Error(`no theme ${DEFAULT_THEME}`);
    const renderer = await this.#load();
    const picture = renderer.render(snapshot, {
      cellWidth,
      cellHeight,
      pad,
      cursor: params.cursor,
      theme,
    });
    return {
      facts: {
        format: picture.format,
        width: picture.width,
        height: picture.height,
        cell_width: cellWidth,
        cell_height: cellHeight,
        cols: snapshot.cols,
        rows: snapshot.rows,
        rev: snapshot.rev,
        tokens: estimateTokens(picture.width, picture.height),
      },
      bytes: picture.chunks,
    };
  }

  #load(): Promise<Renderer> {
    this.#renderer ??= import('../render/renderer.js').then(
      ({ Renderer }) => new Renderer({ fontsDir: this.#fontsDir }),
    );
    return this.#renderer;
  }
}
