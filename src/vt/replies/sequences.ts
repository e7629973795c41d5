/** Sequences as they are noted for people who look for a program's trouble. */
export interface UnknownSequence {
  readonly kind: 'csi' | 'esc' | 'osc' | 'dcs';
  /** Without the introducer and the terminator, e.g. `?1;2h`. */
  readonly text: string;
}

/** What a program asked of the terminal, and what it was told; undefined when nobody answered. */
export interface Query extends UnknownSequence {
  readonly answer: string | undefined;
}
