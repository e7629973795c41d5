/** What a condition on entries finds in a terminal: the entries that are open, and whether any can come. */
import type { Entry } from '../../activity/entry.js';
import type { Profile, Rule } from '../../activity/rule.js';
import { nearestWords } from '../../base/nearest.js';
import { quote } from '../../protocol/errors.js';
import type { Activity } from './activity.js';
import type { EntryTerminal } from './entry-condition.js';

export interface StandingEntries {
  /** What the newest open entry of the kind has captured. The screen is read at once: it stands there now. */
  readonly open: (kind: string) => Entry['data'] | undefined;
  /** Why no entry can come, for people; undefined if one can. @param kind undefined: of any kind */
  hindrance(kind?: string): string | undefined;
}

/** Output that has arrived by the call is on the screen when this resolves. */
export async function standingEntries(
  activity: Activity | undefined,
  terminal: EntryTerminal,
): Promise<StandingEntries> {
  if (activity?.of(terminal) !== undefined) await terminal.settle();
  return {
    open(kind) {
      const watch = activity?.of(terminal);
      const newest = (): Entry | undefined => watch?.log.all().findLast((entry) => entry.open && entry.kind === kind);
      if (newest() === undefined) return undefined;
      watch?.lookNow();
      return newest()?.data;
    },
    hindrance(kind) {
      const profile = activity?.of(terminal)?.profile;
      if (profile === undefined) return withoutRules(terminal);
      return kind === undefined ? undefined : withoutKind(kind, profile);
    },
  };
}

function withoutRules({ id }: EntryTerminal): string {
  return `Terminal ${quote(id)} has no rules, and so no entries: t4a rules set --terminal ${id} --profile generic.`;
}

/** Kinds that are named in the sentence. */
const MAX_NAMED = 12;

function withoutKind(kind: string, { id, rules }: Profile): string | undefined {
  const kinds = new Set(rules.flatMap((rule) => (rule.on === 'box' ? [] : [...kindsOf(rule)])));
  if (kinds.has(kind)) return undefined;
  const nearest = nearestWords(kind, kinds, 1);
  const named = nearest.length > 0 ? nearest : [...kinds].slice(0, MAX_NAMED);
  const more = nearest.length > 0 || kinds.size <= MAX_NAMED ? '' : ', …';
  return `No rule of the profile ${quote(id)} finds entries of the kind ${quote(kind)}; it has ${named.join(', ')}${more}.`;
}

function* kindsOf({ kind, fallback }: Rule): Generator<string> {
  yield kind;
  if (fallback !== undefined) yield* kindsOf(fallback);
}
