/**
 * `t4a evidence`: a folder for a pull request, of what exports make. What no recording and no history has is made of the text that the
 * terminal still holds.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../base/errno.js';
import { connect, type Client } from '../../client/client.js';
import { isT4aError, quote, T4aError } from '../../protocol/errors.js';
import type { Reply } from '../../protocol/registry.js';
import type { Exported } from '../../playback/exported.js';
import type { ExportOptions } from '../../playback/export.js';
import { LAST_TERMINAL } from '../argv/commands.generated.js';
import type { Fields } from '../argv/invocation.js';
import { askerOf } from '../asker.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { absolutePath } from '../prepare/spawn.js';
import { redactSettingsWith } from '../redact-settings.js';
import { evidencePage, type EvidenceFacts } from './evidence-page.js';
import { progressOn, type ExportSource, sourceOf } from './export.js';
import type { LocalCommand } from './local-command.js';

interface Flags {
  readonly id?: string;
  readonly from?: string;
  readonly output?: string;
  readonly format?: 'gif' | 'mp4';
  readonly socket?: string | undefined;
}

/** Settings of a film that people look at in a browser: pauses are short, and no more frames are drawn than they see. */
const FILM = { idleMs: 1000, fps: 10, profile: 'llm' } as const;
/** Part of a film that would be too large otherwise. */
const LAST_PART = '-60s';

export const evidence: LocalCommand = async ({ options, params }, host, bundles) => {
  const made = await makeEvidence({ ...params, ...options }, host, bundles);
  const { folder, files, commands, masked = null, gh } = made;
  if (options['json'] === true) {
    host.out(`${JSON.stringify({ output: folder, files, commands, masked, gh })}\n`);
  } else {
    host.out(`${folder}: ${files.join(', ')}\n`);
    host.note(`Look at it, then commit it, or: ${gh}\n`);
  }
  return 0;
};

export interface Evidence {
  /** Absolute. */
  readonly folder: string;
  /** Their names. */
  readonly files: readonly string[];
  /** Number of commands that it shows. */
  readonly commands: number;
  /** Secrets that were masked; undefined if none were looked for. */
  readonly masked: number | undefined;
  /** The line that shows it in a pull request. */
  readonly gh: string;
}

