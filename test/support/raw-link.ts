/** A client of a host of the fleet `raw` that knows the wire of a link and heeds none of its rules. */
import { headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { newToken } from '../../src/nats/subjects.js';

export interface RawHost {
  readonly nats: NatsConnection;
  readonly address: string;
}

/** A link as its messages are, without a window. */
export class RawLink {
  readonly #nats: NatsConnection;
  readonly #to: string;
  readonly #inbox: string;
  #seq = 0;
  text = '';
  /** Why it has ended. */
  end = '';

  constructor({ nats, address }: RawHost, level: string, inbox: string) {
    this.#nats = nats;
    this.#to = `t4a.raw.host.web1.${address}.${level}`;
    this.#inbox = `${inbox}.${newToken()}`;
    nats.subscribe(this.#inbox, { callback: (_error, message) => this.#take(message) });
  }

  send(data: string | Uint8Array): void {
    const given = headers();
    given.set('T4a-Seq', String(this.#seq++));
    this.#nats.publish(this.#to, data, { headers: given, reply: this.#inbox });
  }

  /** Says that this side has gone. */
  leave(): void {
    const given = headers();
    given.set('T4a-End', 'closed');
    this.#nats.publish(this.#to, undefined, { headers: given, reply: this.#inbox });
  }

  #take({ data, headers: given }: Msg): void {
    this.text += Buffer.from(data).toString();
    this.end ||= given?.hasError === true ? `status ${given.code}` : (given?.get('T4a-End') ?? '');
  }
}
