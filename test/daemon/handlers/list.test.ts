import { describe, expect, test } from 'vitest';
import { CONNECTION_COUNTS, openRig } from '../../support/rig.js';

const OSC = (data: string): string => `\x1b]${data}\x1b\\`;

describe('a terminal in a listing', () => {
  test('has its present state, also after its program has ended', async () => {
    const rig = openRig();
    const text = `${OSC('2;the title')}${OSC('7;file://host/some/where')}${OSC('9;4;1;42')}a\r\nb\x1b[?25l`;
    const id = await rig.printed(text, { cols: 20, rows: 1, scrollback: 7, cwd: '/' });
    const told = {
      id,
      cols: 20,
      rows: 1,
      pid: rig.terminal(id).pid,
      alive: false,
      title: 'the title',
      cwd: '/',
      exit_code: 0,
      signal: null,
      foreground: null,
      alt_screen: false,
      cursor: { row: 0, col: 1, visible: false },
    };
    expect(await rig.ask('list')).toMatchObject({ ok: true, terminals: [told] });
    expect(await rig.ask('status', { id })).toMatchObject({
      ...told,
      cmd: ['/bin/sh', '-c', expect.any(String), 'sh', text],
      state: 'exited',
      scrollback_lines: 1,
      scrollback_limit: 7,
      shell_cwd: '/some/where',
      progress: { state: 'normal', percent: 42 },
      last_command: null,
      awaiting_input: null,
    });
  });

  test('has the foreground program and the modes by their wire names', async () => {
    const rig = openRig();
    const id = await rig.showing('\x1b[?2004h\x1b[?1049h');
    expect(await rig.ask('status', { id })).toMatchObject({
      alive: true,
      state: 'running',
      exit_code: null,
      alt_screen: true,
      shell_cwd: null,
      progress: null,
      modes: { bracketed_paste: true, application_cursor: false },
    });
    const { modes, foreground } = await rig.ask('status', { id });
    if (process.platform === 'linux') expect(foreground).toEqual(expect.any(String));
    for (const name of Object.keys(modes as object)) expect(name).toMatch(/^[a-z0-9_]+$/);
  });

  test('has the signal that ended it', async () => {
    const rig = openRig();
    const { id } = await rig.ask('create', {
      cmd_args: ['/bin/sh', '-c', 'kill -9 $$'],
      wait: { until: { exit: true } },
    });
    expect(await rig.ask('status', { id })).toMatchObject({ exit_code: null, signal: 'SIGKILL', alive: false });
  });
});

describe('the cursor', () => {
  test('is reported with its look', async () => {
    const rig = openRig();
    const id = await rig.printed('ab\r\nc\x1b[4 q\x1b[?25l', { cols: 20, rows: 3 });
    const { rev } = rig.terminal(id).screen;
    expect(await rig.ask('cursor', { id })).toEqual({
      ok: true,
      row: 1,
      col: 1,
      visible: false,
      shape: 'underline',
      blink: false,
      rev,
      inputs: 0,
    });
  });
});

describe('the commands of a shell', () => {
  const mark = (data: string): string => `\x1b]133;${data}\x07`;
  const ran = (line: string, output: string, code: number): string =>
    `${mark('A')}$ ${mark('B')}${line}\r\n${mark('C')}${output}${mark(`D;${code}`)}`;

  test('are listed with their output, up to the wanted number', async () => {
    const rig = openRig();
    const id = await rig.echoing(`${ran('one', 'a\r\nb\r\n', 0)}${ran('two', 'c\r\n', 3)}${ran('three', 'dd', 1)}`);
    const all = await rig.ask('commands', { id });
    expect(all['commands']).toMatchObject([
      { n: 1, running: false, code: 0, output_rows: 2 },
      { n: 2, running: false, code: 3, output_rows: 1, duration_ms: expect.any(Number) as number },
      { n: 3, code: 1, output_rows: 1, cwd: null },
    ]);
    expect((await rig.ask('commands', { id, last: 1 }))['commands']).toMatchObject([{ n: 3 }]);
    const text = (command: number) => rig.ask('text', { id, command, trim: true });
    expect(await text(1)).toMatchObject({ lines: ['a', 'b'], region: 'command', total_lines: 2, lost_lines: 0 });
    expect(await text(-2)).toMatchObject({ lines: ['c'] });
    expect(await text(4)).toMatchObject({ code: 'command_not_found', field: 'command' });
    await rig.print(id, `${mark('A')}$ ${mark('B')}four\r\n${mark('C')}e\r\nf`);
    expect((await rig.ask('commands', { id, last: 1 }))['commands']).toMatchObject([
      { n: 4, running: true, code: null, output_rows: null, duration_ms: null },
    ]);
    expect(await text(4)).toMatchObject({ lines: ['e', 'f'] });
    expect(await rig.ask('status', { id })).toMatchObject({ last_command: { n: 4, running: true } });
    await rig.print(id, '\x1b[?1049h');
    expect(await text(1)).toMatchObject({ code: 'command_not_found' });
  });

  test('can end in the middle of a line, without the prompt that follows', async () => {
    const rig = openRig();
    const id = await rig.echoing(`${ran('one', 'a\r\nbc', 0)}${mark('A')}PROMPT`, { cols: 20, rows: 5 });
    expect(await rig.ask('text', { id, command: 1 })).toMatchObject({
      lines: [`a${' '.repeat(19)}`, 'bc'],
      total_lines: 2,
    });
    expect(await rig.ask('text', { id, command: 1, format: 'cells' })).toMatchObject({ lines: [] });
  });

  test('report the lines that the scrollback has dropped', async () => {
    const rig = openRig();
    const id = await rig.echoing(ran('one', '1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n', 0), {
      cols: 20,
      rows: 2,
      scrollback: 3,
    });
    expect(await rig.ask('text', { id, command: 1, trim: true })).toMatchObject({
      lines: ['3', '4', '5', '6'],
      lost_lines: 2,
      total_lines: 4,
    });
    await rig.print(id, '\r\n'.repeat(20));
    expect(await rig.ask('text', { id, command: 1 })).toMatchObject({ lines: [], lost_lines: 6, total_lines: 0 });
  });
});

