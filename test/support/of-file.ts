/** What the tests of one file share, because its start takes longer than they do. Each leaves it as it was. */
import { afterAll } from 'vitest';

/** `onTestFinished`, or the same for the end of a file. */
export type AtEnd = (end: () => void | Promise<void>) => void;

/**
 * To be called at the top of a file.
 * @param make ends by `atEnd` what it starts, the last first
 * @returns what the first test that asks makes, and others get too
 */
export function ofFile<T>(make: (atEnd: AtEnd) => Promise<T>): () => Promise<T> {
  const ends: (() => void | Promise<void>)[] = [];
  let made: Promise<T> | undefined;
  afterAll(async () => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  });
  return () => (made ??= make((end) => void ends.push(end)));
}

/** What the tests of a file share, each under a name: made for the first that asks. */
export type Kept = <T>(name: string, make: (atEnd: AtEnd) => Promise<T>) => Promise<T>;

/** To be called at the top of a file. */
export function keptInFile(): Kept {
  const ends: (() => void | Promise<void>)[] = [];
  const kept = new Map<string, Promise<unknown>>();
  afterAll(async () => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  });
  return <T>(name: string, make: (atEnd: AtEnd) => Promise<T>) => {
    const made = (kept.get(name) as Promise<T> | undefined) ?? make((end) => void ends.push(end));
    kept.set(name, made);
    return made;
  };
}
