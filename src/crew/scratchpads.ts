/**
 * Notes of a project that agents and people share: files of Markdown in a folder of the person's, at any size that an agent can read. A
 * revision is of the content, so that a save by an editor counts. Each change is whole, and made by one writer at a time.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../base/clock.js';
import { errnoOf } from '../base/errno.js';
import { makeFolder } from '../base/make-folder.js';
import { isOurs, whyUnsafe } from '../base/ownership.js';
import { CLAIM_MS, CLAIM_POLL_MS, claimDraft, type Draft, replaceBy, waitForDraft } from '../base/private-file.js';
import { quote } from '../protocol/errors.js';
import { type CrewPlaces, projectFolder } from './places.js';
import { ToolError } from './tools/tool-error.js';

/** All of one is in one result. */
export const MAX_SCRATCHPAD_BYTES = 128 * 1024;
/** Of a project. All are read for a list with revisions: 8 MiB. */
export const MAX_SCRATCHPADS = 64;

const EXTENSION = '.md';
/** With the extension. */
const MAX_NAME_LENGTH = 64;
/** What is not shown would make two names of one. */
const NAME = /^(?!.*\p{DI})[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u;

export interface ListedScratchpad {
  readonly name: string;
  readonly size: number;
  readonly modified_at: string;
  /** Null: it cannot be read, as a link or what is too large. */
  readonly revision: string | null;
}

export interface Scratchpad extends ListedScratchpad {
  readonly revision: string;
  readonly content: string;
}

/** What stands there before a change; null: nothing. */
type Change = (before: Buffer | null) => Buffer | null;

interface Changed {
  /** Null: it is gone. */
  readonly bytes: Buffer | null;
  readonly modified: Date;
}

export class Scratchpads {
  readonly #folder: string;

  /** @param project its real path */
  constructor(places: CrewPlaces, project: string) {
    this.#folder = join(projectFolder(places, project), 'scratchpads');
  }

  /** By name, at most {@link MAX_SCRATCHPADS}. @throws ToolError `not_permitted`: others can write the folder */
  list(): ListedScratchpad[] {
    return this.#names()
      .slice(0, MAX_SCRATCHPADS)
      .flatMap((name): ListedScratchpad[] => {
        const stat = lstatSync(this.#path(name), { throwIfNoEntry: false });
        if (stat === undefined) return [];
        return [{ ...listedOf(name, stat), revision: this.#revisionOf(name) }];
      });
  }

  /** By name, without reading them: for who looks again and again. Empty if others can write the folder. */
  glance(): { readonly name: string; readonly size: number; readonly modifiedMs: number }[] {
    try {
      return this.#names()
        .slice(0, MAX_SCRATCHPADS)
        .flatMap((name) => {
          const stat = lstatSync(this.#path(name), { throwIfNoEntry: false });
          return stat === undefined ? [] : [{ name, size: stat.size, modifiedMs: stat.mtimeMs }];
        });
    } catch (error) {
      if (error instanceof ToolError || errnoOf(error) !== undefined) return [];
      throw error;
    }
  }

  /** @throws ToolError `not_found`, `bad_name`, `not_permitted` */
  read(given: string): Scratchpad {
    const name = this.#nameOf(given);
    const found = this.#bytes(name);
    if (found === null) throw notFound(name);
    const { bytes, stat } = found;
    return { ...listedOf(name, stat), revision: revisionOf(bytes), content: bytes.toString('utf8') };
  }

  /** @param revision of what it replaces, empty if there must be none; undefined: whatever stands there @throws ToolError as {@link append} */
  write(given: string, content: string, revision?: string, signal?: AbortSignal): Promise<ListedScratchpad> {
    const name = this.#nameOf(given);
    return this.#write(name, signal, (before) => {
      checkRevision(name, before, revision);
      return bytesOf(content);
    });
  }

  /** @throws ToolError `bad_name`, `revision_conflict`, `limit_reached`, `not_permitted`, `busy` */
  append(given: string, content: string, signal?: AbortSignal): Promise<ListedScratchpad> {
    const more = bytesOf(content);
    return this.#write(this.#nameOf(given), signal, (before) => Buffer.concat([before ?? Buffer.alloc(0), more]));
  }

  /** @throws ToolError as {@link append}, and `not_found` */
  async delete(given: string, revision?: string, signal?: AbortSignal): Promise<void> {
    const name = this.#nameOf(given);
    if (this.#stat(name) === undefined) throw notFound(name);
    await this.#change(name, signal, (before) => {
      if (before === null) throw notFound(name);
      checkRevision(name, before, revision);
      return null;
    });
  }

  async #write(name: string, signal: AbortSignal | undefined, change: Change): Promise<ListedScratchpad> {
    const { bytes, modified } = await this.#change(name, signal, change);
    return {
      name,
      size: bytes?.length ?? 0,
      modified_at: modified.toISOString(),
      revision: bytes === null ? null : revisionOf(bytes),
    };
  }

  /** The new file is the claim as well: it is made under a name of its own, which other writers wait for, and renamed. */
  async #change(name: string, signal: AbortSignal | undefined, change: Change): Promise<Changed> {
    try {
      makeFolder(this.#folder, 0o700);
      this.#checkFolder();
      const draft = await claimed(join(this.#folder, `.${name}.new`), signal);
      const { ino } = fstatSync(draft.file);
      let after: Buffer | null = null;
      replaceBy(
        draft,
        this.#path(name),
        () => {
          after = change(this.#bytes(name)?.bytes ?? null);
          if (after !== null) this.#checkRoom(name, after);
          return after;
        },
        'file',
      );
      const stat = this.#stat(name);
      // Another writer's file may have taken its place.
      const modified = stat?.ino === ino ? stat.mtime : new Date(systemClock.wallNow());
      return { bytes: after, modified };
    } catch (error) {
      const reason = error instanceof ToolError ? undefined : errnoOf(error);
      if (reason === undefined) throw error;
      throw new ToolError('not_permitted', `The scratchpad ${quote(name)} cannot be written (${reason}).`);
    }
  }

  /** @throws ToolError `limit_reached` */
  #checkRoom(name: string, bytes: Buffer): void {
    if (bytes.length > MAX_SCRATCHPAD_BYTES) {
      const says = `${quote(name)} would have ${bytes.length} bytes; the most are ${MAX_SCRATCHPAD_BYTES}.`;
      throw new ToolError('limit_reached', says, 'Begin another one.');
    }
    const names = this.#names();
    if (!names.includes(name) && names.length >= MAX_SCRATCHPADS) {
      throw new ToolError('limit_reached', `The project has ${names.length} scratchpads already.`, 'Delete one.');
    }
  }

  /** Unicode has several forms of a letter with an accent: all of them mean the file that is there. @throws ToolError `bad_name`, `not_permitted` */
  #nameOf(given: string): string {
    const name = fileName(given);
    const names = this.#names();
    const inForm = name.normalize('NFC');
    return names.includes(name) ? name : (names.find((one) => one.normalize('NFC') === inForm) ?? inForm);
  }

  #names(): string[] {
    if (!this.#checkFolder()) return [];
    return readdirSync(this.#folder).filter(isName).toSorted();
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  #stat(name: string): Stats | undefined {
    return this.#checkFolder() ? lstatSync(this.#path(name), { throwIfNoEntry: false }) : undefined;
  }

  #revisionOf(name: string): string | null {
    try {
      const found = this.#bytes(name);
      return found === null ? null : revisionOf(found.bytes);
    } catch (error) {
      if (error instanceof ToolError) return null;
      throw error;
    }
  }

  /** Null: there is none. @throws ToolError `not_permitted`, `limit_reached` */
  #bytes(name: string): { readonly bytes: Buffer; readonly stat: Stats } | null {
    const path = this.#path(name);
    const seen = lstatSync(path, { throwIfNoEntry: false });
    if (seen === undefined) return null;
    // Before it is opened: to open a device may act on it.
    checkFile(path, name, seen);
    let file: number;
    try {
      const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
      file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return null;
      throw new ToolError('not_permitted', `${quote(name)} cannot be read (${errnoOf(error) ?? String(error)}).`);
    }
    try {
      const stat = fstatSync(file);
      checkFile(path, name, stat);
      return { bytes: readFileSync(file), stat };
    } finally {
      closeSync(file);
    }
  }

  /** Who can write a folder can put another file there. @returns whether there is one */
  #checkFolder(): boolean {
    for (const one of [dirname(this.#folder), this.#folder]) {
      const stat = lstatSync(one, { throwIfNoEntry: false });
      if (stat === undefined) return false;
      if (stat.isDirectory() && whyUnsafe(one, stat) === undefined) continue;
      throw new ToolError(
        'not_permitted',
        `${JSON.stringify(one)} is a link, no directory, another user's, or can be written by others: its scratchpads are not used.`,
        'A person has to mend it.',
      );
    }
    return true;
  }
}

function isName(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && name.endsWith(EXTENSION) && NAME.test(name);
}

/** @throws ToolError `bad_name` */
function fileName(given: string): string {
  const name = given.endsWith(EXTENSION) ? given : `${given}${EXTENSION}`;
  if (given !== EXTENSION && isName(name)) return name;
  throw new ToolError(
    'bad_name',
    `${quote(given)} is no name of a scratchpad.`,
    `Letters, digits, "_", "-" and "." only, at most ${MAX_NAME_LENGTH} with ".md", no folder.`,
  );
}

function listedOf(name: string, stat: Stats): Omit<ListedScratchpad, 'revision'> {
  return { name, size: stat.size, modified_at: stat.mtime.toISOString() };
}

/** @throws ToolError `not_permitted`, `limit_reached` */
function checkFile(path: string, name: string, stat: Stats): void {
  if (!stat.isFile() || !isOurs(path, stat)) {
    throw new ToolError(
      'not_permitted',
      `${quote(name)} is a link, no regular file, or another user's: it is not used.`,
    );
  }
  if (stat.size > MAX_SCRATCHPAD_BYTES) {
    throw new ToolError(
      'limit_reached',
      `${quote(name)} has ${stat.size} bytes; the most are ${MAX_SCRATCHPAD_BYTES}.`,
      'A person has to shorten it.',
    );
  }
}

const REVISION_LENGTH = 12;

function revisionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, REVISION_LENGTH);
}

