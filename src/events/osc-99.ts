/**
 * Desktop notifications of kitty (https://sw.kovidgoyal.net/kitty/desktop-notifications/): `KEY=VALUE:…;PAYLOAD`, in
 * any number of pieces. Only title and body are used; icons, buttons and queries are ignored.
 */
import { ownCopy } from '../base/own-copy.js';

export interface Notification {
  readonly title: string;
  readonly body: string;
}

/** Unfinished notifications of one terminal; beyond this the oldest is dropped. */
const MAX_PENDING = 16;
const MAX_ID_LENGTH = 64;

export class Osc99 {
  readonly #maxLength: number;
  readonly #pending = new Map<string, { title: string; body: string }>();

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The notification that this piece completes, if any. */
  feed(data: string): Notification | undefined {
    const semicolon = data.indexOf(';');
    if (semicolon === -1) return undefined;
    const keys = new Map(data.slice(0, semicolon).split(':').map(splitPair));
    const part = keys.get('p') ?? 'title';
    if (part !== 'title' && part !== 'body') return undefined;
    const id = ownCopy((keys.get('i') ?? '').slice(0, MAX_ID_LENGTH));
    const whole = this.#pending.get(id) ?? { title: '', body: '' };
    const payload = data.slice(semicolon + 1);
    // One unit beyond the bound, so that the consumer can see that it was cut.
    const text = whole[part] + (keys.get('e') === '1' ? decodeBase64(payload) : payload);
    whole[part] = ownCopy(text.slice(0, this.#maxLength + 1));
    this.#pending.delete(id);
    if (keys.get('d') !== '0') return whole;
    this.#pending.set(id, whole);
    if (this.#pending.size > MAX_PENDING) this.#pending.delete(this.#pending.keys().next().value ?? '');
    return undefined;
  }
}

function splitPair(pair: string): [string, string] {
  const equals = pair.indexOf('=');
  return equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

function decodeBase64(payload: string): string {
  return Buffer.from(payload, 'base64').toString('utf8');
}
