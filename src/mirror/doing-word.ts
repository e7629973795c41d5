/** What a program is doing, in one word for people: the same in lists, status lines and on the page. Pure. */
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

/** `idle`, `probably idle`: for lists, which have guesses, too. */
export function listedWord({ doing }: Pick<Listed, 'doing'>): string {
  return doing === undefined ? 'unknown' : probably({ certain: doing.sure || doing.is === 'unknown' }, doing.is);
}
