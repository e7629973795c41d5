/**
 * The owner's lasting triggers: `triggers.json` beside the configuration file. It is read again, if it has changed, when a
 * terminal is made; a broken one leaves the triggers of before. A file that others may write is no file of the owner: it
 * could make the daemon run commands.
 */
import { statSync } from 'node:fs';
import { z } from 'zod';
import { errnoOf } from '../../base/errno.js';
import { isOthersToWrite } from '../../base/ownership.js';
import { openSettingsFile, RefusedFile } from '../../base/settings-file.js';
import { configFileError, readConfigFile } from '../../protocol/config-file.js';
import { isT4aError, quote } from '../../protocol/errors.js';
import { fieldError } from '../../protocol/field-error.js';
import { triggersFileShape } from '../../protocol/triggers.js';
import { terminalTest } from '../../terminal/where.js';

const schema = z.strictObject(triggersFileShape);

type Content = z.output<typeof schema>;

export type SavedTrigger = Content['triggers'][number];

const NOTHING: Content = { version: 1, triggers: [], notify: [] };

export class TriggersFile {
  readonly #path: string;
  readonly #check: (trigger: SavedTrigger) => void;
  readonly #warn: (message: string) => void;
  #version = '';
  #content = NOTHING;

  /**
   * @param check throws T4aError where the schema cannot say what is wrong with one
   * @param warn for the operator
   */
  constructor(path: string, check: (trigger: SavedTrigger) => void, warn: (message: string) => void) {
    this.#path = path;
    this.#check = check;
    this.#warn = warn;
  }

  /** As the file says now; of a broken file, as it said before. */
  read(): Content {
    try {
      const { mtimeMs, size, ino, mode } = statSync(this.#path);
      const version = [mtimeMs, size, ino, mode].join(' ');
      if (version === this.#version) return this.#content;
      this.#version = version;
      this.#content = this.#parsed();
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return (this.#content = NOTHING);
      const message = error instanceof Error ? error.message : String(error);
      const reason = error instanceof RefusedFile ? `it ${message}` : (errnoOf(error) ?? message);
      const says = isT4aError(error) ? error.message : `${quote(this.#path)} cannot be used: ${reason}.`;
      this.#warn(`${says} The last good triggers stay.`);
    }
    return this.#content;
  }

  #parsed(): Content {
    const { text, stat } = openSettingsFile(this.#path);
    if (isOthersToWrite(stat)) throw new Error('others than its owner may write it');
    const file = readConfigFile(this.#path, () => text);
    if (file === undefined) return NOTHING;
    const checked = schema.safeParse(file.fields);
    if (!checked.success) {
      const place = checked.error.issues[0]?.path.slice(0, 2).join('.') ?? '';
      const { message } = fieldError({ name: place, schema, hint: 't4a trigger --help' }, checked.error, file.fields);
      throw configFileError(file, place, message);
    }
    for (const [i, trigger] of checked.data.triggers.entries()) {
      try {
        this.#check(trigger);
      } catch (error) {
        throw configFileError(file, `triggers.${i}`, error instanceof Error ? error.message : String(error));
      }
    }
    for (const [i, { where }] of checked.data.notify.entries()) {
      try {
        if (where !== undefined) terminalTest(where);
      } catch (error) {
        throw configFileError(file, `notify.${i}`, error instanceof Error ? error.message : String(error));
      }
    }
    return checked.data;
  }
}
