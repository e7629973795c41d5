/**
 * The name of a host in its fleet: one agent serves it. Two that start at once have both asked before either listens; so each
 * says that it is about to join, and asks once more, before it serves: one of them at least hears the other, and both choose the same.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { T4aError, quote } from '../protocol/errors.js';
import { encodePresence, isOlder, type HostPresence, presenceIn } from './presence.js';
import type { Subjects } from './subjects.js';

export interface HostNameOptions {
  readonly nats: NatsConnection;
  readonly subjects: Subjects;
  readonly host: string;
  readonly fleet: string;
  readonly presence: () => HostPresence;
  /** Called once the name is another's. */
  readonly onLost: (reason: T4aError) => void;
}

const ANSWER_MS = 3000;

export class HostName {
  readonly #options: HostNameOptions;
  #isOurs = false;
  /** Address of the last other one that has heard so: once, or two that disagree would go on for ever. */
  #answered = '';

  constructor(options: HostNameOptions) {
    this.#options = options;
  }

  /** Whether this host serves under it. */
  get isOurs(): boolean {
    return this.#isOurs;
  }

  /** Asked before this host listens. @throws T4aError `name_taken` */
  async check(): Promise<void> {
    this.#isOurs = false;
    await this.ask();
  }

  /** Asked when it could have lost the name without hearing of that. @throws T4aError `name_taken` */
  async ask(): Promise<void> {
    if ((await this.#ask()) !== undefined) throw this.#taken();
  }

  /** Called once this host hears what others say of the name. @throws T4aError `name_taken` */
  async claim(): Promise<void> {
    const { nats, subjects, host } = this.#options;
    nats.publish(subjects.heartbeat(host), this.#claim());
    const answer = await this.#ask(this.#claim());
    if (answer !== undefined && this.#goesBefore(presenceIn(answer.data))) throw this.#taken();
    this.#isOurs = true;
  }

  /** Whether an answer to the question is for its asker: clients are sent to no host that is about to join. */
  answers({ data }: Msg): boolean {
    return this.#isOurs || presenceIn(data)?.joining === true;
  }

  presence(): HostPresence {
    return { ...this.#options.presence(), ...(this.#isOurs ? {} : { joining: true }) };
  }

  /** A sign of life under this name. */
  hear({ data }: Msg): void {
    const { nats, subjects, host, onLost } = this.#options;
    const other = presenceIn(data);
    const own = this.presence();
    if (other === undefined || other.left === true || other.address === own.address) return;
    if (this.#goesBefore(other)) onLost(this.#taken());
    // It would learn of this host in some seconds, and is heard until then.
    else if (this.#isOurs && other.address !== this.#answered) {
      this.#answered = other.address;
      nats.publish(subjects.heartbeat(host), encodePresence(host, own));
    }
  }

  #goesBefore(other: HostPresence | undefined): boolean {
    const own = this.presence();
    // What does not understand the question is there, and answers.
    if (other === undefined) return own.joining === true;
    if (other.joining !== own.joining) return own.joining === true;
    return other.joining === true ? other.address < own.address : isOlder(other, own);
  }

  #claim(): Uint8Array {
    return encodePresence(this.#options.host, { ...this.#options.presence(), joining: true });
  }

  async #ask(question?: Uint8Array): Promise<Msg | undefined> {
    const { nats, subjects, host } = this.#options;
    try {
      return await nats.request(subjects.who(host), question, { timeout: ANSWER_MS });
    } catch {
      return undefined; // No responders, or one that does not answer.
    }
  }

  #taken(): T4aError {
    const { host, fleet } = this.#options;
    return new T4aError('name_taken', `The fleet ${quote(fleet)} has another host ${quote(host)}.`, {
      hint: 'Give this one another name: --name NAME',
    });
  }
}
