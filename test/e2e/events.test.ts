/** The events of the original protocol, each published after the bytes that caused it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** A terminal that prints its input, line by line, with printf's escapes. */
async function printer(
  fields: object = {},
): Promise<{ id: string; events: EventStream; print: (format: string) => Promise<void> }> {
  const script = 'stty -echo; printf "\\a"; while IFS= read -r line; do printf "$line"; done';
  const { id } = (await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script], ...fields })) as {
    id: string;
  };
  const events = await EventStream.open(daemon.socketPath, { terminal: id, since: 0 });
  await events.until('bell');
  return {
    id,
    events,
    print: async (format) => void (await request(daemon, { cmd: 'send', id, input: `${format}\n` })),
  };
}

describe('an event', () => {
  it('begins with the fields of the original, followed by number, time and revision', async () => {
    const { id, events, print } = await printer();
    await print('\\a');
    const bell = await events.until('bell');
    expect(Object.keys(bell)).toEqual(['event', 'terminal', 'count', 'seq', 'ts', 'rev']);
    await print('\\033]2;vim src/main.rs\\a');
    const title = await events.until('title');
    expect(Object.keys(title)).toEqual(['event', 'terminal', 'title', 'seq', 'ts', 'rev']);
    expect(title).toMatchObject({ title: 'vim src/main.rs', terminal: id });
    expect(Number(title['seq'])).toBeGreaterThan(Number(bell['seq']));
    events.close();
    await request(daemon, { cmd: 'kill', id });
  });

  it('is published after its bytes are on the screen', async () => {
    const { id, events, print } = await printer();
    for (let i = 0; i < 50; i++) {
      await print(`mark-${i}-\\a`);
      await events.until('bell');
      const { lines } = (await request(daemon, { cmd: 'text', id })) as { lines: string[] };
      expect(lines.join('')).toContain(`mark-${i}-`);
    }
    events.close();
    await request(daemon, { cmd: 'kill', id });
  });
});

describe('idle and activity', () => {
  it('alternate, with the configured silence before idle', async () => {
    const { id, events, print } = await printer({ idle_timeout_ms: 150 });
    expect(await events.until('idle')).toMatchObject({ event: 'idle', terminal: id, after_ms: 150 });
    await print('x');
    const types = ['activity', 'idle'];
    const told: unknown[] = [];
    while (told.length < 2) {
      const { event } = await events.next();
      if (types.includes(String(event))) told.push(event);
    }
    expect(told).toEqual(types);
    events.close();
    await request(daemon, { cmd: 'kill', id });
  });
});

describe('command_done', () => {
  it.each([
    ['OSC 7777', '\\033]7777;done;3\\a', 3],
    ['OSC 133', '\\033]133;C\\a\\033]133;D;4\\a', 4],
    ['OSC 633', '\\033]633;C\\a\\033]633;D;5\\a', 5],
    ['OSC 133 without a code', '\\033]133;C\\a\\033]133;D\\a', null],
  ])('comes from %s', async (_, marks, code) => {
    const { id, events, print } = await printer();
    await print(marks);
    expect(await events.until('command_done')).toMatchObject({ event: 'command_done', terminal: id, code });
    events.close();
    await request(daemon, { cmd: 'kill', id });
  });

  it('comes once for a command that more than one hook reports', async () => {
    const { id, events, print } = await printer();
    await print('\\033]133;C\\a\\033]133;D;1\\a\\033]7777;done;1\\a\\033]633;D;1\\a\\033]2;fence\\a');
    const seen: unknown[] = [];
    for (let event = await events.next(); event['event'] !== 'title'; event = await events.next())
      seen.push(event['event']);
    expect(seen.filter((type) => type === 'command_done')).toHaveLength(1);
    events.close();
    await request(daemon, { cmd: 'kill', id });
  });
});

describe('exit and removed', () => {
  it('are the last two events, and exit has the code', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', 'echo bye; exit 9'] });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, since: 0 });
    expect(await events.until('exit')).toMatchObject({ code: 9, signal: null });
    await request(daemon, { cmd: 'kill', id });
    expect(await events.next()).toMatchObject({ event: 'removed', terminal: id });
    events.close();
  });
});

