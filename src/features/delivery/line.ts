/** The deliveries of one terminal, in the order of their requests: one at a time is between its text and its proof. */
import { PartKey } from '../../base/parts.js';
import { Shares } from '../../base/shares.js';
import { T4aError } from '../../protocol/errors.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { Hindrance } from './readiness.js';

/** That wait for the same terminal. */
const MAX_IN_LINE = 64;

export class DeliveryLine {
  readonly #waiting: object[] = [];
  readonly #places = new Shares(MAX_IN_LINE);
  /** What the first in line has found last. The others look at nothing by themselves. */
  hindrance: Hindrance | undefined;

  /** @param connection whose prompts may be half of the line @throws T4aError too_many_waits */
  async within<T>(id: string, make: (line: DeliveryLine) => { run(): Promise<T> }, connection?: object): Promise<T> {
    const lack = this.#places.lack(connection);
    if (lack !== undefined) {
      const most = lack === 'all' ? `${MAX_IN_LINE} prompts` : `${MAX_IN_LINE / 2} prompts of this connection`;
      throw new T4aError('too_many_waits', `${most} for terminal "${id}" wait already.`, {
        hint: 'Wait for the receipts of earlier ones.',
      });
    }
    const delivery = make(this);
    this.#places.take(connection);
    this.#waiting.push(delivery);
    try {
      return await delivery.run();
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(delivery), 1);
      this.#places.free(connection);
    }
  }

  isFirst(delivery: object): boolean {
    return this.#waiting[0] === delivery;
  }
}

const LINE = new PartKey<DeliveryLine>(() => new DeliveryLine());

export function lineOf(terminal: Terminal): DeliveryLine {
  return terminal.part(LINE).value;
}
