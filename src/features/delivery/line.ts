/** The deliveries of one terminal, in the order of their requests: one at a time is between its text and its proof. */
import { PartKey } from '../../base/parts.js';
import { T4aError } from '../../protocol/errors.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { Hindrance } from './readiness.js';

/** That wait for the same terminal. */
const MAX_IN_LINE = 64;

export class DeliveryLine {
  readonly #waiting: object[] = [];
  /** What the first in line has found last. The others look at nothing by themselves. */
  hindrance: Hindrance | undefined;

  /** @throws T4aError too_many_waits */
  async within<T>(id: string, make: (line: DeliveryLine) => { run(): Promise<T> }): Promise<T> {
    if (this.#waiting.length >= MAX_IN_LINE) {
      throw new T4aError('too_many_waits', `${MAX_IN_LINE} prompts for terminal "${id}" wait already.`, {
        hint: 'Wait for the receipts of earlier ones.',
      });
    }
    const delivery = make(this);
    this.#waiting.push(delivery);
    try {
      return await delivery.run();
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(delivery), 1);
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