describe('subscriptions', () => {
  it('filter by terminal and by type', async () => {
    const one = await printer();
    const other = await printer();
    const filtered = await EventStream.open(daemon.socketPath, { terminal: one.id, types: ['title'] });
    await other.print('\\033]2;other\\a');
    await one.print('\\a\\033]2;mine\\a');
    expect(await filtered.next()).toMatchObject({ event: 'title', terminal: one.id, title: 'mine' });
    for (const stream of [one.events, other.events, filtered]) stream.close();
    for (const { id } of [one, other]) await request(daemon, { cmd: 'kill', id });
  });

  it('from before the kept events have the number of lost events in each gap, and keep those of other terminals', async () => {
    const quiet = await printer();
    await quiet.print('\\033]2;quiet\\a');
    const kept = await quiet.events.until('title');
    const { id, events, print } = await printer();
    for (let i = 0; i < 25; i++) {
      await print('\\033]2;x\\a'.repeat(200));
      for (let seen = 0; seen < 200; seen++) await events.until('title');
    }
    const { seq } = await request(daemon, { cmd: 'events', ack: true });
    expect(seq).toBeGreaterThan(5000);
    const late = await EventStream.open(daemon.socketPath, { since: 0 });
    const [seen, gaps]: [unknown[], number[]] = [[], []];
    for (let last = 0; last < Number(seq);) {
      const line = await late.next();
      if (line['event'] === 'lagged') {
        expect(line['after']).toBe(last);
        gaps.push(Number(line['missed']));
        last += Number(line['missed']);
      } else {
        expect(line['seq']).toBe(++last);
        seen.push(line['seq']);
      }
    }
    expect(seen).toContain(kept['seq']);
    expect(gaps.reduce((sum, each) => sum + each, 0)).toBe(Number(seq) - 4096);
    quiet.events.close();
    await request(daemon, { cmd: 'kill', id: quiet.id });
    const fromLater = { cmd: 'events', since: 1e9 };
    expect(await request(daemon, fromLater)).toMatchObject({ ok: false, code: 'invalid_field', field: 'since' });
    late.close();
    events.close();
    await request(daemon, { cmd: 'kill', id });
  });

  it('begin with the first event if no ack was requested', async () => {
    const { id, events, print } = await printer();
    const connection = new RawConnection(daemon.socketPath);
    connection.write(`{"cmd":"events","terminal":"${id}","types":["title"]}\n`);
    let heard = false;
    const line = connection.line().finally(() => (heard = true));
    for (let i = 0; !heard; i++) await print(`\\033]2;title ${i}\\a`);
    expect(JSON.parse((await line).toString())).toMatchObject({ event: 'title', terminal: id });
    connection.close();
    events.close();
    await request(daemon, { cmd: 'kill', id });
  });

  it('that do not read lose a counted number of events, and other subscriptions lose none', async () => {
    const { id, events, print } = await printer();
    const slow = new RawConnection(daemon.socketPath);
    slow.write(`{"cmd":"events","terminal":"${id}","ack":true}\n`);
    const { header } = await slow.reply();
    slow.socket.pause();
    // Far more than the socket's buffers and the subscriber's queue can hold.
    const total = 40_000;
    for (let i = 0; i < total / 200; i++) {
      await print('\\033]2;x\\a'.repeat(200));
      for (let seen = 0; seen < 200; seen++) await events.until('title');
    }
    await print('\\033]2;end\\a');
    const end = await events.until('title', (event) => event['title'] === 'end');
    slow.socket.resume();
    let delivered = 0;
    let missed = 0;
    for (;;) {
      const event = JSON.parse((await slow.line()).toString()) as Record<string, unknown>;
      if (event['event'] === 'lagged') missed += Number(event['missed']);
      else delivered++;
      if (event['event'] === 'title' && event['title'] === 'end') break;
    }
    expect(missed).toBeGreaterThan(0);
    // Everything after the acknowledged number was either delivered or counted: all of this terminal's, no other exists.
    expect(delivered + missed).toBe(Number(end['seq']) - Number(header['seq']));
    slow.close();
    events.close();
    await request(daemon, { cmd: 'kill', id });
  }, 60_000);
});
