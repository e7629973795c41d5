/** Members that have finished what they were working on. One that asked and was answered has finished nothing. Pure. */
import type { Member } from '../../crew/members.js';

export class Finished {
  readonly #working = new Set<string>();
  readonly #finished = new Set<string>();

  has(id: string): boolean {
    return this.#finished.has(id);
  }

  /** Notes that a member is shown from now on. */
  see(id: string): void {
    this.#finished.delete(id);
  }

  /** @param members after each list @param shown nobody has to be told of it */
  follow(members: readonly Member[], shown: string | undefined): void {
    const ids = new Set(members.map(({ id }) => id));
    for (const all of [this.#working, this.#finished]) for (const id of all) if (!ids.has(id)) all.delete(id);
    for (const member of members) this.#take(member, member.id === shown);
  }

  #take({ id, state, terminal: { doing } }: Member, isShown: boolean): void {
    if (state === 'unknown') return;
    if (state === 'working') {
      this.#finished.delete(id);
      // Output alone is a guess, and no work.
      if (doing?.sure === true) this.#working.add(id);
      return;
    }
    const worked = this.#working.delete(id);
    if (worked && !isShown && (state === 'idle' || state === 'done')) this.#finished.add(id);
  }
}
