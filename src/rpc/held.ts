/**
 * Bytes that all connections of a process hold together: those that clients have sent and that are not answered, and those
 * of replies that they have not read, each with a bound of its own. One reply may be larger than its bound.
 */
import { HeldBytes, type Holder } from '../base/held-bytes.js';
import { T4aError } from '../protocol/errors.js';

/** A connection. */
export interface HoldingConnection {
  readonly sentBytes: number;
  /** Bytes of replies that are not read, and of those that are being made. */
  readonly replyBytes: number;
  cutOff(error: T4aError): void;
}

/** Some 25 requests of the largest size: on a machine with much memory, lines without an end take no more of it. */
const MOST_SENT_BYTES = 256 * 1024 * 1024;

interface Holders {
  readonly sent: Holder;
  readonly unread: Holder;
}

export class Held {
  readonly #sent: HeldBytes;
  readonly #unread: HeldBytes;
  readonly #holders = new Map<HoldingConnection, Holders>();

  constructor(mostBytes: () => number, onCut?: (bytes: number) => void) {
    this.#sent = new HeldBytes({ mostBytes: () => Math.min(mostBytes(), MOST_SENT_BYTES), onCut });
    this.#unread = new HeldBytes({ mostBytes, onCut, sparesOne: true });
  }

  note(connection: HoldingConnection): void {
    const { sent, unread } = this.#holdersOf(connection);
    this.#sent.note(sent);
    this.#unread.note(unread);
  }

  forget(connection: HoldingConnection): void {
    const { sent, unread } = this.#holdersOf(connection);
    this.#sent.forget(sent);
    this.#unread.forget(unread);
    this.#holders.delete(connection);
  }

  #holdersOf(connection: HoldingConnection): Holders {
    let holders = this.#holders.get(connection);
    if (holders === undefined) {
      holders = {
        sent: {
          get heldBytes() {
            return connection.sentBytes;
          },
          cutOff: () => connection.cutOff(heldTooMuch('sent and are not answered')),
        },
        unread: {
          get heldBytes() {
            return connection.replyBytes;
          },
          cutOff: () => connection.cutOff(heldTooMuch('have not read')),
        },
      };
      this.#holders.set(connection, holders);
    }
    return holders;
  }
}

function heldTooMuch(what: string): T4aError {
  return new T4aError(
    'memory_low',
    `There is no more room for bytes that clients ${what}: this one has most of them.`,
    {
      hint: 'Read replies as they come, end each request line, and send large input in several requests.',
    },
  );
}
