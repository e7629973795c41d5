/** Codes of links and keys of pages. In memory alone: they end with the process, but for those of remembered browsers. */
import type { Clock } from '../base/clock.js';
import type { KeyGrant } from '../page/greeting.js';
import type { RememberedBrowsers } from './browsers.js';
import type { RightFile } from '../protocol/vocabulary.js';
import { LOOK, WHOLE, type LinkScope } from './link-scope.js';
import { isEqual, randomText } from './secrets.js';

export const CODE_MS = 60_000;
export const KEY_MS = 12 * 3_600_000;

/** Links that nobody has opened: one of each scope. */
const MAX_CODES = 16;

/** Most keys. The oldest go first, of pages that are not used any more. */
const MAX_KEYS = 64;

interface Expiry {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

interface Code {
  readonly secret: string;
  readonly expiry: Expiry;
  readonly scope: LinkScope;
}

export class Keys {
  readonly #clock: Clock;
  readonly #browsers: RememberedBrowsers | undefined;
  /** Codes by their scopes. */
  readonly #codes = new Map<string, Code>();
  readonly #keys = new Map<string, { readonly key: string; readonly expiry: Expiry; readonly scope: LinkScope }>();
  /** Ids of keys of links whose browsers are remembered, with those of the keys that these have then: they end with them. */
  readonly #remembered = new Map<string, string>();
  /** Ids of keys that were revoked, the oldest first, so that their pages can say why they are shut out. */
  readonly #revoked = new Set<string>();
  #look = (): void => {};
  #ofOwner = (): RightFile | undefined => undefined;

  constructor(clock: Clock, browsers?: RememberedBrowsers) {
    this.#clock = clock;
    this.#browsers = browsers;
  }

  /**
   * @param look is called before each use of a key, and ends all of them if their owner wants it
   * @param ofOwner says so for all keys
   */
  lookBefore(look: () => void, ofOwner: () => RightFile | undefined): void {
    this.#look = look;
    this.#ofOwner = ofOwner;
  }

  /** Files that say whether a key is valid still, for a daemon that is to see its end itself. */
  rights(keyId: string): readonly RightFile[] {
    const browsers = this.#browsers;
    const ofBrowser = this.ofBrowser(keyId);
    const remembered =
      browsers === undefined || ofBrowser === undefined ? undefined : browsers.right({ key_id: ofBrowser });
    return [this.#ofOwner(), remembered].filter((right) => right !== undefined);
  }

  /** Undefined: no browser is remembered. */
  get browsers(): RememberedBrowsers | undefined {
    return this.#browsers;
  }

  /** A code for one page. The one before, of the same scope, is void. */
  newCode(scope: LinkScope = WHOLE): string {
    this.#look();
    const secret = randomText();
    const name = JSON.stringify(scope);
    this.#codes.delete(name);
    this.#codes.set(name, { secret, expiry: this.#in(CODE_MS), scope });
    const [oldest] = this.#codes.keys();
    if (this.#codes.size > MAX_CODES && oldest !== undefined) this.#codes.delete(oldest);
    return secret;
  }

  /** Undefined for a code that is not valid, or no longer. */
  trade(code: string): KeyGrant | undefined {
    this.#look();
    const [name, given] = [...this.#codes].find(([, { secret }]) => isEqual(secret, code)) ?? [];
    if (name === undefined || given === undefined) return undefined;
    this.#codes.delete(name);
    if (this.#isOver(given.expiry)) return undefined;
    const grant = { key_id: randomText(), key: randomText() };
    this.#keys.set(grant.key_id, { key: grant.key, expiry: this.#in(KEY_MS), scope: given.scope });
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > MAX_KEYS && oldest !== undefined) this.end(oldest);
    return grant;
  }

  /** Undefined for a key that is not valid, or no longer. */
  key(keyId: string): string | undefined {
    this.#look();
    const known = this.#keys.get(keyId);
    if (known !== undefined && (this.#isOver(known.expiry) || this.#isForgotten(keyId))) this.end(keyId);
    return this.#keys.get(keyId)?.key ?? this.#browsers?.known(keyId)?.key;
  }

  /** Scope of a key that is valid; a link without one opens nothing. */
  scope(keyId: string): LinkScope | undefined {
    if (this.key(keyId) === undefined) return undefined;
    return this.#keys.get(keyId)?.scope ?? (this.#browsers?.known(keyId)?.read_only === true ? LOOK : WHOLE);
  }

  /** Ends what a key has opened. */
  end(keyId: string): void {
    this.#keys.delete(keyId);
    this.#remembered.delete(keyId);
  }

  /** The browser that has the first has the second as well: where that is forgotten, the first opens nothing either. */
  remember(keyId: string, ofBrowser: string): void {
    if (this.#keys.has(keyId)) this.#remembered.set(keyId, ofBrowser);
  }

  /** Id of the key of the remembered browser that has this one: itself, unless it came by a link. Undefined: it is not remembered. */
  ofBrowser(keyId: string): string | undefined {
    return this.#keys.has(keyId) ? this.#remembered.get(keyId) : keyId;
  }

  #isForgotten(keyId: string): boolean {
    const ofBrowser = this.#remembered.get(keyId);
    return ofBrowser !== undefined && this.#browsers?.known(ofBrowser) === undefined;
  }

  /** Ends all keys, and the codes of all links. @returns the number of keys that were valid */
  revoke(): number {
    const valid = [...this.#keys].filter(([, { expiry }]) => !this.#isOver(expiry));
    this.#keys.clear();
    this.#remembered.clear();
    this.#codes.clear();
    this.#browsers?.revoke();
    for (const [keyId] of valid) this.#revoked.add(keyId);
    for (const keyId of this.#revoked) {
      if (this.#revoked.size > MAX_KEYS) this.#revoked.delete(keyId);
    }
    return valid.length;
  }

  isRevoked(keyId: string): boolean {
    return this.#revoked.has(keyId);
  }

  /** The machine may sleep, and its clock may be set: the earlier end counts. */
  #isOver({ monotonicMs, wallMs }: Expiry): boolean {
    return this.#clock.now() >= monotonicMs || this.#clock.wallNow() >= wallMs;
  }

  #in(ms: number): Expiry {
    return { monotonicMs: this.#clock.now() + ms, wallMs: this.#clock.wallNow() + ms };
  }
}