/** @param options of the command line, or of a tool @throws T4aError, of the daemon or `usage`; there is no folder then */
export async function makeEvidence(options: Flags & Fields, host: Host, bundles: LazyBundles): Promise<Evidence> {
  const { id = LAST_TERMINAL, from, output, format = 'gif', socket } = options;
  await using client = await connect({ socketPath: socket, ...askerOf(options, host) });
  const status = await client.call('status', { id });
  const { commands } = await client.call('commands', { id: status.id, last: 1000 });
  const source = await evidenceSource({ client, status, from });
  const folder = absolutePath(output ?? `evidence-${status.id}`, host);
  makeEmpty(folder);
  try {
    const { exportRecording, maskText } = await bundles.exporting();
    const redact = await redactSettingsWith(client, host);
    const common = { ...source, redact, variables: host.env };
    const film = await filmOf((part) =>
      exportRecording({ ...common, ...FILM, ...part, format, onProgress: progressOn(host) }),
    );
    host.progress('');
    const last = await exportRecording({ ...common, format: 'apng', from: 'end', to: 'end' });
    const transcript = await exportRecording({ ...common, format: 'text' });
    const facts: EvidenceFacts = {
      title: status.title === '' ? status.id : status.title,
      status,
      commands: commands.filter(({ started_at: at }) => source.sinceMs === undefined || (at ?? 0) >= source.sinceMs),
      transcript: Buffer.concat(transcript.chunks).toString('utf8'),
      film: film.exported && { name: `film.${format}`, isPart: film.isPart },
      filmReason: film.reason,
      isWhole: source.isWhole,
      masked:
        redact === undefined && source.masked === undefined
          ? undefined
          : (transcript.masked ?? 0) + (source.masked ?? 0),
      variables: redact?.variables ?? [],
    };
    const page = evidencePage(facts, (text) => maskText(text, { redact, variables: host.env }));
    const files: readonly (readonly [name: string, chunks: readonly (Uint8Array | string)[]])[] = [
      ...(film.exported === undefined ? [] : [[`film.${format}`, film.exported.chunks] as const]),
      ['last.png', last.chunks],
      ['transcript.txt', transcript.chunks],
      ['README.md', [page]],
    ];
    for (const [name, chunks] of files) writeWhole(join(folder, name), chunks);
    return {
      folder,
      files: files.map(([name]) => name),
      commands: facts.commands.length,
      masked: facts.masked,
      gh: `gh pr comment --body-file ${shellWord(join(folder, 'README.md'))}`,
    };
  } catch (error) {
    host.progress('');
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Word as a POSIX shell reads it. */
function shellWord(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

interface EvidenceSource extends ExportSource {
  /** Since when it shows the terminal; undefined if since its beginning or unknown. */
  readonly sinceMs?: number;
  /** False: there is only what the terminal holds at last. */
  readonly isWhole: boolean;
}

interface Asked {
  readonly client: Client;
  readonly status: Reply<'status'>;
  readonly from: string | undefined;
}

async function evidenceSource({ client, status, from }: Asked): Promise<EvidenceSource> {
  const { id } = status;
  if (from !== undefined) {
    const { bytes, masked, first } = await client.call('export', { id, from });
    return { path: id, bytes, sinceMs: first.ts, isWhole: true, ...(masked === 0 ? {} : { masked }) };
  }
  try {
    return { ...(await sourceOf({ source: id }, client)), isWhole: true };
  } catch (error) {
    if (!isT4aError(error) || !NO_HISTORY.has(error.code)) throw error;
    return { path: id, bytes: await castOfText(client, status), isWhole: false };
  }
}

const NO_HISTORY: ReadonlySet<string> = new Set(['moment_lost', 'moment_unknown', 'revision_unknown', 'unsupported']);

/** One event with all lines, as they look. */
async function castOfText(client: Client, { id, cols, rows, title }: Reply<'status'>): Promise<Uint8Array> {
  const { lines } = await client.call('text', { id, region: 'all', format: 'ansi' });
  const shown = lines.slice(0, lines.findLastIndex((line) => line.replaceAll(STYLES, '').trim() !== '') + 1);
  const header = { version: 3, term: { cols, rows }, title: title ?? undefined };
  return Buffer.from(`${JSON.stringify(header)}\n${JSON.stringify([0, 'o', shown.join('\r\n')])}\n`);
}

// oxlint-disable-next-line no-control-regex
const STYLES = /\x1b\[[0-?]*m/g;

interface Film {
  readonly exported: Exported | undefined;
  /** Whether it has the end alone. */
  readonly isPart: boolean;
  /** Why there is none. */
  readonly reason?: string;
}

/** A day of work is too long for a film: then its last minute is shown. */
async function filmOf(draw: (part: Pick<ExportOptions, 'from'>) => Promise<Exported>): Promise<Film> {
  for (const isPart of [false, true]) {
    try {
      return { exported: await draw(isPart ? { from: LAST_PART } : {}), isPart };
    } catch (error) {
      if (!isT4aError(error) || !['export_too_large', 'image_too_large'].includes(error.code)) throw error;
      if (isPart) return { exported: undefined, isPart, reason: error.message };
    }
  }
  return { exported: undefined, isPart: true };
}

/** @throws T4aError usage */
function makeEmpty(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const hint = errnoOf(error) === 'EEXIST' ? { hint: 'Name a folder that does not exist with --output.' } : {};
    throw new T4aError('usage', `${quote(folder)} cannot be made: ${errnoOf(error) ?? String(error)}.`, hint);
  }
}

/** @throws T4aError usage */
function writeWhole(path: string, chunks: readonly (Uint8Array | string)[]): void {
  try {
    for (const chunk of chunks) writeFileSync(path, chunk, { flag: 'a' });
  } catch (error) {
    throw new T4aError('usage', `${quote(path)} cannot be written: ${errnoOf(error) ?? String(error)}.`);
  }
}
