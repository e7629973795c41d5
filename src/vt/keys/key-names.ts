/** The names of keys and their aliases as lists: for completions, for the docs, and for near matches of a typo. */
import type { KeyPress } from './key-press.js';
import { KEY_TABLE } from './key-table.js';
import { MODIFIERS, SHIFT } from './modifiers.js';

/** Names of characters and of keys with a modifier, beside those of the key table. */
const FURTHER_NAMES: readonly {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly press: KeyPress;
}[] = [
  { name: 'Space', aliases: ['spc', 'spacebar'], press: { key: ' ', modifiers: 0 } },
  { name: 'BTab', aliases: ['backtab'], press: { key: 'Tab', modifiers: SHIFT } },
  { name: 'Plus', aliases: [], press: { key: '=', modifiers: SHIFT } },
  { name: 'Minus', aliases: ['hyphen'], press: { key: '-', modifiers: 0 } },
  { name: 'Backslash', aliases: ['bslash'], press: { key: '\\', modifiers: 0 } },
  { name: 'Bar', aliases: ['pipe'], press: { key: '\\', modifiers: SHIFT } },
  { name: 'Lt', aliases: [], press: { key: ',', modifiers: SHIFT } },
  { name: 'Gt', aliases: [], press: { key: '.', modifiers: SHIFT } },
];

const NAMED = [...KEY_TABLE.map((row) => ({ ...row, press: { key: row.name, modifiers: 0 } })), ...FURTHER_NAMES];

/** Canonical names, in the order of the key table. Single characters are keys, too, and not listed. */
export const KEY_NAMES: readonly string[] = NAMED.map(({ name }) => name);

export const MODIFIER_NAMES: readonly string[] = MODIFIERS.map(({ name }) => name);

/** Canonical name by every spelling, in lower case. */
export const KEY_SPELLINGS: ReadonlyMap<string, string> = new Map(
  NAMED.flatMap(({ name, aliases }) => [name.toLowerCase(), ...aliases].map((spelling) => [spelling, name] as const)),
);

/** Key press by canonical name. */
export const KEY_PRESSES: ReadonlyMap<string, KeyPress> = new Map(NAMED.map(({ name, press }) => [name, press]));
