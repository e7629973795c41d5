/** The answer to a page that asks to be remembered: a key for its browser that outlives the server. */
import { errorReply, isT4aError, T4aError, type ErrorReply } from '../protocol/errors.js';
import type { Remember, Remembered } from '../page/greeting.js';
import type { RememberedBrowsers } from './browsers.js';
import { parsed } from './greeting-text.js';

type Answer = (Remembered | ErrorReply) & { readonly req?: number | undefined };

/**
 * @param browsers undefined if none is remembered, or not for the link of that page
 * @param own id of the key of that browser, if it is remembered
 * @returns undefined for another message
 */
export function rememberAnswer(
  message: string,
  browsers: RememberedBrowsers | undefined,
  isReadOnly: boolean,
  own: string | undefined,
): Answer | undefined {
  // Most messages are keys: they are parsed once.
  if (!message.includes('"remember"')) return undefined;
  const { req, remember: name } = (parsed(message) ?? {}) as Partial<Remember>;
  if (typeof name !== 'string') return undefined;
  const echo = req === undefined ? {} : { req };
  try {
    return { ...remembered(name, browsers, isReadOnly, own), ...echo };
  } catch (error) {
    return { ...errorReply(isT4aError(error) ? error : new T4aError('internal', String(error))), ...echo };
  }
}

/** @throws T4aError */
function remembered(
  wanted: string,
  browsers: RememberedBrowsers | undefined,
  isReadOnly: boolean,
  own: string | undefined,
): Remembered {
  if (browsers === undefined) {
    throw new T4aError('not_allowed', 'This t4a web remembers no browsers: t4a web --remember.');
  }
  const { name, key_id, key, until } = browsers.add(wanted, isReadOnly, own);
  return { ok: true, name, key_id, key, until };
}
