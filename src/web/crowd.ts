/** Crowd of at most so many at once. The oldest leaves for the newest, so that those who came first keep out no others. */
export class Crowd<Member> {
  readonly #most: number;
  readonly #leave: (member: Member) => void;
  readonly #members = new Set<Member>();

  /** @param leave is called for the oldest, which is no member any more */
  constructor(most: number, leave: (member: Member) => void) {
    this.#most = most;
    this.#leave = leave;
  }

  get size(): number {
    return this.#members.size;
  }

  add(member: Member): void {
    this.#members.add(member);
    const [oldest] = this.#members;
    if (this.#members.size <= this.#most || oldest === undefined) return;
    this.#members.delete(oldest);
    this.#leave(oldest);
  }

  delete(member: Member): void {
    this.#members.delete(member);
  }
}
