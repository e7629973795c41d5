/**
 * Word for what a program is doing, for people, with its order and colour: the same in lists, status lines and on the page. Pure.
 */
import { probably } from '../protocol/end-words.js';
import type { Reply } from '../protocol/registry.js';

type Listed = Reply<'list'>['terminals'][number];
export type ListedDoing = Pick<NonNullable<Listed['doing']>, 'is' | 'kind' | 'source'>;

/** Empty if it is a guess, or nothing that a person would not see: what a shell does, its title says. */
export function doingWord(doing: ListedDoing | undefined): string {
  if (doing === undefined || doing.source === 'shell') return '';
  const { is, kind, source } = doing;
  if (is === 'exited' || is === 'unknown') return '';
  // Output and system calls show no more than a guess, except for a question. Frames of a watcher do not say `sure`.
  if (source === 'kernel' && is !== 'waiting') return '';
  // "line" would not be understood.
  return is === 'waiting' && kind !== null && kind !== 'line' ? kind : is;
}

/** The same word, and `idle`, `probably idle` where that is empty: for lists, which have guesses, too. */
export function listedWord({ doing }: Pick<Listed, 'doing'>): string {
  if (doing === undefined) return 'unknown';
  return probably({ certain: doing.sure || doing.is === 'unknown' }, doingWord(doing) || doing.is);
}

export type StateKind = 'waits' | 'failed' | 'busy' | 'ready' | 'done' | 'unknown';

interface StateLook {
  /** Rank in the list and on the wall: who needs a person first. */
  readonly rank: number;
  readonly color: 'yellow' | 'red' | 'blue' | 'green' | 'dim';
}

/** The order and the colours of all clients; page.css has the same. */
export const STATE_LOOKS: Readonly<Record<StateKind, StateLook>> = {
  waits: { rank: 1, color: 'yellow' },
  failed: { rank: 2, color: 'red' },
  busy: { rank: 3, color: 'blue' },
  ready: { rank: 4, color: 'green' },
  done: { rank: 5, color: 'dim' },
  unknown: { rank: 5, color: 'dim' },
};

const DOING_KIND: Readonly<Record<ListedDoing['is'], StateKind>> = {
  working: 'busy',
  waiting: 'waits',
  idle: 'ready',
  done: 'done',
  error: 'failed',
  exited: 'done',
  unknown: 'unknown',
};

/** Questions of `ask` are no state of the program: clients mark them apart. */
export function stateKind(terminal: Pick<Listed, 'alive' | 'exit_code' | 'doing'>): StateKind {
  if (!terminal.alive) return terminal.exit_code === 0 ? 'done' : 'failed';
  return DOING_KIND[terminal.doing?.is ?? 'unknown'];
}
