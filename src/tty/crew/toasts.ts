/** Lines over the top of the screen that go by themselves: who has begun to wait for the person, whom an agent proposes to look at. Pure. */
import type { Need } from './needs.js';

export interface Toast {
  readonly text: string;
  /** Id of the terminal that a click goes to. */
  readonly id: string;
}

interface Standing extends Toast {
  readonly key: string;
  readonly ticks: number;
}

const TICKS = 8;
const MAX_TOASTS = 3;

export class Toasts {
  #standing: readonly Standing[] = [];
  /** Undefined before the first list: what waited before is no news. */
  #seen: ReadonlySet<string> | undefined;

  /** The newest first. */
  get all(): readonly Toast[] {
    return this.#standing;
  }

  /** After each change. @returns those that are new, and not about the terminal that is shown */
  follow(needs: readonly Need[], shown: string | undefined): readonly Need[] {
    const keys = new Map(needs.map((need) => [keyOf(need), need]));
    const seen = this.#seen;
    this.#seen = new Set(keys.keys());
    // The question has been answered, or is another by now.
    this.#standing = this.#standing.filter(({ key, id }) => id !== shown && (key === '' || keys.has(key)));
    if (seen === undefined) return [];
    const fresh = [...keys].filter(([key, { member }]) => !seen.has(key) && member.id !== shown);
    for (const [key, { member, text }] of fresh) {
      this.#add({ key, id: member.id, text: `! ${member.name} asks${text === '' ? '' : `: ${text}`}` });
    }
    return fresh.map(([, need]) => need);
  }

  propose(id: string, text: string): void {
    this.#add({ key: '', id, text });
  }

  close(id: string): void {
    this.#standing = this.#standing.filter((one) => one.id !== id);
  }

  /** Once a second. @returns whether one has gone */
  tick(): boolean {
    const { length } = this.#standing;
    this.#standing = this.#standing.map((one) => ({ ...one, ticks: one.ticks - 1 })).filter(({ ticks }) => ticks > 0);
    return this.#standing.length < length;
  }

  #add(toast: Omit<Standing, 'ticks'>): void {
    const others = this.#standing.filter(({ id }) => id !== toast.id);
    this.#standing = [{ ...toast, ticks: TICKS }, ...others].slice(0, MAX_TOASTS);
  }
}

/** One of its time: another question of the same terminal is another need. */
function keyOf({ member, since, ask }: Need): string {
  return JSON.stringify([member.id, ask?.ask ?? null, ask === undefined ? since : null]);
}
