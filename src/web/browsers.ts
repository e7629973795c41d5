/**
 * Browsers that a person has let come back after `t4a web` has ended: a key each, for thirty days and one fixed address, in a file
 * of the user's alone. Nothing is remembered unless `t4a web --remember` says so.
 */
import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../base/clock.js';
import { errnoOf } from '../base/errno.js';
import { ABSENT, stampOf } from '../base/file-stamp.js';
import { openSettingsFile, RefusedFile } from '../base/settings-file.js';
import { changeWhole } from '../fleet/whole-file.js';
import { isT4aError, quote, T4aError } from '../protocol/errors.js';
import type { RightFile } from '../protocol/vocabulary.js';
import { randomText } from './secrets.js';

export interface Browser {
  /** Given by the page, made unique here. */
  readonly name: string;
  readonly key_id: string;
  readonly key: string;
  /** Address at which its page was served: `127.0.0.1:7373`. Elsewhere the key is worth nothing. */
  readonly address: string;
  /** Milliseconds since the Unix epoch. */
  /** Remembered by a page that changes nothing. */
  readonly read_only: boolean;
  readonly made: number;
  readonly until: number;
}

export const REMEMBERED_MS = 30 * 24 * 3_600_000;
export const MAX_BROWSERS = 32;
export const MAX_BROWSER_NAME_LENGTH = 64;

const MAX_FILE_BYTES = 64 * 1024;
const GROUP_AND_OTHERS = 0o077;

export class RememberedBrowsers {
  readonly #path: string;
  readonly #address: string;
  readonly #clock: Clock;
  #isRevoked = false;
  /** Content of the file, and which file it was: `t4a web --forget` and `--revoke` put another in its place. */
  #known: { readonly browsers: readonly Browser[]; readonly file: string } | undefined;

  constructor(path: string, address: string, clock: Clock) {
    this.#path = resolve(path);
    this.#address = address;
    this.#clock = clock;
  }

