import { describe, expect, test } from 'vitest';
import { openHouse } from '../../support/house.js';

describe('events', () => {
  test('are those of one terminal, of some types, from some number on', async () => {
    const house = openHouse();
    const { lastSeq } = house.daemon.bus;
    const [one, other] = [await house.printed('a'), await house.printed('b')];
    const told = async (fields: object) => {
      const { line, stream } = await house.send('events', fields);
      const events: object[] = [];
      for (let event = stream?.next(); event !== undefined; event = stream?.next()) events.push(event);
      stream?.dispose();
      return { line, events };
    };
    const exits = await told({ types: ['exit'], since: lastSeq });
    expect(exits.events).toMatchObject([
      { event: 'exit', terminal: one, code: 0 },
      { event: 'exit', terminal: other },
    ]);
    expect(exits.line).toBeUndefined();
    expect((await told({ types: ['created'], since: lastSeq, terminal: '@' })).events).toMatchObject([
      { terminal: other },
    ]);
    expect((await told({ since: 1_000_000 })).events).toEqual([]);
    const { line } = await told({ ack: true });
    expect(JSON.parse(Buffer.from(line ?? '').toString())).toEqual({ ok: true, seq: house.daemon.bus.lastSeq });
    expect(await house.ask('events', { terminal: 'nobody' })).toMatchObject({ code: 'terminal_not_found' });
  });

  test('that a subscriber has not taken are no more than its queue', async () => {
    const house = openHouse();
    house.daemon.configure({ event_queue: 2 });
    const { stream } = await house.send('events');
    for (let i = 0; i < 5; i++) house.daemon.bus.announce({ event: 'warning', code: 'fault', message: String(i) });
    const events = [stream?.next(), stream?.next(), stream?.next(), stream?.next()];
    stream?.dispose();
    expect(JSON.stringify(events)).toContain('lagged');
    expect(events.at(-1)).toBeUndefined();
  });
});
