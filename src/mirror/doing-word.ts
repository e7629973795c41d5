/** What a program is doing, in one word for people: the same in lists, status lines and on the page. Pure. */
import type { Reply } from '../protocol/registry.js';

export type ListedDoing = Pick<NonNullable<Reply<'list'>['terminals'][number]['doing']>, 'is' | 'kind' | 'source'>;

/** Empty if it is a guess, or nothing that a person would not see: what a shell does, its title says. */
export function doingWord(doing: ListedDoing | undefined, isSure = true): string {
  if (doing === undefined || !isSure || doing.source === 'shell') return '';
  const { is, kind } = doing;
  if (is === 'exited' || is === 'unknown') return '';
  // "line" would not be understood.
  return is === 'waiting' && kind !== null && kind !== 'line' ? kind : is;
}