  /**
   * @param own id of the key that this browser has here already: it keeps its place, key and end, and gets the name
   * @throws T4aError `not_allowed`; `over_limit`, `usage`: the file cannot be read or written
   */
  add(name: string, isReadOnly: boolean, own?: string): Browser {
    if (this.#isRevoked) {
      throw new T4aError('not_allowed', 'The keys of this t4a web were ended: it remembers no browser any more.', {
        hint: 'Start it anew',
      });
    }
    let added: Browser | undefined;
    const make = (): object => {
      const [browsers, browser] = this.#added(name, isReadOnly, own);
      added = browser;
      return { browsers };
    };
    // A server that waits serves nobody.
    changeWhole(this.#path, make, { waitMs: 0 });
    this.#known = undefined;
    return added as unknown as Browser;
  }

  #added(wanted: string, isReadOnly: boolean, own?: string): [browsers: readonly Browser[], added: Browser] {
    const now = this.#clock.wallNow();
    const valid = readBrowsers(this.#path).filter(({ until }) => until > now);
    const others = valid.filter((one) => one.key_id !== own);
    const name = unique(
      cleaned(wanted),
      others.map((one) => one.name),
    );
    if (own !== undefined) {
      const before = valid.find((one) => one.key_id === own);
      // Security: it was forgotten meanwhile, and what it asks for does not bring it back.
      if (before === undefined) throw new T4aError('not_allowed', 'This browser is remembered no more.');
      const renamed = { ...before, name };
      return [valid.map((one) => (one === before ? renamed : one)), renamed];
    }
    if (others.length >= MAX_BROWSERS) {
      throw new T4aError('over_limit', `${MAX_BROWSERS} browsers are remembered, the most.`, {
        hint: 't4a web --browsers lists them, t4a web --forget NAME ends one',
      });
    }
    const secrets = { key_id: randomText(), key: randomText() };
    const browser = {
      name,
      ...secrets,
      address: this.#address,
      read_only: isReadOnly,
      made: now,
      until: now + REMEMBERED_MS,
    };
    return [[...others, browser], browser];
  }

  /** Undefined for a key that is not valid here, or no longer. */
  known(keyId: string): Browser | undefined {
    if (this.#isRevoked) return undefined;
    const file = stampOf(this.#path);
    if (this.#known?.file !== file) this.#known = this.#read(file);
    const known = this.#known?.browsers.find((one) => one.key_id === keyId);
    const isValid = known?.address === this.#address && known.until > this.#clock.wallNow();
    return isValid ? known : undefined;
  }

  /** The file has the key of that browser as long as it is remembered. */
  right({ key_id }: Pick<Browser, 'key_id'>): RightFile {
    return { path: this.#path, contains: JSON.stringify(key_id) };
  }

  /**
   * From now on nothing is remembered, and what was opens nothing. Security: server and command empty the file after that, so that no
   * page that a key has opened can be in it again.
   */
  revoke(): void {
    this.#isRevoked = true;
  }

  /** Security: a file that is not as it was written opens nothing. It is read again: without descriptors none can be. */
  #read(file: string): { readonly browsers: readonly Browser[]; readonly file: string } | undefined {
    try {
      return { browsers: readBrowsers(this.#path), file };
    } catch {
      return undefined;
    }
  }
}

/** Browsers, also those that are over. @throws T4aError `usage` */
export function readBrowsers(path: string): readonly Browser[] {
  try {
    if (lstatSync(path).isSymbolicLink()) throw new RefusedFile('is a link, no regular file');
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

/** @returns names like it that are remembered still, with a number; undefined: there was none of that name @throws T4aError `usage` */
export function forgetBrowser(path: string, name: string): readonly string[] | undefined {
  let alike: readonly string[] | undefined;
  change(path, (browsers) => {
    const others = browsers.filter((one) => one.name !== name);
    if (others.length === browsers.length) return undefined;
    alike = others.map((one) => one.name).filter((other) => isNumbered(other, name));
    return { browsers: others };
  });
  return alike;
}

/** @returns how many there were @throws T4aError `usage` */
export function forgetBrowsers(path: string): number {
  let had = 0;
  change(path, ({ length }) => {
    had = length;
    // The one that needs no room on any disk.
    return had > 0 ? null : undefined;
  });
  return had;
}

/** Result of the edit; or the reason why it failed, with what is valid still. */
export function stillValid<Value>(path: string, edit: () => Value): Value | T4aError {
  try {
    return edit();
  } catch (error) {
    if (!isT4aError(error)) throw error;
    const keys = keysIn(path);
    if (keys === 0) return error;
    return new T4aError(error.code, `${error.message} Browsers in it whose keys are valid still: ${keys}.`, {
      hint: error.details.hint ?? 'Remove the file: browsers then need a link again',
    });
  }
}

/** A file that is refused opens nothing. */
function keysIn(path: string): number {
  try {
    return readBrowsers(path).length;
  } catch {
    return 0;
  }
}

/** Makes no folder where there is no file. */
function change(path: string, edit: (browsers: readonly Browser[]) => object | null | undefined): void {
  if (stampOf(path) === ABSENT) return;
  changeWhole(path, () => edit(readBrowsers(path)), { endsRights: true });
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

/** Name without what terminals act on: it comes from a page, and is shown in them. */
function cleaned(name: string): string {
  const plain = name
    .replaceAll(/[^\p{L}\p{N} ._()-]+/gu, ' ')
    .trim()
    .slice(0, MAX_BROWSER_NAME_LENGTH);
  return plain === '' ? 'browser' : plain;
}

/** Whether it is the name that {@link unique} gives a second browser of that name. */
function isNumbered(name: string, first: string): boolean {
  return name.startsWith(`${first} `) && /^\d+$/.test(name.slice(first.length + 1));
}

function unique(name: string, taken: readonly string[]): string {
  let one = name;
  for (let i = 2; taken.includes(one); i++) one = `${name} ${i}`;
  return one;
}
