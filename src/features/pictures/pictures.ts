/** Pictures on request: turns the wire's options into the renderer's, and loads the renderer with the first one. */
import { type HasParts, PartKey } from '../../base/parts.js';
import { availableParallelism } from 'node:os';
import type { z } from 'zod';
import { errnoOf } from '../../base/errno.js';
import type { Disposable } from '../../base/lifetime.js';
import type { Config } from '../../protocol/commands/config.js';
import { T4aError } from '../../protocol/errors.js';
import { type PictureParams, type pictureReplyShape, pictureShape } from '../../protocol/picture.js';
import { drawingBytes, estimateTokens } from '../../render/costs.js';
import type { EncodedPicture } from '../../render/draw.js';
import { legibilityOf } from '../../render/fit.js';
import type { Renderer } from '../../render/renderer.js';
import type { Theme } from '../../render/theme.js';
import { viewGrid } from '../../render/view.js';
import type { Call } from '../../rpc/service.js';
import type { Snapshot } from '../../vt/snapshot.js';
import type { MarkedCapture } from './capture.js';
import { type DrawingFigures, DrawingQueue } from './queue.js';
import { framing } from './framing.js';
import { taskRoom } from '../../terminal/system/task-room.js';
import type { Themes } from './themes.js';

type PictureFacts = Omit<z.output<z.ZodObject<typeof pictureReplyShape>>, 'len'>;

export interface PictureReply {
  /** The header's fields but `len`. */
  readonly facts: PictureFacts;
  readonly bytes: readonly Uint8Array[];
}

interface Wanted {
  readonly snapshot: Snapshot;
  readonly theme: Theme;
  /** Undefined for a picture that is asked for once. */
  readonly look: string | undefined;
}

/** Held weakly: what is kept for the next pictures, and for how long, is the renderer's to decide. */
interface LastPicture {
  readonly snapshot: WeakRef<Snapshot>;
  readonly theme: Theme;
  readonly look: string;
  readonly picture: WeakRef<EncodedPicture>;
  readonly facts: PictureFacts;
}

/** Made with the first picture, as the schema is. */
let lookFields: readonly string[] | undefined;

/** Made by sharp, on threads of its own and of libuv's. */
const THREADED_FORMATS: ReadonlySet<string> = new Set(['webp', 'jpeg']);
const THREADS_OF_SHARP = 16;
/** Drawn with the canvas, which starts a thread for each processor when it is loaded. */
const DRAWN_FORMATS: ReadonlySet<string> = new Set(['png', ...THREADED_FORMATS]);

export type PictureLimits = Pick<Config, 'max_image_side' | 'atlas_bytes' | 'max_memory_bytes'>;

/** What pictures may take while they are drawn; less where the daemon may have less than four times as much. */
const MAX_DRAWING_BYTES = 256 << 20;
const DRAWING_SHARE = 1 / 4;

const LAST_PICTURE = new PartKey<LastPicture | undefined>(() => undefined);

export class Pictures {
  readonly #fontsDir: string;
  readonly #themes: Themes;
  readonly #limits: () => PictureLimits;
  readonly #line: DrawingQueue;
  #loading: ReturnType<typeof loadRenderer> | undefined;
  #renderer: Renderer | undefined;

  constructor(fontsDir: string, themes: Themes, limits: () => PictureLimits) {
    this.#fontsDir = fontsDir;
    this.#themes = themes;
    this.#limits = limits;
    this.#line = new DrawingQueue(() => drawingLimit(limits().max_memory_bytes));
  }

  /** Pictures being drawn, and pictures that wait until memory is free for them. */
  get drawing(): DrawingFigures {
    return this.#line.figures;
  }

  /** Memory that is kept for the next pictures. */
  get keptBytes(): Renderer['keptBytes'] {
    return this.#renderer?.keptBytes ?? { glyphs: 0, pictures: 0 };
  }

  /** Gives back what is kept for the next pictures, which take longer then and look the same. */
  dropCaches(): void {
    this.#renderer?.dropCaches();
  }

