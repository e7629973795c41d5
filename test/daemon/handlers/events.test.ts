import { describe, expect, test } from 'vitest';
import { openRig } from '../../support/rig.js';

describe('events', () => {
  test('can be limited to one terminal, some types and a first number', async () => {
    const rig = openRig();
    const { lastSeq } = rig.daemon.core.bus;
    const [one, other] = [await rig.printed('a'), await rig.printed('b')];
    const told = async (fields: object) => {
      const { line, stream } = await rig.send('events', fields);
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
    expect(JSON.parse(Buffer.from(line ?? '').toString())).toEqual({ ok: true, seq: rig.daemon.core.bus.lastSeq });
    expect(await rig.ask('events', { terminal: 'nobody' })).toMatchObject({ code: 'terminal_not_found' });
  });

  test('beyond the queue are dropped for a slow subscriber', async () => {
    const rig = openRig();
    rig.daemon.settings.change({ event_queue: 2 });
    const { stream } = await rig.send('events');
    for (let i = 0; i < 5; i++) rig.daemon.core.bus.announce({ event: 'warning', code: 'fault', message: String(i) });
    const events = [stream?.next(), stream?.next(), stream?.next(), stream?.next()];
    stream?.dispose();
    expect(JSON.stringify(events)).toContain('lagged');
    expect(events.at(-1)).toBeUndefined();
  });
});
