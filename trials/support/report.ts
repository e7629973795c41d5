/** What a trial did, and what it lost: an empty list of failures is a pass. */
export interface Report {
  readonly figures: readonly (readonly [what: string, value: string | number])[];
  readonly failures: readonly string[];
}

/** More say nothing more. */
const MAX_FAILURES = 20;

export class Failures {
  readonly #list: string[] = [];

  get list(): readonly string[] {
    return this.#list;
  }

  get full(): boolean {
    return this.#list.length >= MAX_FAILURES;
  }

  add(failure: string): void {
    if (!this.full) this.#list.push(failure);
  }
}
