/**
 * `t4a export`: a recording, or what a terminal remembers, as a file of another format. The daemon is asked only for a terminal: where its file is,
 * or for its history.
 */
import { connect, type Client } from '../../client/client.js';
import { isT4aError, quote, T4aError } from '../../protocol/errors.js';
import { parseMoment } from '../../protocol/moment.js';
import type { Reply } from '../../protocol/registry.js';
import type { ExportFormat, ExportOptions } from '../../playback/export.js';
import type { Fields } from '../argv/invocation.js';
import { LAST_TERMINAL } from '../argv/commands.generated.js';
import { askerOf } from '../asker.js';
import type { Host } from '../host.js';
import { writePicture } from '../output/write-picture.js';
import { redactSettings, redactSettingsWith } from '../redact-settings.js';
import { absolutePath } from '../prepare/spawn.js';
import { isThere } from './entry-file.js';
import type { LocalCommand } from './local-command.js';

const FORMATS: Readonly<Record<string, ExportFormat>> = {
  cast: 'asciicast-v3',
  gif: 'gif',
  apng: 'apng',
  png: 'apng',
  html: 'html',
  htm: 'html',
  txt: 'text',
  mp4: 'mp4',
  webm: 'webm',
};

type Status = Reply<'status'>;

interface ExportFlags extends Omit<ExportOptions, 'path' | 'bytes' | 'format' | 'idleMs' | 'grid'> {
  readonly source: string;
  readonly output?: string;
  readonly format?: ExportFormat;
  readonly idle_ms?: number;
  readonly cols?: number;
  readonly rows?: number;
}

export const runExport: LocalCommand = async ({ options, params }, host, bundles) => {
  const flags = { ...params, ...options } as unknown as ExportFlags;
  const { output, timing, cols, rows } = flags;
  if (output === undefined) throw new T4aError('usage', 'export needs a file: --output FILE, or "-".');
  const format = flags.format ?? formatOf(output);
  if (output === '-' && host.stdoutIsTerminal && format !== 'text') {
    throw new T4aError('usage', `A ${format} is no text for a terminal.`, { hint: 'Name a file with --output.' });
  }
  checkRange('--speed', flags.speed, 1 / 16, 64);
  checkRange('--fps', flags.fps, 1, 50);
  const { masked: alreadyMasked, redact, ...source } = await sourceOfFlags(flags, options, host);
  const { exportRecording: run } = await bundles.exporting();
  const { chunks, durationMs, frames, width, height, masked } = await run({
    ...source,
    format,
    speed: flags.speed,
    fps: flags.fps,
    theme: flags.theme,
    scale: flags.scale,
    profile: flags.profile,
    pad: flags.pad,
    idleMs: flags.idle_ms,
    timing: timing === undefined ? undefined : absolutePath(timing, host),
    grid: { ...(cols === undefined ? {} : { cols }), ...(rows === undefined ? {} : { rows }) },
    redact,
    variables: host.env,
    onProgress: progressOn(host),
  }).finally(() => host.progress(''));
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  // Of a text, a terminal gets what is harmless: the host sees to it for strings.
  if (output === '-')
    for (const chunk of chunks) host.out(host.stdoutIsTerminal ? Buffer.from(chunk).toString() : chunk);
  else await writePicture(absolutePath(output, host), chunks, host);
  const facts = {
    output: output === '-' ? null : absolutePath(output, host),
    format,
    size: bytes,
    duration_ms: Math.round(durationMs),
    frames: frames ?? null,
    width: width ?? null,
    height: height ?? null,
    ...(masked === undefined && alreadyMasked === undefined ? {} : { masked: (masked ?? 0) + (alreadyMasked ?? 0) }),
  };
  if (output === '-') return 0;
  host.out(options['json'] === true ? `${JSON.stringify(facts)}\n` : `${facts.output}: ${describe(facts)}\n`);
  return 0;
};

function describe(facts: {
  format: string;
  size: number;
  duration_ms: number;
  frames: number | null;
  masked?: number;
}): string {
  const { format, size, duration_ms: ms, frames, masked } = facts;
  return `${format}, ${size} bytes, ${(ms / 1000).toFixed(1)} s${frames === null ? '' : `, ${frames} frames`}${masked === undefined ? '' : `, ${masked} secrets masked`}`;
}

