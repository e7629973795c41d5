import { describe, expect, test } from 'vitest';
import { Emitter } from '../../src/base/emitter.js';
import { Ring } from '../../src/base/ring.js';
import { DEFAULT_CONFIG } from '../../src/protocol/commands/config.js';
import type { LineSource } from '../../src/rpc/service.js';
import { gate, serve } from '../support/serve.js';

const MEGABYTE = 1024 * 1024;

/** A bounded queue as a subscription has it: what does not fit is counted, and reported as `lagged`. */
class TestSource implements LineSource {
  readonly #lines = new Ring<object>(100);
  readonly #readable = new Emitter<void>();
  readonly #onDispose: () => void;
  #told = 0;
  taken = 0;

  constructor(onDispose: () => void = () => {}) {
    this.#onDispose = onDispose;
  }

  publish(line: object): void {
    this.#lines.push(line);
    this.#readable.emit();
  }

  next(): object | undefined {
    const missed = this.#lines.dropped - this.#told;
    this.#told = this.#lines.dropped;
    if (missed > 0) return { event: 'lagged', missed };
    const line = this.#lines.shift();
    if (line !== undefined) this.taken++;
    return line;
  }

  onReadable(listener: () => void) {
    return this.#readable.on(listener);
  }

  dispose(): void {
    this.#onDispose();
  }
}

describe('a client that does not read its replies', () => {
  test('gets answers up to the bound, and the rest once it reads', async () => {
    const drawn: number[] = [];
    const { connect } = await serve({
      screenshot() {
        drawn.push(drawn.length + 1);
        return { reply: { rev: drawn.length }, bytes: [new Uint8Array(MEGABYTE)] };
      },
    });
    const slow = connect();
    slow.socket.pause();
    const count = 64;
    slow.write('{"cmd":"screenshot","id":"t1"}\n'.repeat(count));
    const other = connect();
    // Each round trip lets the server do whatever it could do for the slow client meanwhile.
    for (let before = -1; before !== drawn.length || drawn.length === 0;) {
      before = drawn.length;
      for (let i = 0; i < 20; i++) await other.request({ cmd: 'ping' });
    }
    // The bound, the reply that crossed it, and what the system's own buffer took.
    expect(drawn.length).toBeLessThanOrEqual(DEFAULT_CONFIG.client_buffer_bytes / MEGABYTE + 2);
    slow.socket.resume();
    for (let rev = 1; rev <= count; rev++) expect((await slow.reply()).header['rev']).toBe(rev);
  });
});

describe('a client with more requests than answers', () => {
  test('is not read from while it does not read its replies, also with req', async () => {
    let drawn = 0;
    const { connect } = await serve({
      screenshot() {
        drawn++;
        return { reply: { rev: drawn }, bytes: [new Uint8Array(MEGABYTE)] };
      },
    });
    const slow = connect();
    slow.socket.pause();
    const other = connect();
    const count = 64;
    for (let req = 0; req < count; req++) {
      slow.write(`{"cmd":"screenshot","id":"t1","req":${req}}\n`);
      for (let i = 0; i < 5; i++) await other.request({ cmd: 'ping' });
    }
    expect(drawn).toBeLessThanOrEqual(DEFAULT_CONFIG.client_buffer_bytes / MEGABYTE + 2);
    slow.socket.resume();
    for (let req = 0; req < count; req++) expect((await slow.reply()).header['req']).toBe(req);
  });

  test('gets answers up to the bound also if all requests with req come at once, in their order', async () => {
    let drawn = 0;
    const { connect } = await serve({
      screenshot() {
        drawn++;
        return { reply: { rev: drawn }, bytes: [new Uint8Array(MEGABYTE)] };
      },
    });
    const slow = connect();
    slow.socket.pause();
    const other = connect();
    const count = 64;
    slow.write(Array.from({ length: count }, (_, req) => `{"cmd":"screenshot","id":"t1","req":${req}}\n`).join(''));
    for (let before = -1; before !== drawn || drawn === 0;) {
      before = drawn;
      for (let i = 0; i < 20; i++) await other.request({ cmd: 'ping' });
    }
    expect(drawn).toBeLessThanOrEqual(DEFAULT_CONFIG.client_buffer_bytes / MEGABYTE + 2);
    slow.socket.resume();
    for (let req = 0; req < count; req++) expect((await slow.reply()).header['req']).toBe(req);
  });

  test('has its answers made one after the other, if they were ready at the same time', async () => {
    const ready = gate();
    let made = 0;
    const { connect } = await serve({
      async screenshot(_params, call) {
        await ready.promise;
        await call.caughtUp();
        made++;
        return { reply: { rev: made }, bytes: [new Uint8Array(MEGABYTE)] };
      },
    });
    const slow = connect();
    slow.socket.pause();
    const other = connect();
    const count = 64;
    slow.write(Array.from({ length: count }, (_, req) => `{"cmd":"screenshot","id":"t1","req":${req}}\n`).join(''));
    for (let i = 0; i < 20; i++) await other.request({ cmd: 'ping' });
    ready.open();
    for (let before = -1; before !== made || made === 0;) {
      before = made;
      for (let i = 0; i < 20; i++) await other.request({ cmd: 'ping' });
    }
    expect(made).toBeLessThanOrEqual(DEFAULT_CONFIG.client_buffer_bytes / MEGABYTE + 2);
    slow.socket.resume();
    for (let req = 0; req < count; req++) expect((await slow.reply()).header['req']).toBe(req);
  });

  test('is not read from while many of its requests wait for their turn', async () => {
    const first = gate();
    let sent = 0;
    const { connect } = await serve({
      async send() {
        if (sent++ === 0) await first.promise;
        return { reply: {} };
      },
    });
    const eager = connect();
    const other = connect();
    const line = `{"cmd":"send","id":"t1","input":"${'x'.repeat(MEGABYTE)}"}\n`;
    const count = 60;
    let taken = 0;
    for (let i = 0; i < count; i++) {
      eager.socket.write(line, () => taken++);
      for (let i = 0; i < 10; i++) await other.request({ cmd: 'ping' });
    }
    // 10 MB of requests wait in the server, one is under way, one crossed the bound; the rest stays with the client.
    expect(taken).toBeLessThanOrEqual(13);
    first.open();
    for (let i = 0; i < count; i++) expect((await eager.reply()).header).toEqual({ ok: true });
    expect(sent).toBe(count);
  });
});

