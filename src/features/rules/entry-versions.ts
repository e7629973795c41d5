/** Versions of entries beyond those that their rules count. */
import type { Corrections } from '../../activity/corrections.js';
import type { Entry, EntryChange } from '../../activity/entry.js';

/** Kinds of entries that input does not answer. */
const NO_QUESTIONS: ReadonlySet<string> = new Set([
  'agent_message',
  'composer',
  'diagnostic',
  'error',
  'panic',
  'progress',
  'test_failure',
  'test_summary',
  'tool_call',
  'turn_end',
  'url',
  'user_message',
  'working',
]);

const NO_OFFSETS: Corrections['offsets'] = new Map<string, number>();

export class EntryVersions {
  /** What the versions lack, by id: of rules that have read the past, and of questions that were renewed. */
  #offsets: Corrections['offsets'];

  constructor(offsets = NO_OFFSETS) {
    this.#offsets = offsets;
  }

  get offsets(): Corrections['offsets'] {
    return this.#offsets;
  }

  /** The entry as clients know it. */
  of(found: Entry): Entry {
    const offset = this.#offsets.get(found.id);
    return offset === undefined ? found : { ...found, version: found.version + offset };
  }

  /**
   * Open questions get a version more, as if each was another one in the same words.
   * @param changes whose entries have a new version already
   * @returns as the rules would publish them
   */
  renew(entries: readonly Entry[], changes: readonly EntryChange[]): EntryChange[] {
    const changed = new Set(changes.map(({ entry }) => entry.id));
    const same = entries.filter(({ id, kind, open }) => open && !NO_QUESTIONS.has(kind) && !changed.has(id));
    if (same.length === 0) return [];
    const offsets = new Map(this.#offsets);
    const renewed = same.map((entry): EntryChange => {
      const offset = offsets.get(entry.id) ?? 0;
      offsets.set(entry.id, offset + 1);
      return { op: 'upsert', entry: { ...entry, version: entry.version - offset } };
    });
    this.#offsets = offsets;
    return renewed;
  }
}
