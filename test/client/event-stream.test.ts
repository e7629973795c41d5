import { describe, expect, test } from 'vitest';
import { Emitter } from '../../src/base/emitter.js';
import { Ring } from '../../src/base/ring.js';
import { EventStream } from '../../src/client/event-stream.js';
import { T4aError } from '../../src/protocol/errors.js';
import type { LineSource } from '../../src/rpc/service.js';
import { gate, serve } from '../support/serve.js';
import { tempDir } from '../support/temp-dir.js';

class TestSource implements LineSource {
  readonly lines = new Ring<object>(100_000);
  readonly #readable = new Emitter<void>();
  readonly disposed = gate();

  publish(...lines: object[]): void {
    for (const line of lines) this.lines.push(line);
    this.#readable.emit();
  }

  next(): object | undefined {
    return this.lines.shift();
  }

  onReadable(listener: () => void) {
    return this.#readable.on(listener);
  }

  dispose(): void {
    this.disposed.open();
  }
}

describe('an event stream', () => {
  test('reports its subscription, yields every event, and throws when the daemon ends', async () => {
    const source = new TestSource();
    const { server, socketPath } = await serve({ events: () => ({ reply: { seq: 41 }, stream: source }) });
    const stream = new EventStream(socketPath, { terminal: 't1' });
    expect(await stream.subscribed).toBe(41);
    source.publish({ event: 'bell', seq: 42 }, { event: 'exit', seq: 43 });
    const seen: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const line of stream) {
        seen.push(line);
        if (line.event === 'exit') void server.close();
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'connection_lost' });
    expect(stream.ended).toBeUndefined();
    expect(seen).toEqual([
      { event: 'bell', seq: 42 },
      { event: 'exit', seq: 43 },
    ]);
  });

  test('sends its filter and requests the acknowledgement', async () => {
    const asked = gate<unknown>();
    const { socketPath } = await serve({
      events(params) {
        asked.open(params);
        return { reply: { seq: 0 }, stream: new TestSource() };
      },
    });
    const stream = new EventStream(socketPath, { terminal: 't1', types: ['bell'], since: 3 });
    // The end of the terminal is asked for as well.
    const types = ['bell', 'removed'];
    expect(await asked.promise).toEqual({ terminal: 't1', types, since: 3, ack: true, shared: false });
    stream.close();
    expect(stream.ended).toBe('closed');
  });

  test('of one terminal ends with its removal, and not with that of a former one of its name', async () => {
    const source = new TestSource();
    const { socketPath } = await serve({ events: () => ({ reply: { seq: 5 }, stream: source }) });
    const stream = new EventStream(socketPath, { terminal: 't1', types: ['bell'], since: 0 });
    source.publish({ event: 'removed', seq: 4 }, { event: 'bell', seq: 5 }, { event: 'removed', seq: 6 });
    const seen: unknown[] = [];
    for await (const line of stream) seen.push(line);
    expect(seen).toEqual([{ event: 'bell', seq: 5 }]);
    expect(stream.ended).toBe('removed');
  });

  test('of one terminal throws when a gateway has lost its host', async () => {
    const source = new TestSource();
    const { socketPath } = await serve({ events: () => ({ reply: { seq: 5 }, stream: source }) });
    source.publish({ event: 'host', host: 'web1', state: 'down', error: 'It has gone.' });
    const iterator = new EventStream(socketPath, { terminal: 't1' })[Symbol.asyncIterator]();
    expect(await iterator.next()).toMatchObject({ value: { event: 'host' } });
    await expect(iterator.next()).rejects.toMatchObject({ code: 'host_unreachable' });
  });

  test('closes its connection when the loop over it ends', async () => {
    const source = new TestSource();
    const { socketPath } = await serve({ events: () => ({ reply: { seq: 0 }, stream: source }) });
    source.publish({ event: 'bell' });
    for await (const line of new EventStream(socketPath)) {
      expect(line.event).toBe('bell');
      break;
    }
    await source.disposed.promise;
  });

  test('throws the reason of its aborted signal, and closes its connection', async () => {
    const source = new TestSource();
    const { socketPath } = await serve({ events: () => ({ reply: { seq: 0 }, stream: source }) });
    const controller = new AbortController();
    const stream = new EventStream(socketPath, {}, controller.signal);
    await stream.subscribed;
    const next = stream[Symbol.asyncIterator]().next();
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    await source.disposed.promise;
  });

  test("that is refused throws the daemon's error, from the loop as well", async () => {
    const { socketPath } = await serve({
      events: () => {
        throw new T4aError('internal', 'There are no events here.');
      },
    });
    const stream = new EventStream(socketPath);
    await expect(stream.subscribed).rejects.toMatchObject({ code: 'internal' });
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'internal' });
  });

  test('without a daemon throws daemon_unreachable', async () => {
    const stream = new EventStream(tempDir().socketPath);
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'daemon_unreachable' });
  });

  test('without a consumer reads a bounded number of lines ahead, and yields all of them later', async () => {
    const source = new TestSource();
    const { socketPath, connect } = await serve({ events: () => ({ reply: { seq: 0 }, stream: source }) });
    const stream = new EventStream(socketPath);
    await stream.subscribed;
    const total = 5000;
    // Of some size, for few to fit into what lies between the two.
    source.publish(
      ...Array.from({ length: total }, (_, seq) => ({ event: 'activity', seq, filler: 'x'.repeat(5000) })),
    );
    const other = connect();
    for (let before = -1; before !== source.lines.size;) {
      before = source.lines.size;
      for (let i = 0; i < 50; i++) await other.request({ cmd: 'ping' });
    }
    // The client has 1,024 of them, and the sockets some.
    expect(source.lines.size).toBeGreaterThan(total - 1024 - 200);
    let expected = 0;
    for await (const line of stream) {
      // Not an assertion for each: 50,000 of them take seconds.
      if (!('seq' in line) || line.seq !== expected) break;
      if (++expected === total) break;
    }
    expect(expected).toBe(total);
  });
});