function formatOf(output: string): ExportFormat {
  const ending = output.slice(output.lastIndexOf('.') + 1).toLowerCase();
  const format = Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined;
  if (format !== undefined) return format;
  throw new T4aError('usage', `The format is not clear from ${quote(output)}.`, {
    hint: `Name a file that ends with ${Object.keys(FORMATS).join(', ')}, or give --format.`,
  });
}

function checkRange(flag: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (value >= least && value <= most)) return;
  throw new T4aError('usage', `"${flag}" is ${value}: expected a number from ${least} to ${most}.`);
}

/** Bytes of an asciicast, or the path of a file with a range in it. */
export interface ExportSource extends Pick<ExportOptions, 'path' | 'bytes' | 'from' | 'to'> {
  /** Secrets that the daemon has masked in it. */
  readonly masked?: number;
}

/**
 * A file, or else a terminal: what was opened, what is being recorded, or its last one in the folder of recordings; without any, and for
 * moments that no recording has, its history.
 */
async function sourceOfFlags(
  flags: ExportFlags,
  options: Fields,
  host: Host,
): Promise<ExportSource & Pick<ExportOptions, 'redact'>> {
  const { source, from, to } = flags;
  const path = absolutePath(source, host);
  if (source.includes('/') || (source !== LAST_TERMINAL && (await isThere(path, host))))
    return { path, from, to, redact: await redactSettingsOfFile(options, host) };
  if (source.includes('.')) throw new T4aError('recording_not_found', `There is no file ${quote(source)}.`);
  const { socket } = options as { socket?: string };
  await using client = await connect({ socketPath: socket, ...askerOf(options, host) });
  // The client is closed behind it.
  return { ...(await sourceOf(flags, client)), redact: await redactSettingsWith(client, host) };
}

/** A daemon that hangs holds no export. */
const SETTINGS_TIMEOUT_MS = 1500;

/** Also those of a daemon that runs: it may have recorded the file. */
async function redactSettingsOfFile(options: Fields, host: Host): Promise<ExportOptions['redact']> {
  const own = redactSettings(host);
  const { socket } = options as { socket?: string };
  const signal = AbortSignal.timeout(SETTINGS_TIMEOUT_MS);
  try {
    await using client = await connect({ socketPath: socket, autoStart: false, signal, ...askerOf(options, host) });
    return await redactSettingsWith(client, host, signal);
  } catch (error) {
    if (signal.aborted) host.note('The daemon does not answer: its setting "redact" is not known, and not followed.\n');
    else if (!isT4aError(error) || error.code !== 'daemon_unreachable') throw error;
    return own;
  }
}

/** Source of an export of a terminal. */
export async function sourceOf(
  { source, from, to }: Pick<ExportFlags, 'source' | 'from' | 'to'>,
  client: Client,
): Promise<ExportSource> {
  const status = await client.call('status', { id: source });
  const isOfHistory = [from, to].some((moment) => moment !== undefined && parseMoment(moment) === undefined);
  if (status.recording !== null) return { path: status.recording, from, to };
  const recording = isOfHistory ? undefined : await recordingOf(client, status);
  if (recording !== undefined) return { path: recording, from, to };
  const { bytes, masked } = await client.call('export', {
    id: status.id,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
  return { path: status.id, bytes, ...(masked === 0 ? {} : { masked }) };
}

async function recordingOf(client: Client, { id, alive, created_at: createdAt }: Status): Promise<string | undefined> {
  const { recordings } = await client.call('recordings', {});
  // Of whole seconds. An older one is of another terminal of that name.
  const sinceMs = Math.floor(createdAt / 1000) * 1000;
  const own = recordings.findLast((one) => one.terminal === id && (one.started_at ?? 0) >= sinceMs);
  if (own?.live === true) await complete(client, id, alive ? 'flush' : 'stop');
  return own?.path;
}

/** The recording has ended by itself; the caller may only read; the daemon is older than `flush`. */
const INCOMPLETE: readonly string[] = ['recording_not_found', 'not_allowed', 'invalid_field'];

/** The last output may not be in the file yet. */
async function complete(client: Client, id: string, action: 'flush' | 'stop'): Promise<void> {
  try {
    await client.call('record', { id, action });
  } catch (error) {
    if (!isT4aError(error) || !INCOMPLETE.includes(error.code)) throw error;
  }
}

export function progressOn(host: Host): ExportOptions['onProgress'] {
  let shown = -1;
  return (share, frames) => {
    const percent = Math.floor(share * 100);
    if (percent === shown) return;
    shown = percent;
    host.progress(`${percent} %, ${frames} frames`);
  };
}
