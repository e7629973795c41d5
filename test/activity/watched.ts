/** A screen that rules watch: each text that is written is followed by a look, as in a daemon without a hurry. */
import { Engine } from '../../src/activity/engine.js';
import type { EntryChange } from '../../src/activity/entry.js';
import type { Look } from '../../src/activity/look.js';
import { parseRules } from '../../src/activity/rules-file.js';
import type { Profile } from '../../src/activity/rule.js';
import { takeLook } from '../../src/features/rules/take-look.js';
import { finish } from '../../src/search/work.js';
import { type ScreenOptions } from '../../src/vt/screen.js';
import { openScreen, show } from '../vt/screens.js';

/** Rules in the form of a file, as the profile `mine`. */
export function profileOf(...rules: readonly object[]): Profile {
  const text = JSON.stringify({ version: 1, profiles: [{ id: 'mine', rules }] });
  return parseRules('rules.json', text).profiles[0] as Profile;
}

export function watched(profile: Profile, options: Partial<ScreenOptions> = {}) {
  const screen = openScreen({ cols: 40, rows: 6, ...options });
  const engine = new Engine(profile, 't1');
  const all: EntryChange[] = [];
  let cols = screen.cols;
  let looks = 0;
  /** As many as it takes to read all lines. */
  const look = (maxLines = 500, over: Partial<Look> = {}): EntryChange[] => {
    const changes: EntryChange[] = [];
    do {
      const taken: Look = takeLook(screen, {
        from: engine.from,
        maxLines,
        ts: ++looks,
        renumbered: cols !== screen.cols,
      });
      cols = screen.cols;
      changes.push(...finish(engine.look({ ...taken, ...over })));
    } while (engine.isBehind);
    all.push(...changes);
    return changes;
  };
  return {
    screen,
    engine,
    all,
    look,
    /** Writes, looks, and returns the changes in short. */
    write: async (text: string): Promise<string[]> => {
      await show(screen, text);
      return look().map(brief);
    },
    /** As at the end of the program. */
    end: (): string[] => {
      look(500, { unfinished: false, cursor: Infinity });
      const changes = engine.end();
      all.push(...changes);
      return changes.map(brief);
    },
  };
}

/** `upsert error 1 the text`: operation, kind, version, text. */
export function brief({ op, entry }: EntryChange): string {
  return `${op} ${entry.kind} ${entry.version} ${String(entry.data['text']).replaceAll('\n', '|')}`;
}

/** Entries as they are after all changes, in the order of their first sight. */
export function entriesAfter(changes: readonly EntryChange[]): EntryChange['entry'][] {
  const entries = new Map<string, EntryChange['entry']>();
  for (const { op, entry } of changes) {
    if (op === 'delete') entries.delete(entry.id);
    else entries.set(entry.id, entry);
  }
  return [...entries.values()];
}
