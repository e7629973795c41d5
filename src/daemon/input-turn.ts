/**
 * Input as the act of a turn. It may take several writes with pauses between (text, then Enter): then the wait is armed
 * before the last one, since the screen may settle in a pause. The queue is left as soon as all is written, so that
 * others may send input while this request waits.
 */
import type { Call } from '../rpc/service.js';
import type { Daemon } from './daemon.js';
import type { InputWriter } from './terminal-input.js';
import type { Terminal } from './terminal.js';
import { takeTurn, type TurnAnswer, type TurnParams } from './turn.js';

export interface TypedInput<Facts extends object> {
  /** What is typed, as far as the program may echo it; empty for a secret. */
  readonly echo: string;
  /** About how much is held while it waits for its turn. */
  readonly bytes: number;
  /** Writes all but the last piece, and resolves with the last one. */
  readonly begin: (writer: InputWriter) => Promise<() => Promise<Facts>>;
}

type Answer<Facts> = Omit<TurnAnswer, 'reply'> & { readonly reply: Facts & TurnAnswer['reply'] };

export async function takeInputTurn<Facts extends object>(
  daemon: Daemon,
  terminal: Terminal,
  params: TurnParams,
  { echo, bytes, begin }: TypedInput<Facts>,
  call: Call,
): Promise<Answer<Facts>> {
  // Wrapped, so that only the writing is waited for here, and not the turn.
  const { turn } = await terminal.input.take(bytes, async (writer) => {
    const finish = await begin(writer);
    const written = new Writing<Facts>(finish);
    const answer = takeTurn(daemon, terminal, params, { input: echo, act: () => written.act() }, call);
    await Promise.race([written.ended, answer]);
    return { turn: answer.then((told) => ({ ...told, reply: { ...written.facts, ...told.reply } })) };
  });
  return turn;
}

/** The last piece, and what it has to tell once it is written. */
class Writing<Facts extends object> {
  readonly ended: Promise<void>;
  readonly #finish: () => Promise<Facts>;
  #facts: Facts | undefined;
  #end: () => void = () => {};

  constructor(finish: () => Promise<Facts>) {
    this.#finish = finish;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get facts(): Facts {
    if (this.#facts === undefined) throw new Error('the input was not written');
    return this.#facts;
  }

  async act(): Promise<void> {
    try {
      this.#facts = await this.#finish();
    } finally {
      this.#end();
    }
  }
}
