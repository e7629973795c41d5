/**
 * The file of a snapshot: `__snapshots__/a.test.ts/name-of-the-test.txt` beside the test, and what vitest's settings say about it: `-u`
 * writes it anew, a missing one is written, except in CI.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolderLater } from '../base/make-folder.js';
import { attemptOf, taskOf, type Assertion } from './assertion.js';
import { fileNameOf } from './failure-files.js';

/** Vitest's own; its versions name the setting in two ways. */
interface SnapshotState {
  readonly snapshotUpdateState?: string;
  readonly _updateSnapshot?: string;
}

type Outcome = 'added' | 'matched' | 'unmatched' | 'updated';

export interface SnapshotAssertion extends Assertion {
  readonly snapshotState?: object | undefined;
}

interface Taken {
  /** Attempt and number of assertions at the last snapshot: a new attempt counts from the beginning. */
  attempt: number;
  assertions: number;
  readonly counts: Map<string, number>;
}

/** Names by test; by its name if vitest does not name the test. They last for the tests of a worker. */
const taken = new Map<string, Taken>();
/** Test that has a file. */
const owners = new Map<string, string>();

export class SnapshotFile {
  readonly path: string;
  readonly #state: SnapshotState;
  readonly #testId: string;

  /** @throws Error where no test runs, with `not`, and if another test has that file */
  constructor(assertion: SnapshotAssertion, matcher: string, { name = '', ending }: { name?: string; ending: string }) {
    const { testPath, currentTestName, snapshotState, isNot = false } = assertion;
    if (isNot) throw new TypeError(`${matcher} cannot be used with "not".`);
    if (typeof name !== 'string') throw new TypeError(`${matcher} takes a name of the snapshot, not ${String(name)}.`);
    if (testPath === undefined || currentTestName === undefined || snapshotState === undefined)
      throw new Error(`${matcher} is for a running test of vitest: there is none.`);
    this.#state = snapshotState;
    this.#testId = taskOf(assertion)?.id ?? `${testPath} ${currentTestName}`;
    const label = fileNameOf(`${currentTestName} ${name}`);
    const count = this.#count(`${label}.${ending}`, assertion);
    const file = `${label}${count > 1 ? `-${count}` : ''}.${ending}`;
    this.path = path.join(path.dirname(testPath), '__snapshots__', path.basename(testPath), file);
    const owner = owners.get(this.path) ?? this.#testId;
    if (owner !== this.#testId)
      throw new Error(`${this.path} is the snapshot of another test with a similar name: give ${matcher} a name.`);
    owners.set(this.path, owner);
  }

  get #mode(): string {
    return this.#state.snapshotUpdateState ?? this.#state._updateSnapshot ?? 'none';
  }

  get mayReplace(): boolean {
    return this.#mode === 'all';
  }

  get mayAdd(): boolean {
    return this.#mode !== 'none';
  }

  async read(): Promise<Buffer | undefined> {
    try {
      return await readFile(this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async write(content: string | Uint8Array): Promise<void> {
    await makeFolderLater(path.dirname(this.path));
    await writeFile(this.path, content);
  }

  /** Counts an outcome for the summary that vitest prints. */
  count(outcome: Outcome): void {
    const counter = (this.#state as Partial<Record<Outcome, { increment?: (testId: string) => void }>>)[outcome];
    counter?.increment?.(this.#testId);
  }

  /** @returns 1 for the first snapshot of that name in this attempt of the test */
  #count(label: string, assertion: Assertion): number {
    const { assertionCalls = 0 } = assertion;
    const attempt = attemptOf(taskOf(assertion));
    let own = taken.get(this.#testId);
    const isAnew = own === undefined || own.attempt !== attempt || assertionCalls <= own.assertions;
    if (own === undefined || isAnew) own = { attempt, assertions: 0, counts: new Map() };
    own.assertions = assertionCalls;
    taken.set(this.#testId, own);
    const count = (own.counts.get(label) ?? 0) + 1;
    own.counts.set(label, count);
    return count;
  }
}
