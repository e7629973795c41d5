import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { cancel } from '../../src/daemon/handlers/connection-commands.js';
import { EventBus } from '../../src/events/bus.js';
import { FakeClock } from '../../src/base/clock.js';
import { MAX_REQUESTS_IN_FLIGHT } from '../../src/protocol/limits.js';
import type { Handlers } from '../../src/rpc/service.js';
import { gate, serve } from '../support/serve.js';

function newBus(): EventBus {
  return new EventBus({ clock: new FakeClock() });
}

/** Handlers with streams of the bus, one terminal's or all, and `cancel`. */
function handlersOf(bus: EventBus, queueCapacity?: number): Partial<Handlers> {
  return {
    events: ({ terminal, shared }) => ({
      reply: { seq: bus.lastSeq },
      stream: bus.subscribe({ terminal, queueCapacity }),
      ...(shared ? { shared: true as const } : {}),
    }),
    cancel: cancel(),
  };
}

const bell = (terminal: string) => ({ event: 'bell' as const, terminal, count: 1 });

describe('streams that share a connection', () => {
  test('carry the req of their request, beside each other and further requests', async () => {
    const bus = newBus();
    const { connect } = await serve(handlersOf(bus));
    const connection = connect();
    expect((await connection.request({ cmd: 'events', shared: true, terminal: 'a', req: 'A' })).header).toEqual({
      ok: true,
      req: 'A',
      seq: 0,
    });
    await connection.request({ cmd: 'events', shared: true, req: 2 });
    expect((await connection.request({ cmd: 'list', req: 3 })).header).toEqual({ ok: true, req: 3, terminals: [] });
    expect((await connection.request({ cmd: 'list' })).header).toEqual({ ok: true, terminals: [] });
    bus.publish(bell('a'), 1);
    bus.publish(bell('b'), 2);
    const lines = [];
    for (let i = 0; i < 3; i++) lines.push((await connection.reply()).header);
    expect(lines.map(({ req, terminal, seq }) => [req, terminal, seq])).toEqual([
      ['A', 'a', 1],
      [2, 'a', 1],
      [2, 'b', 2],
    ]);
  });

  test('end by cancel, and after its reply no line follows', async () => {
    const bus = newBus();
    const { connect } = await serve(handlersOf(bus));
    const connection = connect();
    await connection.request({ cmd: 'events', shared: true, req: 1 });
    expect(bus.subscriptionCount).toBe(1);
    expect((await connection.request({ cmd: 'cancel', of: 1, req: 2 })).header).toEqual({
      ok: true,
      req: 2,
      cancelled: true,
    });
    expect(bus.subscriptionCount).toBe(0);
    bus.publish(bell('a'), 1);
    expect((await connection.request({ cmd: 'cancel', of: 1 })).header).toEqual({ ok: true, cancelled: false });
  });

  test('whose req is taken are refused without being opened', async () => {
    const bus = newBus();
    let opened = 0;
    const { events, ...others } = handlersOf(bus);
    const counted: typeof events = (params, call) => {
      opened++;
      return (events as NonNullable<typeof events>)(params, call);
    };
    const connection = (await serve({ ...others, events: counted })).connect();
    await connection.request({ cmd: 'events', shared: true, req: 1 });
    for (let i = 0; i < 20; i++) {
      const { header } = await connection.request({ cmd: 'events', shared: true, req: 1, since: 0 });
      expect(header).toMatchObject({ ok: false, req: 1, code: 'invalid_field' });
    }
    expect([opened, bus.subscriptionCount]).toEqual([1, 1]);
  });

  test('are dropped with their connection', async () => {
    const bus = newBus();
    const { connect, server } = await serve(handlersOf(bus));
    const gone = new Promise<void>((resolve) => {
      server.onConnectionCount((count) => count === 0 && resolve());
    });
    const connection = connect();
    await connection.request({ cmd: 'events', shared: true, req: 1 });
    await connection.request({ cmd: 'events', shared: true, req: 2 });
    connection.close();
    await gone;
    expect(bus.subscriptionCount).toBe(0);
  });

  test('count as unanswered requests', async () => {
    const bus = newBus();
    const { connect } = await serve(handlersOf(bus));
    const connection = connect();
    for (let req = 0; req < MAX_REQUESTS_IN_FLIGHT; req++) {
      await connection.request({ cmd: 'events', shared: true, req });
    }
    expect((await connection.request({ cmd: 'events', shared: true, req: 'x' })).header['code']).toBe(
      'too_many_requests',
    );
    // In order, so that a client with all of its streams open can end one.
    expect((await connection.request({ cmd: 'cancel', of: 0 })).header['cancelled']).toBe(true);
    expect((await connection.request({ cmd: 'list', req: 'y' })).header['ok']).toBe(true);
  });

  test('lose their own events only: each has a bound', async () => {
    const bus = newBus();
    const { connect } = await serve(handlersOf(bus, 8));
    const connection = connect();
    await connection.request({ cmd: 'events', shared: true, terminal: 'busy', req: 'busy' });
    await connection.request({ cmd: 'events', shared: true, terminal: 'calm', req: 'calm' });
    connection.socket.pause();
    bus.publish(bell('calm'), 1);
    // More than the socket's buffers hold.
    for (let n = 0; n < 20_000; n++) {
      bus.publish({ event: 'title', terminal: 'busy', title: 'x'.repeat(200) }, n);
    }
    bus.publish(bell('calm'), 2);
    connection.socket.resume();
    const calm: unknown[] = [];
    let missed = 0;
    let busy = 0;
    while (calm.length < 2 || busy + missed < 20_000) {
      const { header } = await connection.reply();
      if (header['req'] === 'calm') calm.push(header['rev']);
      else if (header['event'] === 'lagged') missed += header['missed'] as number;
      else busy++;
    }
    expect(calm).toEqual([1, 2]);
    expect(missed).toBeGreaterThan(0);
  });

  test('refuse what would mix them up', async () => {
    const bus = newBus();
    const { connect } = await serve(handlersOf(bus));
    const connection = connect();
    await connection.request({ cmd: 'events', shared: true, req: 1 });
    const again = await connection.request({ cmd: 'events', shared: true, req: 1 });
    expect(again.header).toMatchObject({ ok: false, code: 'invalid_field', field: 'req' });
    const alone = await connection.request({ cmd: 'events', req: 2 });
    expect(alone.header).toMatchObject({ ok: false, code: 'connection_streams' });
    expect(bus.subscriptionCount).toBe(1);
    expect((await connection.request({ cmd: 'list', req: 3 })).header['ok']).toBe(true);
  });
});

