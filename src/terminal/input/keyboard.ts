/** Keys by name or as text, encoded for the modes that the program has set. */
import { graphemesOf } from '../../base/graphemes.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { InputModes } from '../../vt/input-modes.js';
import { encodeKey, whyKeyNotSent } from '../../vt/keys/encode-key.js';
import { type KeyPress, printKey } from '../../vt/keys/key-press.js';
import { KeyError, parseKey } from '../../vt/keys/parse-key.js';

/** @throws T4aError unknown_key, with near matches and the key's place in the list */
export function parseKeys(names: readonly string[], field: string): KeyPress[] {
  return names.map((name, i) => {
    try {
      return parseKey(name);
    } catch (error) {
      if (error instanceof KeyError) throw unknownKey(error, names.length > 1 ? `${field}.${i}` : field);
      throw error;
    }
  });
}

export function unknownKey({ message, closest, key }: KeyError, field: string): T4aError {
  const [nearest] = closest;
  const hint =
    nearest !== undefined
      ? `Did you mean ${closest.map((name) => quote(name)).join(' or ')}?`
      : key.length > 1
        ? 'To type text: t4a type @ TEXT.'
        : 'For example "Enter", "Ctrl+C", "PgUp", "a".';
  return new T4aError('unknown_key', message, { field, hint, ...(nearest === undefined ? {} : { closest: nearest }) });
}

/** @throws T4aError key_not_sendable */
export function checkSendable(presses: readonly KeyPress[], modes: InputModes, field: string): void {
  const checked = new Set<string>();
  for (const press of presses) {
    const name = printKey(press);
    if (checked.has(name)) continue;
    checked.add(name);
    const reason = whyKeyNotSent(press, modes);
    if (reason !== undefined) {
      throw new T4aError('key_not_sendable', reason, {
        field,
        hint: 'Press another key, or "send" the bytes that the program expects.',
      });
    }
  }
}

/**
 * Text as keys. Each character is a key of its own only if the program has asked for keys in another form than their
 * text; else the keys send the text itself, except line breaks.
 */
export function encodeTyped(text: string, modes: InputModes): string {
  if (modes.kittyFlags === 0 && modes.modifyOtherKeys === 0) return text.replaceAll(/\r\n|\n/gu, '\r');
  const encoded = new Map<string, string>();
  let typed = '';
  for (const grapheme of graphemesOf(text)) {
    let bytes = encoded.get(grapheme);
    if (bytes === undefined) encoded.set(grapheme, (bytes = encodeGrapheme(grapheme, modes)));
    typed += bytes;
  }
  return typed;
}

/** A character that is on no key (a lone mark, a C1 control) is sent unchanged, as an input method would. */
function encodeGrapheme(grapheme: string, modes: InputModes): string {
  try {
    return encodeKey(parseKey(grapheme), modes);
  } catch (error) {
    if (error instanceof KeyError) return grapheme;
    throw error;
  }
}