describe('the daemon reports', () => {
  test('its identity and its load', async () => {
    const rig = openRig();
    expect(await rig.ask('ping')).toMatchObject({
      version: '1.2.3',
      pid: process.pid,
      socket: '/rig/socket',
      terminals: 0,
    });
    const id = await rig.printed('a\r\nb\r\nc', { cols: 20, rows: 2 });
    const running = await rig.showing();
    await rig.ask('wait', { id: running, until: { idle_ms: 0 } });
    const stats = await rig.ask('stats', { terminals: true });
    expect(stats).toMatchObject({
      ok: true,
      version: '1.2.3',
      pid: process.pid,
      terminals: { total: 2, running: 1 },
      connections: CONNECTION_COUNTS,
      output: { parsed_bytes: 8, pending_bytes: 0 },
      input: { pending_bytes: 0 },
      memory: { state: 'ok', limit: 1e13, pressure: 'none', terminals_removed: 0 },
      faults: 0,
      widths: null,
      predecessor: null,
    });
    expect(stats['per_terminal']).toMatchObject([
      { id, parsed_bytes: 7, pending_bytes: 0, input_pending_bytes: 0, lines: 3, paused: false },
      { id: running, parsed_bytes: 1 },
    ]);
    expect(stats).toMatchObject({ events: { last_seq: rig.daemon.core.bus.lastSeq } });
    await rig.ask('kill', { id });
    const later = await rig.ask('stats');
    expect(later).toMatchObject({ output: { parsed_bytes: 8 }, terminals: { total: 1, running: 1 } });
    expect(later).not.toHaveProperty('per_terminal');
    const uptime = (await rig.ask('ping'))['uptime_ms'] as number;
    expect(uptime).toBeGreaterThanOrEqual(later['uptime_ms'] as number);
    expect(later['uptime_ms']).toBeLessThan(1e8);
  });

  test('its configuration with the source of each value', async () => {
    const rig = openRig();
    const plain = await rig.ask('config', { scrollback: 77 });
    expect(plain).toMatchObject({ ok: true, scrollback: 77, log_level: 'warn' });
    expect(plain).not.toHaveProperty('sources');
    const sources = await rig.ask('config', { sources: true });
    expect(sources).toMatchObject({
      scrollback: 77,
      file: '/rig/config.json',
      sources: { scrollback: 'request', max_terminals: 'default' },
    });
    rig.daemon.settings.change({ max_waits: 3 }, { max_waits: 'file' });
    expect(await rig.ask('config', { sources: true })).toMatchObject({
      max_waits: 3,
      sources: { max_waits: 'file' },
    });
    expect(await rig.ask('config', { theme: 'nosuch' })).toMatchObject({ ok: false });
    await rig.ask('config', { log_level: 'debug' });
    expect(rig.daemon.options.log.level).toBe('debug');
  });

  test('the schema of its protocol', async () => {
    const rig = openRig();
    expect(Object.keys((await rig.ask('schema'))['schema'] as object)).not.toHaveLength(0);
  });
});
