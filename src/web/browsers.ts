/**
 * Browsers that a person has let come back after `t4a web` has ended: a key each, for thirty days and one fixed address, in a file
 * of the user's alone. Nothing is remembered unless `t4a web --remember` says so.
 */
import type { Clock } from '../base/clock.js';
import { errnoOf } from '../base/errno.js';
import { openSettingsFile, RefusedFile } from '../base/settings-file.js';
import { writeWhole } from '../fleet/whole-file.js';
import { quote, T4aError } from '../protocol/errors.js';
import { randomText } from './secrets.js';

export interface Browser {
  /** Given by the page, made unique here. */
  readonly name: string;
  readonly key_id: string;
  readonly key: string;
  /** Where its page was served: `127.0.0.1:7373`. Elsewhere the key is worth nothing. */
  readonly address: string;
  /** Milliseconds since the Unix epoch. */
  /** Remembered by a page that changes nothing. */
  readonly read_only: boolean;
  readonly made: number;
  readonly until: number;
}

export const REMEMBERED_MS = 30 * 24 * 3_600_000;
export const MAX_BROWSERS = 32;
export const MAX_NAME_LENGTH = 64;

/** Between looks at the file: it may be changed by `t4a web --forget`. */
const LOOK_MS = 1000;

const MAX_FILE_BYTES = 64 * 1024;
const GROUP_AND_OTHERS = 0o077;

export class RememberedBrowsers {
  readonly #path: string;
  readonly #address: string;
  readonly #clock: Clock;
  #isRevoked = false;
  #known: { readonly browsers: readonly Browser[]; readonly atMs: number } | undefined;

  constructor(path: string, address: string, clock: Clock) {
    this.#path = path;
    this.#address = address;
    this.#clock = clock;
  }

  /** @throws T4aError `not_allowed`; `over_limit`, `usage`: the file cannot be read or written */
  add(name: string, isReadOnly: boolean): Browser {
    if (this.#isRevoked) {
      throw new T4aError('not_allowed', 'The keys of this t4a web were ended: it remembers no browser any more.', {
        hint: 'Start it anew',
      });
    }
    const now = this.#clock.wallNow();
    const others = readBrowsers(this.#path).filter(({ until }) => until > now);
    if (others.length >= MAX_BROWSERS) {
      throw new T4aError('over_limit', `${MAX_BROWSERS} browsers are remembered, the most.`, {
        hint: 't4a web --browsers lists them, t4a web --forget NAME ends one',
      });
    }
    const secrets = { key_id: randomText(), key: randomText() };
    const browser = {
      name: unique(
        cleaned(name),
        others.map((one) => one.name),
      ),
      ...secrets,
      address: this.#address,
      read_only: isReadOnly,
      made: now,
      until: now + REMEMBERED_MS,
    };
    write(this.#path, [...others, browser]);
    this.#known = undefined;
    return browser;
  }

  /** Undefined for a key that is not valid here, or no longer. */
  known(keyId: string): Browser | undefined {
    if (this.#isRevoked) return undefined;
    const nowMs = this.#clock.now();
    if (this.#known === undefined || nowMs - this.#known.atMs >= LOOK_MS) {
      this.#known = { browsers: this.#read(), atMs: nowMs };
    }
    const known = this.#known.browsers.find((one) => one.key_id === keyId);
    const isValid = known?.address === this.#address && known.until > this.#clock.wallNow();
    return isValid ? known : undefined;
  }

  /**
   * From now on nothing is remembered, and what was opens nothing. Security: the file is emptied after that, so that no page
   * that a key has opened can be in it again.
   */
  revoke(): void {
    this.#isRevoked = true;
  }

  /** Security: a file that is not as it was written opens nothing. */
  #read(): readonly Browser[] {
    try {
      return readBrowsers(this.#path);
    } catch {
      return [];
    }
  }
}

/** Those that are over, too. @throws T4aError `usage` */
export function readBrowsers(path: string): readonly Browser[] {
  try {
    const { text, stat } = openSettingsFile(path, MAX_FILE_BYTES);
    // Security: it has keys.
    if ((stat.mode & GROUP_AND_OTHERS) !== 0) throw new RefusedFile('can be read by others');
    const { browsers } = JSON.parse(text) as { readonly browsers?: unknown };
    if (!Array.isArray(browsers) || !browsers.every(isBrowser)) throw new RefusedFile('is not as t4a writes it');
    return browsers;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    const why =
      error instanceof RefusedFile
        ? error.message
        : error instanceof SyntaxError
          ? 'is not JSON'
          : `cannot be read (${errnoOf(error) ?? String(error)})`;
    throw new T4aError('usage', `${quote(path)} ${why}.`, { hint: 'Remove it: browsers then need a link again' });
  }
}

/** @returns whether there was one of that name @throws T4aError `usage` */
export function forgetBrowser(path: string, name: string): boolean {
  const browsers = readBrowsers(path);
  const others = browsers.filter((one) => one.name !== name);
  if (others.length === browsers.length) return false;
  write(path, others);
  return true;
}

/** @returns how many there were @throws T4aError `usage` */
export function forgetBrowsers(path: string): number {
  const { length } = readBrowsers(path);
  if (length > 0) write(path, []);
  return length;
}

function write(path: string, browsers: readonly Browser[]): void {
  writeWhole(path, { browsers });
}

function isBrowser(value: unknown): value is Browser {
  if (typeof value !== 'object' || value === null) return false;
  const one = value as Record<string, unknown>;
  return (
    ['name', 'key_id', 'key', 'address'].every((field) => typeof one[field] === 'string') &&
    typeof one['read_only'] === 'boolean' &&
    ['made', 'until'].every((field) => typeof one[field] === 'number')
  );
}

/** What comes from a page is shown in terminals. */
function cleaned(name: string): string {
  const plain = name
    .replaceAll(/[^\p{L}\p{N} ._()-]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
  return plain === '' ? 'browser' : plain;
}

function unique(name: string, taken: readonly string[]): string {
  let one = name;
  for (let i = 2; taken.includes(one); i++) one = `${name} ${i}`;
  return one;
}
