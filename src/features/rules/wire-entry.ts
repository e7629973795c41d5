import type { Entry } from '../../activity/entry.js';
import type { WireEntry } from '../../protocol/entry.js';

/** The event and the request name the terminal. */
export function wireEntry(entry: Entry): WireEntry {
  const { id, kind, rule, version, open, ts, rev, line, lines, region, confidence, data } = entry;
  return { id, kind, rule, version, open, ts, rev, line, lines, region, confidence, data: { ...data } };
}
