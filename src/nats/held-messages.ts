/**
 * Messages that have come since a host stood still. They wait until it knows that its name is still its own, and which of their senders
 * are still there: a client that has gone or was taken its right meanwhile believes that nothing of what it sent is done any more.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { Clock } from '../base/clock.js';
import { isEnd, isPart, signOfLife } from './link.js';
import { Standstill } from './standstill.js';
import { newToken } from './subjects.js';

export interface HeldMessagesOptions {
  readonly clock: Clock;
  readonly nats: Pick<NatsConnection, 'flush' | 'publish'>;
  /** Prefix of the subjects at which this host hears that a sender has gone. */
  readonly at: () => string;
  /** Resolves once it is known whether another host has the name. */
  readonly askName: () => Promise<void>;
  /** Called for each sender of a link that has gone. */
  readonly onGone: (sender: string) => void;
  readonly onFull: () => void;
}

/** The half of what a server keeps for a client that does not read. */
const MOST_BYTES = 32 * 1024 * 1024;
const OF_A_MESSAGE_BYTES = 1024;
/** Longer than a gateway takes to close what leads to a host that `t4a hosts rm` has taken out of its list. */
const MIN_MS = 1500;

interface Held {
  readonly message: Msg;
  readonly act: (message: Msg) => void;
}

export class HeldMessages {
  readonly #options: HeldMessagesOptions;
  readonly #standstill: Standstill;
  #asking: Promise<void> | undefined;
  #held: Held[] = [];
  #bytes = 0;
  readonly #senders = new Set<string>();
  /** Kept until the next standstill: messages of these senders may still wait for their turns. */
  readonly #gone = new Set<string>();
  /** Senders by the subjects at which they are said to have gone. */
  readonly #asked = new Map<string, string>();

  constructor(options: HeldMessagesOptions) {
    this.#options = options;
    this.#standstill = new Standstill(options.clock);
  }

  /** Under way while messages are held. */
  get asking(): Promise<void> | undefined {
    if (this.#standstill.has) {
      this.#standstill.forget();
      this.#asking ??= this.#ask();
    }
    return this.#asking;
  }

  /** Call it as soon as a message comes. What it says of its sender holds for those that wait before it. */
  note(message: Msg): void {
    if (this.asking === undefined) return;
    const { reply, subject } = message;
    const asked = this.#asked.get(subject);
    if (asked !== undefined && message.headers?.hasError === true) this.#gone.add(asked);
    else if (reply !== undefined && isEnd(message)) this.#gone.add(reply);
    else if (reply !== undefined && isPart(message)) this.#senders.add(reply);
    if (this.#senders.size * OF_A_MESSAGE_BYTES > MOST_BYTES) this.#options.onFull();
  }

  /** Calls `act` now, later or never. */
  hear(message: Msg, act: (message: Msg) => void): void {
    if (this.asking === undefined) return this.#act({ message, act });
    this.#bytes += message.data.length + OF_A_MESSAGE_BYTES;
    if (this.#bytes > MOST_BYTES) return this.#options.onFull();
    this.#held.push({ message, act });
  }

  /** Forgets what is held: the connection that has brought it is over. */
  drop(): void {
    this.#held = [];
    this.#bytes = 0;
  }

  dispose(): void {
    this.#standstill.dispose();
    this.drop();
  }

  #act({ message, act }: Held): void {
    if (message.reply === undefined || !this.#gone.has(message.reply)) act(message);
  }

  async #ask(): Promise<void> {
    this.#gone.clear();
    const { askName, clock } = this.#options;
    const leastTime = new Promise<void>((resolve) => clock.after(MIN_MS, resolve));
    await Promise.all([askName(), leastTime]);
    if (!(await this.#askSenders())) this.drop();
    const held = this.#held;
    this.drop();
    this.#asking = undefined;
    this.#senders.clear();
    this.#asked.clear();
    for (const sender of this.#gone) this.#options.onGone(sender);
    for (const each of held) this.#act(each);
  }

  /** The server says of each that nobody hears for before it answers the flush. @returns false: it has gone itself */
  async #askSenders(): Promise<boolean> {
    const { nats, at } = this.#options;
    try {
      for (const sender of this.#senders) {
        const subject = `${at()}.${newToken()}`;
        this.#asked.set(subject, sender);
        nats.publish(sender, undefined, { headers: signOfLife(), reply: subject });
      }
      await nats.flush();
      return true;
    } catch {
      return false;
    }
  }
}
