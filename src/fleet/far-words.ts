/** Words of a far daemon in sentences and fields of ours. Pure. */
import { quote } from '../protocol/errors.js';
import { MAX_QUOTED, quoted } from './quoted.js';

/** An address of a far gateway has a "/". */
export const ID = /^[\p{L}\p{N}_][^\s:@\p{C}]{0,199}$/u;

export function says(host: string, words: string): string {
  return `The host ${quote(host)} says ${quoted(words)}.`;
}

export function short(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
