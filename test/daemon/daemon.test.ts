import { describe, expect, test } from 'vitest';
import { openRig } from '../support/rig.js';

const CAT = ['/bin/cat'];

describe('the configuration', () => {
  test('reaches existing terminals, unless their creator has chosen a value', async () => {
    const rig = openRig();
    const ids: string[] = [];
    for (const fields of [{}, { idle_timeout_ms: 77_000 }]) {
      ids.push(String((await rig.ask('create', { cmd_args: CAT, ...fields }))['id']));
    }
    const timeouts = () => ids.map((id) => rig.terminal(id).detectors.idle.timeoutMs);
    expect(timeouts()).toEqual([2000, 77_000]);
    rig.daemon.settings.change({ scrollback: 5 });
    expect(timeouts()).toEqual([2000, 77_000]);
    rig.daemon.settings.change({ idle_timeout_ms: 9000 });
    expect(timeouts()).toEqual([9000, 77_000]);
  });

  test('that is refused changes nothing', () => {
    const { daemon } = openRig();
    const { values, sources } = daemon.settings;
    expect(() => daemon.settings.change({ theme: 'nosuch', scrollback: 3 })).toThrow();
    expect(daemon.settings.values).toBe(values);
    expect(daemon.settings.sources).toBe(sources);
  });

  test('reports the source of each value', () => {
    const { daemon } = openRig();
    expect(new Set(Object.values({ ...daemon.settings.sources, log_level: 'x', max_memory_bytes: 'x' }))).toEqual(
      new Set(['default', 'x']),
    );
    daemon.settings.change({ scrollback: 3, max_waits: 4 }, { scrollback: 'environment' });
    expect(daemon.settings.sources).toMatchObject({
      scrollback: 'environment',
      max_waits: 'request',
      theme: 'default',
    });
  });
});

describe('the end of a terminal', () => {
  test('is published once, and its output stays counted', async () => {
    const rig = openRig();
    const id = await rig.printed('four');
    const terminal = rig.terminal(id);
    const before = rig.daemon.core.bus.lastSeq;
    expect(await rig.daemon.remove(terminal)).toEqual([]);
    expect(await rig.daemon.remove(terminal)).toEqual([]);
    expect(rig.daemon.core.bus.lastSeq).toBe(before + 1);
    expect(rig.daemon.facts.parsedBytesOfRemoved).toBe(4);
    expect(terminal.state.kind).toBe('removed');
    expect(rig.daemon.core.terminals.size).toBe(0);
  });
});

describe('the end of the daemon', () => {
  test('is one end for all callers', async () => {
    const { daemon } = openRig();
    expect(() => daemon.core.assertOpen()).not.toThrow();
    const end = daemon.shutdown();
    expect(daemon.shutdown()).toBe(end);
    expect(() => daemon.core.assertOpen()).toThrow(expect.objectContaining({ code: 'shutting_down' }));
    expect(await end).toEqual([]);
  });

  test('ends the other terminals if one cannot be ended, and reports that one', async () => {
    const rig = openRig();
    const ids = [await rig.showing(), await rig.printed('a')];
    const stubborn = rig.terminal(ids[0] ?? '');
    const remove = stubborn.remove.bind(stubborn);
    stubborn.remove = () => {
      stubborn.remove = remove;
      throw new Error('it does not go');
    };
    expect(await rig.daemon.shutdown()).toEqual([]);
    expect(rig.log.join('')).toContain(`ending terminal ${ids[0]}: Error: it does not go`);
    expect(rig.daemon.core.terminals.size).toBe(0);
    remove.call(stubborn);
  });
});

describe('two daemons in one process', () => {
  test('have no part in common, and one keeps reading after the other has ended', async () => {
    const [ended, other] = [openRig(), openRig()];
    const ids = await Promise.all([ended.echoing(), other.echoing()]);
    expect(await other.ask('debug', { id: ids[1] })).toMatchObject({ termios: { mode: 'raw' } });
    expect(await ended.daemon.shutdown()).toEqual([]);
    await other.print(ids[1] ?? '', 'still read');
    expect(await other.linesWith(ids[1] ?? '', 'still read')).toEqual(['still read']);
    expect(await other.ask('debug', { id: ids[1] })).toMatchObject({ termios: { mode: 'raw' } });
    for (const name of ['bus', 'parsing', 'work', 'readers', 'stty', 'sessions'] as const) {
      expect(ended.daemon.parts[name], name).not.toBe(other.daemon.parts[name]);
    }
  });

  test('count only the faults of their own reader threads', () => {
    const [faulty, other] = [openRig(), openRig()];
    faulty.daemon.parts.readers.onFault.emit(new Error('the reader thread: torn'));
    expect(faulty.log.join('')).toContain('reading output: Error: the reader thread: torn');
    expect([other.log, other.daemon.core.bus.lastSeq]).toEqual([[], 0]);
    expect(faulty.daemon.core.bus.lastSeq).toBe(1);
  });

  test('share turns of parsing only among their own terminals', async () => {
    const [printing, other] = [openRig(), openRig()];
    const tasks = [printing, other].map(({ daemon }) => {
      const added = new Set<object>();
      const { parsing } = daemon.parts;
      const add = parsing.add.bind(parsing);
      parsing.add = (task) => {
        added.add(task);
        add(task);
      };
      return added;
    });
    await printing.printed('one');
    await printing.printed('two');
    expect(tasks.map(({ size }) => size)).toEqual([2, 0]);
  });
});

describe('scarce memory', () => {
  test('drops the blocks kept for searches, and their lines are read again', async () => {
    const rig = openRig();
    const text = Array.from({ length: 600 }, (_, i) => `line ${i}`).join('\r\n');
    const id = await rig.printed(text, { rows: 2 });
    const grep = () => rig.ask('grep', { id, pattern: 'line 7$' });
    const found = await grep();
    expect(found).toMatchObject({ total: 1 });
    rig.daemon.resources.governor.relieve();
    expect(await grep()).toEqual(found);
    expect(await rig.ask('stats')).toMatchObject({ memory: { caches_dropped: 1 } });
  });
});