  /**
   * Waits until memory is free for the picture, and until the client has read most of its earlier replies.
   * @param call once its signal is aborted, the picture leaves the line or is left unfinished, and the signal's reason is thrown
   * @throws T4aError image_too_large, invalid_field, render_failed
   */
  async draw(captured: MarkedCapture, params: PictureParams, call?: Call): Promise<PictureReply> {
    const { terminal, snapshot, marks, unchangedRows } = captured;
    const theme = params.theme === undefined ? this.#themes.current : this.#themes.named(params.theme);
    const look = marks.length > 0 || unchangedRows !== undefined ? undefined : this.#lookOf(params);
    const same = this.#sameAsLast(terminal, { snapshot, theme, look });
    if (same !== undefined && call?.behind !== true) return same;
    const { cells, region, fitted } = framing(params, captured, this.#limits().max_image_side);
    const { cellWidth, cellHeight, pad } = cells;
    const { cols, rows } = region ?? snapshot;
    const grid = viewGrid(snapshot, { region, rulers: params.rulers });
    this.#loading ??= loadRenderer(this.#fontsDir, () => this.#limits().atlas_bytes);
    const { draw, renderer, canvasIsLoaded } = await this.#loading;
    assertTaskRoom(params.format, canvasIsLoaded());
    this.#renderer = renderer;
    const options = {
      cellWidth,
      cellHeight,
      pad,
      cursor: params.cursor,
      theme,
      region,
      rulers: params.rulers,
      marks,
      unchangedRows,
      minimumContrast: params.minimum_contrast,
      boldAsBright: params.bold_as_bright,
    };
    const size = { width: grid.cols * cellWidth + 2 * pad, height: grid.rows * cellHeight + 2 * pad };
    const place = await this.#place(drawingBytes(params.format, size, grid.cols * grid.rows), call);
    const picture = await draw(renderer, snapshot, options, params.format, terminal, call?.signal)
      .catch(toldOfMissingFonts)
      .finally(() => place.dispose());
    const facts = {
      format: picture.format,
      width: picture.width,
      height: picture.height,
      cell_width: cellWidth,
      cell_height: cellHeight,
      cols,
      rows,
      ...(region && { region: { ...region, row: region.row - captured.above } }),
      ...(fitted && { fitted }),
      legibility: legibilityOf(cellWidth),
      rev: snapshot.rev,
      tokens: estimateTokens(picture.width, picture.height),
    };
    const drawn = { facts, bytes: picture.chunks };
    if (look !== undefined && picture.format === 'png') {
      const kept = { snapshot: new WeakRef(snapshot), theme, look, picture: new WeakRef(picture), facts };
      terminal.part(LAST_PICTURE).value = kept;
    }
    return drawn;
  }

  /** Everything that a picture depends on besides the screen and the colours of the theme. */
  #lookOf(params: PictureParams): string {
    lookFields ??= [...Object.keys(pictureShape), 'row', 'col', 'cols', 'rows'];
    return `${this.#limits().max_image_side} ${JSON.stringify(params, [...lookFields])}`;
  }

  /** The last picture of the terminal, if nothing has changed and the renderer still keeps it. */
  #sameAsLast(terminal: HasParts, { snapshot, theme, look }: Wanted): PictureReply | undefined {
    const last = terminal.part(LAST_PICTURE).value;
    if (last === undefined || last.look !== look || last.theme !== theme) return undefined;
    const picture = last.snapshot.deref() === snapshot ? last.picture.deref() : undefined;
    if (picture === undefined || this.#renderer?.keeps(picture) !== true) return undefined;
    return { facts: last.facts, bytes: picture.chunks };
  }

  /** The client's pictures that were drawn in between may be more than it reads: then another client's is next. */
  async #place(bytes: number, call: Call | undefined): Promise<Disposable> {
    for (;;) {
      await call?.caughtUp();
      const place = await this.#line.enter(bytes, call?.signal);
      if (call?.behind !== true) return place;
      place.dispose();
    }
  }
}

/** @param memoryLimit bytes; 0 for no limit */
function drawingLimit(memoryLimit: number): number {
  return memoryLimit === 0 ? MAX_DRAWING_BYTES : Math.min(MAX_DRAWING_BYTES, memoryLimit * DRAWING_SHARE);
}

async function loadRenderer(fontsDir: string, atlasBytes: () => number) {
  try {
    const [{ draw, canvasIsLoaded }, { Renderer }] = await Promise.all([
      import('../../render/draw.js'),
      import('../../render/renderer.js'),
    ]);
    return { draw, canvasIsLoaded, renderer: new Renderer({ fontsDir, atlasBytes }) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new T4aError('render_failed', `The renderer could not be loaded: ${reason}`, { hint: 'npm ci' });
  }
}

/** They are read when they are first needed: by then the package may have been removed. */
function toldOfMissingFonts(error: unknown): never {
  if (errnoOf(error) !== 'ENOENT') throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new T4aError('render_failed', `The package that this daemon was started from is incomplete: ${reason}.`, {
    hint: '"t4a replace" puts the daemon that is installed now in its place, with all terminals.',
  });
}

/** Refused a thread, the canvas and sharp end the daemon. */
function assertTaskRoom(format: string, canvasIsLoaded: boolean): void {
  const ofCanvas = canvasIsLoaded || !DRAWN_FORMATS.has(format) ? 0 : availableParallelism() + 1;
  const needed = ofCanvas + (THREADED_FORMATS.has(format) ? THREADS_OF_SHARP : 0);
  const room = needed === 0 ? Infinity : taskRoom();
  if (room >= needed) return;
  const tasks = `The system has room for ${Math.max(room, 0)} more processes and threads`;
  throw new T4aError('render_failed', `${tasks}: this picture needs up to ${needed}.`, {
    hint: `Ask for ${ofCanvas > 0 ? 'svg' : 'png'}, or raise the limit (ulimit -u, pids.max of the control group).`,
    field: 'format',
  });
}
