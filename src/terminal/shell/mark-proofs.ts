/**
 * The proofs that marks of the injected scripts carry (`proof=X.Y`), so that nothing that is printed is taken for one. The
 * script and the daemon step the same generator, whose seed reaches the shell in a file that it reads once; a proof
 * is used once, and does not tell the next one.
 *
 * The generator has 128 bits in four words, and shows 64 of them after each step of four rounds of HalfSipHash: shells can
 * compute that, in 32 bits (mksh) or in 64, in some 30 microseconds. It keeps printed text out, replayed or invented; it does not
 * keep out a process of the same user, which can read the shell's memory.
 *
 * Shells that can run nothing at their prompts (dash, ash, ksh) export what they set there after `set -a`: theirs is HalfSipHash of a
 * count, with one round and three, so that nothing secret is ever set.
 */
export type MarkSeed = readonly [number, number, number, number];

/** With the file that the shell reads it from. */
export interface FrozenMarkSeed {
  readonly seed: MarkSeed | undefined;
  readonly isCounted: boolean;
  readonly failure: string | undefined;
  readonly path: string;
}

/** Steps that a script may be ahead: a mark that went elsewhere (`exec >file`) has used its proof. */
const MAX_AHEAD = 32;

/** Marks of one prompt share its proof, and a prompt may be drawn again. */
const OF_PROMPT: readonly string[] = ['A', 'B', 'P'];

export interface FrozenProofs {
  readonly words: Uint32Array;
  readonly count: number;
  readonly ahead: readonly string[];
  readonly current: string | undefined;
}

export class MarkProofs {
  readonly #state: Uint32Array;
  readonly #isCounted: boolean;
  #count = 0;
  /** The next ones, in order. */
  readonly #ahead: string[] = [];
  #current: string | undefined;

  /** @param isCounted of a shell that can run nothing at its prompt */
  constructor(seed: MarkSeed, { isCounted = false } = {}) {
    this.#state = Uint32Array.from(seed);
    this.#isCounted = isCounted;
  }

  freeze(): FrozenProofs {
    return { words: this.#state.slice(), count: this.#count, ahead: [...this.#ahead], current: this.#current };
  }

  restore({ words, count, ahead, current }: FrozenProofs): void {
    this.#state.set(words);
    this.#count = count;
    this.#ahead.splice(0, this.#ahead.length, ...ahead);
    this.#current = current;
  }

  /** Marks of a script were proven. */
  get hasBegun(): boolean {
    return this.#current !== undefined;
  }

  /** @param isOver the prompt is answered, and its proof with it */
  accepts(data: string, isOver: boolean): boolean {
    const [kind = '', ...fields] = data.split(';');
    const proof = normalized(fields.find((field) => field.startsWith('proof='))?.slice('proof='.length));
    if (proof === undefined) return false;
    if (proof === this.#current) return !isOver && OF_PROMPT.includes(kind);
    while (this.#ahead.length < MAX_AHEAD) this.#ahead.push(this.#next());
    const at = this.#ahead.indexOf(proof);
    if (at === -1) return false;
    this.#current = proof;
    this.#ahead.splice(0, at + 1);
    return true;
  }

  #next(): string {
    const state = this.#isCounted ? hashed(this.#state, ++this.#count) : this.#state;
    if (!this.#isCounted) for (let round = 0; round < 4; round++) stepRound(state);
    const [a = 0, b = 0, c = 0, d = 0] = state;
    return `${(a ^ c) >>> 0}.${(b ^ d) >>> 0}`;
  }
}

function hashed(seed: Uint32Array, count: number): Uint32Array {
  const [a = 0, b = 0, c = 0, d = 0] = seed;
  const state = Uint32Array.of(a, b, c, d ^ count);
  stepRound(state);
  const [w = 0, x = 0, y = 0, z = 0] = state;
  state.set([w ^ count, x, y ^ 255, z]);
  for (let round = 0; round < 3; round++) stepRound(state);
  return state;
}

/** The round of HalfSipHash: https://github.com/veorq/SipHash. The words are unsigned and wrap by themselves. */
function stepRound(words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0] = words;
  a = (a + b) | 0;
  b = rotated(b, 5) ^ a;
  a = rotated(a, 16);
  c = (c + d) | 0;
  d = rotated(d, 8) ^ c;
  a = (a + d) | 0;
  d = rotated(d, 7) ^ a;
  c = (c + b) | 0;
  b = rotated(b, 13) ^ c;
  c = rotated(c, 16);
  words.set([a, b, c, d]);
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/** mksh writes numbers with a sign. */
function normalized(proof: string | undefined): string | undefined {
  if (proof === undefined || !/^-?\d{1,10}\.-?\d{1,10}$/.test(proof)) return undefined;
  return proof
    .split('.')
    .map((word) => Number(word) >>> 0)
    .join('.');
}
