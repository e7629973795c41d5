/** Places of output, followed to the numbers that their lines get when lines are numbered anew. */
import type { Disposable } from '../../base/lifetime.js';
import type { RowChange } from '../../vt/snapshot.js';
import type { OutputPlace } from './output-place.js';

/** A line that is followed to its new number. */
export interface FollowedLine extends Disposable {
  /** Undefined once it is lost. */
  readonly line: number | undefined;
}

type Follow = (line: number) => FollowedLine;

/** @returns to be called afterwards: undefined if it is lost */
export function followPlace(output: OutputPlace, follow: Follow): () => OutputPlace | undefined {
  // The alternate screen is not laid out anew.
  if (output.alternate === true || output.first === undefined) return () => output;
  const first = follow(output.first);
  const end = output.end === undefined ? undefined : follow(output.end);
  return () => {
    const [firstLine, endLine] = [taken(first), end && taken(end)];
    const isLost = firstLine === undefined || (end !== undefined && endLine === undefined);
    return isLost ? undefined : { ...output, first: firstLine, end: endLine };
  };
}

/** What is lost has left the screen: a command that begins above has no more of it. */
export function followChanges(changes: readonly RowChange[], follow: Follow): () => RowChange[] {
  const followed = changes.map((change) => followChange(change, follow));
  return () => followed.flatMap((after) => after() ?? []);
}

function followChange(change: RowChange, follow: Follow): () => RowChange | undefined {
  if (change.change === 'erased') {
    const from = follow(change.from);
    return () => {
      const line = taken(from);
      return line === undefined ? undefined : { ...change, from: line };
    };
  }
  if (change.change !== 'written' && change.change !== 'shifted') return () => change;
  const ends = change.change === 'written' ? [change.first, change.last] : [change.top, change.bottom];
  const [first, last] = ends.map(follow);
  return () => {
    const [firstLine, lastLine] = [first && taken(first), last && taken(last)];
    if (firstLine === undefined || lastLine === undefined) return undefined;
    return change.change === 'written'
      ? { ...change, first: firstLine, last: lastLine }
      : { ...change, top: firstLine, bottom: lastLine };
  };
}

function taken(followed: FollowedLine): number | undefined {
  const { line } = followed;
  followed.dispose();
  return line;
}
