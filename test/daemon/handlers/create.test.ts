import { describe, expect, test } from 'vitest';
import { openRig } from '../../support/rig.js';

const TRUE = ['/bin/sh', '-c', 'exit 0'];
const CAT = ['/bin/cat'];

describe('a named terminal', () => {
  test('exists once, and is returned by a create with reuse', async () => {
    const rig = openRig();
    const first = await rig.ask('create', { name: 'a', cmd_args: CAT, cols: 33, rows: 7 });
    expect(first).toMatchObject({ ok: true, id: 'a', cols: 33, rows: 7 });
    expect(await rig.ask('create', { name: 'a', cmd_args: CAT })).toMatchObject({
      code: 'name_taken',
      field: 'name',
    });
    const again = await rig.ask('create', { name: 'a', cmd_args: CAT, reuse: true });
    expect(again).toEqual(first);
    expect(rig.daemon.core.terminals.size).toBe(1);
  });

  test('is replaced by a new one after its program has ended', async () => {
    const rig = openRig();
    const first = await rig.ask('create', { name: 'a', cmd_args: TRUE, wait: { until: { exit: true } } });
    const second = await rig.ask('create', { name: 'a', cmd_args: CAT, reuse: true });
    expect(second).toMatchObject({ ok: true, id: 'a' });
    expect(second['pid']).not.toBe(first['pid']);
    expect(rig.terminal('a').alive).toBe(true);
  });

  test('becomes the one used last when it is returned again', async () => {
    const rig = openRig();
    await rig.ask('create', { name: 'a', cmd_args: CAT });
    await rig.ask('create', { name: 'b', cmd_args: CAT });
    expect(await rig.ask('cursor', { id: '@' })).toMatchObject({ ok: true });
    await rig.ask('create', { name: 'a', cmd_args: CAT, reuse: true });
    expect(await rig.ask('status', { id: '@' })).toMatchObject({ id: 'a' });
  });
});

describe('a new terminal', () => {
  test('can be waited for and observed in one request', async () => {
    const rig = openRig();
    const reply = await rig.ask('create', {
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
    expect(await rig.ask('create', { cmd_args: CAT, observe: { text: true, screenshot: false } })).toMatchObject({
      id: 't2',
      observed: { lines: [] },
    });
  });

  test('is removed if the request is refused after the start', async () => {
    const rig = openRig();
    const refused = await rig.ask('create', { cmd_args: CAT, wait: { until: { regex: '(' } } });
    expect(refused).toMatchObject({ ok: false, code: 'bad_regex' });
    expect(rig.daemon.core.terminals.size).toBe(0);
  });

  test('is refused while the daemon shuts down', async () => {
    const rig = openRig();
    expect(await rig.ask('shutdown')).toEqual({ ok: true });
    expect(rig.stops).toBe(1);
    expect(await rig.ask('create', { cmd_args: CAT })).toMatchObject({ code: 'shutting_down' });
    expect(await rig.ask('run', { cmd_args: TRUE })).toMatchObject({ code: 'shutting_down' });
  });
});

describe('the end of terminals', () => {
  test('removes them one by one, and all of them with the daemon', async () => {
    const rig = openRig();
    const ids = [await rig.showing(), await rig.showing(), await rig.printed('x')];
    expect(await rig.ask('kill', { id: ids[0] })).toMatchObject({ ok: true, ended: [{ id: ids[0] }] });
    expect(await rig.ask('kill', { id: ids[0] })).toMatchObject({ code: 'terminal_not_found' });
    expect(rig.daemon.core.terminals.all().map(({ id }) => id)).toEqual(ids.slice(1));
    await rig.daemon.shutdown();
    expect(rig.daemon.core.terminals.size).toBe(0);
    expect(rig.log).toEqual([]);
  });

  test('by a signal reaches running programs, and no ended one', async () => {
    const rig = openRig();
    const id = await rig.showing();
    expect(await rig.ask('kill', { id, signal: 'SIGTRM' })).toMatchObject({
      code: 'invalid_field',
      field: 'signal',
      closest: 'SIGTERM',
    });
    expect(await rig.ask('kill', { id, signal: 'TRM' })).toMatchObject({ closest: 'TERM' });
    expect(await rig.ask('kill', { id, signal: 'wholly else' })).not.toHaveProperty('closest');
    expect(await rig.ask('kill', { id, signal: 'TERM' })).toEqual({ ok: true });
    expect(await rig.ask('wait', { id, until: { exit: true } })).toMatchObject({ outcome: 'matched' });
    expect(await rig.ask('status', { id })).toMatchObject({ signal: 'SIGTERM' });
    expect(await rig.ask('kill', { id, signal: 'TERM' })).toMatchObject({ code: 'terminal_exited' });
  });
});

describe('a resize', () => {
  test('reports the new size and its revision', async () => {
    const rig = openRig();
    const id = await rig.showing();
    const reply = await rig.ask('resize', { id, cols: 40, rows: 9 });
    expect(reply).toEqual({ ok: true, cols: 40, rows: 9, rev: rig.terminal(id).screen.rev });
    expect(await rig.ask('status', { id })).toMatchObject({ cols: 40, rows: 9 });
  });
});
