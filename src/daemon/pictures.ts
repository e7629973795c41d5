/** Pictures on request: turns the wire's options into the renderer's, and loads the renderer with the first one. */
import type { z } from 'zod';
import type { Config } from '../protocol/commands/config.js';
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

export type PictureLimits = Pick<Config, 'max_image_side' | 'atlas_bytes'>;

export class Pictures {
  readonly #fontsDir: string;
  readonly #limits: () => PictureLimits;
  #renderer: Promise<Renderer> | undefined;

  constructor(fontsDir: string, limits: () => PictureLimits) {
    this.#fontsDir = fontsDir;
    this.#limits = limits;
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
    const most = this.#limits().max_image_side;
    if (Math.max(width, height) > most) {
      throw new T4aError(
        'image_too_large',
        `The picture would be ${width}x${height} pixels; the limit is ${most} a side.`,
        {
          hint: 'Use a smaller "scale", or raise "max_image_side" with "config".',
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
      ({ Renderer }) => new Renderer({ fontsDir: this.#fontsDir, atlasBytes: () => this.#limits().atlas_bytes }),
    );
    return this.#renderer;
  }
}