describe('a stream', () => {
  test('begins with its first line, yields published events, and takes no further requests', async () => {
    const source = new TestSource();
    const { connect } = await serve({ events: () => ({ reply: { seq: 5 }, stream: source }) });
    const connection = connect();
    expect((await connection.request({ cmd: 'events', ack: true })).header).toEqual({ ok: true, seq: 5 });
    source.publish({ event: 'bell' });
    expect((await connection.reply()).header).toEqual({ event: 'bell' });
    expect((await connection.request({ cmd: 'list' })).header).toMatchObject({ code: 'connection_streams' });
    expect((await connection.request({ cmd: 'list', req: 3 })).header).toMatchObject({
      code: 'connection_streams',
      req: 3,
    });
    source.publish({ event: 'exit' });
    expect((await connection.reply()).header).toEqual({ event: 'exit' });
  });

  test('that was refused leaves the connection usable', async () => {
    const { connect } = await serve();
    const connection = connect();
    expect((await connection.request({ cmd: 'events' })).header['ok']).toBe(false);
    expect((await connection.request({ cmd: 'list' })).header['ok']).toBe(true);
  });

  test('continues when the client closes its writing side', async () => {
    const source = new TestSource();
    const { connect } = await serve({ events: () => ({ reply: { seq: 0 }, stream: source }) });
    const connection = connect();
    connection.socket.end('{"cmd":"events","ack":true}\n');
    await connection.line();
    source.publish({ event: 'bell' });
    expect((await connection.reply()).header).toEqual({ event: 'bell' });
  });

  test('is disposed of when its client disconnects', async () => {
    const disposed = gate();
    const source = new TestSource(() => disposed.open());
    const { connect } = await serve({ events: () => ({ reply: { seq: 0 }, stream: source }) });
    const connection = connect();
    await connection.request({ cmd: 'events', ack: true });
    connection.close();
    await disposed.promise;
  });

  test('is disposed of when its client disconnects before the handler has answered', async () => {
    const disposed = gate();
    const asked = gate();
    const { connect } = await serve({
      async events(_params, { signal }) {
        asked.open();
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        return { stream: new TestSource(() => disposed.open()) };
      },
    });
    const connection = connect();
    connection.write('{"cmd":"events"}\n');
    await asked.promise;
    connection.close();
    await disposed.promise;
  });

  test('ends its connection, and no other, if its source fails', async () => {
    const source = new TestSource();
    source.next = () => {
      throw new Error('the queue broke');
    };
    const { connect, log } = await serve({ events: () => ({ stream: source }) });
    const connection = connect();
    connection.write('{"cmd":"events"}\n');
    expect((await connection.rest()).length).toBe(0);
    expect(log.join('')).toContain('the queue broke');
    expect((await connect().request({ cmd: 'list' })).header['ok']).toBe(true);
  });

  test('is pulled no faster than its client reads, so that the source drops events', async () => {
    const source = new TestSource();
    const { connect } = await serve({ events: () => ({ reply: { seq: 0 }, stream: source }) });
    const slow = connect();
    await slow.request({ cmd: 'events', ack: true });
    slow.socket.pause();
    const other = connect();
    const total = 20_000;
    for (let seq = 1; seq <= total; seq++) {
      source.publish({ event: 'activity', seq, filler: 'x'.repeat(100) });
      if (seq % 50 === 0) await other.request({ cmd: 'ping' });
    }
    // 20,000 lines of 140 bytes are 2.8 MB; a system's socket buffer and ours hold a few hundred kB.
    expect(source.taken).toBeLessThan(total / 2);
    slow.socket.resume();
    let expected = 1;
    let missed = 0;
    while (expected <= total) {
      const { header } = await slow.reply();
      if (header['event'] === 'lagged') {
        missed += header['missed'] as number;
        expected += header['missed'] as number;
      } else {
        expect(header['seq']).toBe(expected++);
      }
    }
    expect(missed).toBeGreaterThan(0);
    expect(source.taken + missed).toBe(total);
  });
});
