/** Changes of entries as lines of JSON: what a file of activity holds. A reader drops a last line that is torn. */
import type { ENTRY_OPS, WireEntry } from './entry.js';

interface Entry extends Readonly<WireEntry> {
  readonly terminal: string;
}

interface EntryChange {
  readonly op: (typeof ENTRY_OPS)[number];
  /** Entry after the change. */
  readonly entry: Entry;
}

/** A change with its number, which readers continue from. */
export interface NumberedChange extends EntryChange {
  readonly n: number;
}

export function lineOfChange({ n, op, entry }: NumberedChange): string {
  return `${JSON.stringify({ type: `entry.${op}`, n, entry })}\n`;
}

/** Ids of the entries that may still change. @param profile whose rules go on from there; undefined if the file does not have it */
export function lineOfCheckpoint(n: number, open: readonly string[], profile?: string): string {
  return `${JSON.stringify({ type: 'checkpoint', n, open, profile })}\n`;
}

/** Profile of the last checkpoint that has one. */
export function profileIn(text: string): string | undefined {
  const line = text.split('\n').findLast((one) => CHECKPOINT.test(one));
  return line === undefined ? undefined : CHECKPOINT.exec(line)?.[1];
}

/** The name of a profile needs no escape: see the form of rules. */
const CHECKPOINT = /^\{"type":"checkpoint",.*"profile":"([\w.-]+)"\}$/;

/** Lines that are no change (a checkpoint, what a crash has torn) are left out. */
export function changesIn(text: string): NumberedChange[] {
  return text.split('\n').flatMap((line) => changeIn(line) ?? []);
}

/** The entries after all changes, in the order of their last change. */
export function replayEntries(changes: readonly EntryChange[]): Entry[] {
  const entries = new Map<string, Entry>();
  for (const { op, entry } of changes) {
    entries.delete(entry.id);
    if (op !== 'delete') entries.set(entry.id, entry);
  }
  return [...entries.values()];
}

/** The last change of each entry that is left, and a checkpoint: replayed, they are the same entries. */
export function compactLines(changes: readonly NumberedChange[]): string {
  const last = new Map<string, NumberedChange>();
  for (const change of changes) {
    last.delete(change.entry.id);
    if (change.op !== 'delete') last.set(change.entry.id, change);
  }
  const kept = [...last.values()];
  const open = kept.filter(({ entry }) => entry.open).map(({ entry }) => entry.id);
  return [...kept.map(lineOfChange), lineOfCheckpoint(changes.at(-1)?.n ?? 0, open)].join('');
}

function changeIn(line: string): NumberedChange | undefined {
  if (!line.startsWith('{"type":"entry.') || !line.endsWith('}')) return undefined;
  try {
    const { type, n, entry } = JSON.parse(line) as { type: string; n: number; entry: Entry };
    return { op: type.slice('entry.'.length) as EntryChange['op'], n, entry };
  } catch {
    return undefined;
  }
}
