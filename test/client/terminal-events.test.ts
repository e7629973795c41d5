import { describe, expect, test } from 'vitest';
import { TerminalEvents, type TerminalEventFilter } from '../../src/client/terminal-events.js';
import { recordedDaemon } from '../support/recorded-daemon.js';

/** After the subscription, whose number is 7. */
const line = (event: string, i: number): string => `${JSON.stringify({ event, terminal: 't1', seq: 8 + i })}\n`;
const LINES = ['bell', 'title', 'lagged', 'exit', 'removed', 'bell'].map(line).join('');

/** A terminal's events, in a daemon that publishes all of these. */
async function eventsOf(filter: TerminalEventFilter) {
  const { client, requests } = await recordedDaemon({
    // They follow the acknowledgement as the bytes of a reply follow its line.
    events: () => ({ seq: 7, len: undefined, bytes: LINES }),
  });
  const events = new TerminalEvents(client, 't1', filter, {});
  expect(await events.subscribed).toBe(7);
  return { events, requests };
}

async function namesOf(events: TerminalEvents): Promise<string[]> {
  const names: string[] = [];
  for await (const { event } of events) names.push(event);
  return names;
}

describe('the events of a terminal', () => {
  test('are all of its own, up to its removal', async () => {
    const { events, requests } = await eventsOf({ since: 3 });
    expect(await namesOf(events)).toEqual(['bell', 'title', 'lagged', 'exit', 'removed']);
    expect(events.ended).toBe('removed');
    expect(requests).toEqual([{ cmd: 'events', since: 3, terminal: 't1', ack: true }]);
  });

  test('of some types come with gaps and end with its removal, which is an event only on request', async () => {
    const some = await eventsOf({ types: ['exit'] });
    expect(await namesOf(some.events)).toEqual(['lagged', 'exit']);
    expect(some.requests).toMatchObject([{ types: ['exit', 'removed'] }]);
    const end = await eventsOf({ types: ['removed', 'bell'] });
    expect(await namesOf(end.events)).toEqual(['bell', 'lagged', 'removed']);
    expect(end.requests).toMatchObject([{ types: ['removed', 'bell'] }]);
  });

  test('end when they are closed, or their block ends', async () => {
    const closed = await eventsOf({});
    closed.events.close();
    expect(await namesOf(closed.events)).toEqual([]);
    const left = await eventsOf({});
    {
      await using events = left.events;
      expect(await events.subscribed).toBe(7);
    }
    expect(await namesOf(left.events)).toEqual([]);
  });
});