/** @throws ToolError `revision_conflict` */
function checkRevision(name: string, before: Buffer | null, wanted: string | undefined): void {
  const now = before === null ? '' : revisionOf(before);
  if (wanted === undefined || wanted === now) return;
  throw new ToolError(
    'revision_conflict',
    `${quote(name)} ${now === '' ? 'is not there any more' : `has the revision "${now}" by now`}: nothing was changed.`,
    'Read it again, then write with the new revision.',
    { revision: now },
  );
}

/** @throws ToolError `invalid_field` */
function bytesOf(content: string): Buffer {
  if (/\p{Surrogate}/u.test(content)) throw new ToolError('invalid_field', '"content" is no Unicode text.');
  return Buffer.from(content, 'utf8');
}

function notFound(name: string): ToolError {
  return new ToolError('not_found', `There is no scratchpad ${quote(name)}.`, 'scratchpad_list has the names.');
}

/** @throws ToolError `busy` */
async function claimed(path: string, signal: AbortSignal | undefined): Promise<Draft> {
  for (const startMs = systemClock.now(); systemClock.now() - startMs <= CLAIM_MS;) {
    const draft = claimDraft(path);
    if (draft !== undefined) return draft;
    await delay(CLAIM_POLL_MS, undefined, signal === undefined ? {} : { signal });
  }
  const draft = waitForDraft(path, 0);
  if (draft !== undefined) return draft;
  const says = `${JSON.stringify(path)} is there: another writer changes the scratchpad.`;
  throw new ToolError(
    'busy',
    says,
    'If none does, it gives way after ten seconds; without /proc, a person has to remove that file.',
  );
}
