/** `t4a export`: a recording, or a range of it, as a file of another format. Runs in the process that asks. */
import { fileURLToPath } from 'node:url';
import { T4aError } from '../protocol/errors.js';
import type { CastVersion } from '../history/recording/cast-lines.js';
import { type CellSize, cellSizeOfScale, PROFILES, PictureSizeError } from '../render/cell-size.js';
import { DEFAULT_THEME } from '../render/theme.js';
import { castOf } from './cast.js';
import { RecordedClip } from './clip.js';
import { recordedColors, themeNamed } from './colors.js';
import type { Exported } from './exported.js';
import { filmOf } from './film.js';
import { htmlPlayer } from './html-player.js';
import type { Redactor, RedactSettings, Variables } from '../redaction/redactor.js';
import { NO_VARIABLES, redactorOf } from '../redaction/redactor-of.js';
import { RowMask } from '../redaction/row-mask.js';
import { loadRecording, maskedRecording, type LoadOptions } from './recording.js';
import { transcript } from './transcript.js';
import { videoOf } from './video.js';

export const EXPORT_FORMATS = ['asciicast-v2', 'asciicast-v3', 'gif', 'apng', 'html', 'text', 'mp4', 'webm'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions extends LoadOptions {
  readonly path: string;
  readonly format: ExportFormat;
  /** Moments. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly speed?: number | undefined;
  /** Frames a second, at most. */
  readonly fps?: number | undefined;
  readonly theme?: string | undefined;
  /** Percent; a profile is a cell size and a margin. */
  readonly scale?: number | undefined;
  readonly profile?: string | undefined;
  readonly pad?: number | undefined;
  readonly fontsDir?: string | undefined;
  /** Secrets that are masked. */
  readonly redact?: RedactSettings | undefined;
  readonly variables?: Variables;
  /** Called between frames. @param share from 0 to 1 */
  readonly onProgress?: ((share: number, frames: number) => void) | undefined;
}

/** Longest pause in a film: nobody watches a still picture for longer. */
const FILM_IDLE_MS = 2000;
const DEFAULT_FPS = 30;
/** Scrollback for transcripts: their lines are those of the scrollback. */
const MAX_LINES = 1_000_000;

const CAST_VERSIONS: Readonly<Partial<Record<ExportFormat, CastVersion>>> = { 'asciicast-v2': 2, 'asciicast-v3': 3 };

/** @throws T4aError recording_not_found, recording_invalid, invalid_field, image_too_large, export_too_large, unsupported, render_failed */
export async function exportRecording(options: ExportOptions): Promise<Exported> {
  const { redact, variables = NO_VARIABLES } = options;
  const redactor = redact && redactorOf(redact, variables);
  const { masked, ...exported } = await exportMasked(options, redactor);
  return redactor === undefined ? exported : { ...exported, masked };
}

/** Text about a recording, with its secrets masked. */
export function maskText(
  text: string,
  { redact, variables = NO_VARIABLES }: Pick<ExportOptions, 'redact' | 'variables'>,
): string {
  return (redact && redactorOf(redact, variables))?.mask(text).text ?? text;
}

async function exportMasked(
  options: ExportOptions,
  redactor: Redactor | undefined,
): Promise<Exported & { readonly masked: number }> {
  const { path, format, from, to, speed = 1, theme: themeName = DEFAULT_THEME, fps = DEFAULT_FPS } = options;
  const theme = themeNamed(themeName);
  const isFilm = format !== 'text' && CAST_VERSIONS[format] === undefined;
  const loaded = await loadRecording(path, isFilm ? { idleMs: FILM_IDLE_MS, ...defined(options) } : options);
  const { recording, masked } =
    redactor === undefined ? { recording: loaded, masked: 0 } : maskedRecording(loaded, redactor);
  const scrollback = format === 'text' ? { scrollback: MAX_LINES } : {};
  const mask = redactor && new RowMask(redactor);
  const clip = new RecordedClip(recording, { from, to, speed, colors: recordedColors(themeName), mask, ...scrollback });
  try {
    const { durationMs } = clip;
    const version = CAST_VERSIONS[format];
    if (version !== undefined) return { durationMs, masked, chunks: await castOf(clip, version) };
    if (format === 'text') return { durationMs, masked, chunks: [Buffer.from(await transcript(clip))] };
    const film = { fps, theme, cursor: true, ...cellsOf(options), onProgress: options.onProgress };
    if (format === 'html') return { ...(await htmlPlayer(clip, film)), masked };
    const fontsDir = options.fontsDir ?? fileURLToPath(new URL('../fonts', import.meta.url));
    if (format === 'mp4' || format === 'webm')
      return { ...(await videoOf(clip, { ...film, format, fontsDir })), masked };
    const animation = await filmOf(clip, { ...film, format: format === 'gif' ? 'gif' : 'apng', fontsDir });
    return { ...animation, masked };
  } finally {
    clip.dispose();
  }
}

/** Options with the idle limit of films, unless there is one. */
function defined(options: ExportOptions): LoadOptions {
  const { idleMs, ...others } = options;
  return idleMs === undefined ? others : options;
}

function cellsOf({ scale, profile = 'exact', pad }: ExportOptions): CellSize & { readonly pad: number } {
  if (!Object.hasOwn(PROFILES, profile)) {
    throw new T4aError('invalid_field', `There is no profile "${profile}".`, {
      field: 'profile',
      hint: `One of: ${Object.keys(PROFILES).join(', ')}.`,
    });
  }
  const named = PROFILES[profile as keyof typeof PROFILES];
  try {
    const { cellWidth, cellHeight } = scale === undefined ? named : cellSizeOfScale(scale);
    return { cellWidth, cellHeight, pad: pad ?? named.pad };
  } catch (error) {
    if (!(error instanceof PictureSizeError)) throw error;
    throw new T4aError('invalid_field', error.message, { field: 'scale' });
  }
}
