/** Fences for tests: the event that says so, not a delay. */
import { RawConnection } from './raw.js';

export class EventStream {
  readonly #connection: RawConnection;

  private constructor(connection: RawConnection) {
    this.#connection = connection;
  }

  /** Resolves once subscribed: whatever happens after that is seen. */
  static async open(socketPath: string, fields: object = {}): Promise<EventStream> {
    const connection = new RawConnection(socketPath);
    const { header } = await connection.request({ cmd: 'events', ack: true, ...fields });
    if (header['ok'] !== true) throw new Error(`events was refused: ${JSON.stringify(header)}`);
    return new EventStream(connection);
  }

  async next(): Promise<Record<string, unknown>> {
    return JSON.parse((await this.#connection.line()).toString()) as Record<string, unknown>;
  }

  /** Skips to the next event of that type. */
  async until(
    type: string,
    matches: (event: Record<string, unknown>) => boolean = () => true,
  ): Promise<Record<string, unknown>> {
    for (;;) {
      const event = await this.next();
      if (event['event'] === type && matches(event)) return event;
    }
  }

  close(): void {
    this.#connection.close();
  }
}
