/** The key after which keys are for the shell. */

export interface Leader {
  /** A control character. */
  readonly byte: string;
  /** Name for persons. */
  readonly name: string;
  /** Name for places with little room. */
  readonly short: string;
}

/** @param letter or one of `[`, `\`, `]`, `^`, `_`: what is pressed with Ctrl */
export function ctrl(letter: string): Leader {
  const upper = letter.toUpperCase();
  return { byte: String.fromCharCode(upper.charCodeAt(0) & 0x1f), name: `Ctrl+${upper}`, short: `^${upper}` };
}

/** Ends what passes all keys, the leader among them, to the program; as in telnet. */
export const WAY_BACK = ctrl(']');