describe('cancel', () => {
  test('ends one unanswered request with its code, and no other', async () => {
    const started = [gate(), gate()];
    const { connect } = await serve({
      async cursor(_params, { req, signal }) {
        started[req === 1 ? 0 : 1]?.open();
        await once(signal, 'abort');
        throw signal.reason;
      },
      cancel: cancel(),
    });
    const connection = connect();
    connection.write('{"cmd":"cursor","id":"a","req":1}\n{"cmd":"cursor","id":"a","req":"1"}\n');
    for (const { promise } of started) await promise;
    connection.write('{"cmd":"cancel","of":1,"req":2}\n');
    const replies = [(await connection.reply()).header, (await connection.reply()).header];
    expect(replies.find(({ req }) => req === 1)).toMatchObject({ ok: false, code: 'cancelled' });
    expect(replies.find(({ req }) => req === 2)).toMatchObject({ ok: true, cancelled: true });
    connection.write('{"cmd":"cancel","of":"1"}\n');
    const last = [(await connection.reply()).header, (await connection.reply()).header];
    expect(last.find(({ req }) => req === '1')).toMatchObject({ code: 'cancelled' });
  });

  test('ends a request that asks for its signal later', async () => {
    const [started, late] = [gate(), gate()];
    const { connect } = await serve({
      async cursor(_params, call) {
        started.open();
        await late.promise;
        call.signal.throwIfAborted();
        throw new Error('not cancelled');
      },
      cancel: cancel(),
    });
    const connection = connect();
    connection.write('{"cmd":"cursor","id":"a","req":1}\n');
    await started.promise;
    expect((await connection.request({ cmd: 'cancel', of: 1, req: 2 })).header['cancelled']).toBe(true);
    late.open();
    expect((await connection.reply()).header).toMatchObject({ req: 1, code: 'cancelled' });
  });

  test('of nothing, of itself, or of another connection does nothing', async () => {
    const bus = newBus();
    const { connect } = await serve(handlersOf(bus));
    const other = connect();
    await other.request({ cmd: 'events', shared: true, req: 1 });
    const connection = connect();
    expect((await connection.request({ cmd: 'cancel', of: 1, req: 1 })).header).toEqual({
      ok: true,
      req: 1,
      cancelled: false,
    });
    expect(bus.subscriptionCount).toBe(1);
    expect((await connection.request({ cmd: 'cancel', of: true })).header).toMatchObject({
      code: 'invalid_field',
      field: 'of',
    });
    expect((await connection.request({ cmd: 'cancel' })).header).toMatchObject({ code: 'invalid_field', field: 'of' });
  });
});
