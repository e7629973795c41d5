/** A command of a shell in words: how it ended, and how long it took. Pure. */
import { safeText } from '../mirror/safe-text.js';

export interface Block {
  readonly n: number;
  readonly command: string | null;
  readonly running: boolean;
  /** Null while it runs, and if it is not known. */
  readonly code: number | null;
  readonly durationMs: number | null;
  /** Lasting number of the line of its prompt, as far as that is known. */
  readonly head: number;
  /** Of the first line of its output, and of the line after the last. */
  readonly first: number;
  readonly end: number;
}

type Outcome = Pick<Block, 'running' | 'code' | 'durationMs'>;

export type BlockKind = 'runs' | 'ok' | 'failed' | 'unknown';

export function kindOf({ running, code }: Outcome): BlockKind {
  if (running) return 'runs';
  if (code === null) return 'unknown';
  return code === 0 ? 'ok' : 'failed';
}

/** At most five characters. */
export function shortTime(ms: number): string {
  if (ms < 100) return `${Math.max(0, Math.round(ms))}ms`;
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`;
  if (seconds < 99.5) return `${Math.round(seconds)}s`;
  const minutes = seconds / 60;
  if (minutes < 99.5) return `${Math.round(minutes)}m`;
  const hours = Math.round(minutes / 60);
  return hours < 100 ? `${hours}h` : `${Math.round(hours / 24)}d`;
}

export function outcomeOf(block: Outcome): string {
  const took = block.durationMs === null ? '' : ` after ${longTime(block.durationMs)}`;
  const words: Readonly<Record<BlockKind, string>> = {
    runs: 'runs',
    ok: `succeeded${took}`,
    failed: `failed with ${block.code}${took}`,
    unknown: `ended${took}, how is not known`,
  };
  return words[kindOf(block)];
}

function longTime(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.round(ms / 100) / 10;
  if (seconds < 60) return `${seconds} s`;
  const all = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60)];
  return `${hours > 0 ? `${hours} h ` : ''}${minutes} min ${all % 60} s`;
}

const MOST_NAME = 160;

/** In one line, without the characters that turn text around. */
export function nameOf({ command, n }: Pick<Block, 'command' | 'n'>): string {
  const text = safeText((command ?? '').replaceAll(/\s+/g, ' ')).trim();
  if (text === '') return `command ${n}`;
  return text.length > MOST_NAME ? `${text.slice(0, MOST_NAME)}…` : text;
}
