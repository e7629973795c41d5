import { describe, expect, test } from 'vitest';
import { openHouse } from '../../support/house.js';

const TRUE = ['/bin/sh', '-c', 'exit 0'];
const CAT = ['/bin/cat'];

describe('a terminal with a name', () => {
  test('is there once, and is given again to who asks for it so', async () => {
    const house = openHouse();
    const first = await house.ask('create', { name: 'a', cmd_args: CAT, cols: 33, rows: 7 });
    expect(first).toMatchObject({ ok: true, id: 'a', cols: 33, rows: 7 });
    expect(await house.ask('create', { name: 'a', cmd_args: CAT })).toMatchObject({
      code: 'name_taken',
      field: 'name',
    });
    const again = await house.ask('create', { name: 'a', cmd_args: CAT, reuse: true });
    expect(again).toEqual(first);
    expect(house.daemon.terminals.size).toBe(1);
  });

  test('whose program has ended gives way to a new one', async () => {
    const house = openHouse();
    const first = await house.ask('create', { name: 'a', cmd_args: TRUE, wait: { until: { exit: true } } });
    const second = await house.ask('create', { name: 'a', cmd_args: CAT, reuse: true });
    expect(second).toMatchObject({ ok: true, id: 'a' });
    expect(second['pid']).not.toBe(first['pid']);
    expect(house.terminal('a').alive).toBe(true);
  });

  test('that is given again is the one used last', async () => {
    const house = openHouse();
    await house.ask('create', { name: 'a', cmd_args: CAT });
    await house.ask('create', { name: 'b', cmd_args: CAT });
    expect(await house.ask('cursor', { id: '@' })).toMatchObject({ ok: true });
    await house.ask('create', { name: 'a', cmd_args: CAT, reuse: true });
    expect(await house.ask('status', { id: '@' })).toMatchObject({ id: 'a' });
  });
});

describe('a new terminal', () => {
  test('may be waited for and looked at in one request', async () => {
    const house = openHouse();
    const reply = await house.ask('create', {
      cmd_args: ['/bin/sh', '-c', 'printf hello'],
      cols: 20,
      rows: 2,
      wait: { until: { exit: true } },
      observe: { text: true, cursor: true, screenshot: false },
    });
    expect(reply).toMatchObject({
      id: 't1',
      cols: 20,
      rows: 2,
      wait: { outcome: 'matched' },
      observed: { lines: ['hello'], cursor: { row: 0, col: 5, visible: true } },
    });
    expect(await house.ask('create', { cmd_args: CAT, observe: { text: true, screenshot: false } })).toMatchObject({
      id: 't2',
      observed: { lines: [] },
    });
  });

  test('is not left behind by a request that is refused after it has started', async () => {
    const house = openHouse();
    const refused = await house.ask('create', { cmd_args: CAT, wait: { until: { regex: '(' } } });
    expect(refused).toMatchObject({ ok: false, code: 'bad_regex' });
    expect(house.daemon.terminals.size).toBe(0);
  });

  test('is not made by a daemon that leaves', async () => {
    const house = openHouse();
    expect(await house.ask('shutdown')).toEqual({ ok: true });
    expect(house.stops).toBe(1);
    expect(await house.ask('create', { cmd_args: CAT })).toMatchObject({ code: 'shutting_down' });
    expect(await house.ask('run', { cmd_args: TRUE })).toMatchObject({ code: 'shutting_down' });
  });
});

describe('the end of terminals', () => {
  test('forgets them one by one, and all of them with the daemon', async () => {
    const house = openHouse();
    const ids = [await house.showing(), await house.showing(), await house.printed('x')];
    expect(await house.ask('kill', { id: ids[0] })).toEqual({ ok: true });
    expect(await house.ask('kill', { id: ids[0] })).toMatchObject({ code: 'terminal_not_found' });
    expect(house.daemon.terminals.all().map(({ id }) => id)).toEqual(ids.slice(1));
    await house.daemon.shutdown();
    expect(house.daemon.terminals.size).toBe(0);
    expect(house.log).toEqual([]);
  });

  test('by a signal reaches what runs, and nothing that has ended', async () => {
    const house = openHouse();
    const id = await house.showing();
    expect(await house.ask('kill', { id, signal: 'SIGTRM' })).toMatchObject({
      code: 'invalid_field',
      field: 'signal',
      closest: 'SIGTERM',
    });
    expect(await house.ask('kill', { id, signal: 'TRM' })).toMatchObject({ closest: 'TERM' });
    expect(await house.ask('kill', { id, signal: 'wholly else' })).not.toHaveProperty('closest');
    expect(await house.ask('kill', { id, signal: 'TERM' })).toEqual({ ok: true });
    expect(await house.ask('wait', { id, until: { exit: true } })).toMatchObject({ outcome: 'matched' });
    expect(await house.ask('status', { id })).toMatchObject({ signal: 'SIGTERM' });
    expect(await house.ask('kill', { id, signal: 'TERM' })).toMatchObject({ code: 'terminal_exited' });
  });
});

describe('a resize', () => {
  test('tells the size and the revision that it has brought about', async () => {
    const house = openHouse();
    const id = await house.showing();
    const reply = await house.ask('resize', { id, cols: 40, rows: 9 });
    expect(reply).toEqual({ ok: true, cols: 40, rows: 9, rev: house.terminal(id).screen.rev });
    expect(await house.ask('status', { id })).toMatchObject({ cols: 40, rows: 9 });
  });
});
