/** Every request and reply of the original protocol, through the raw socket. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { rawRequest } from '../support/raw.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

describe('terminals', () => {
  it('create answers with id, size and pid', async () => {
    const reply = await request(daemon, {
      cmd: 'create',
      cols: 80,
      rows: 24,
      cmd_args: ['sh'],
      cwd: '/tmp',
      env: {},
    });
    expect(Object.keys(reply)).toEqual(['ok', 'id', 'cols', 'rows', 'pid']);
    expect(reply).toMatchObject({ ok: true, id: 't1', cols: 80, rows: 24, pid: expect.any(Number) });
  });

  it('create needs no fields, and defaults to 80x24', async () => {
    expect(await request(daemon, { cmd: 'create' })).toMatchObject({ ok: true, cols: 80, rows: 24 });
  });

  it('list returns each terminal with the original fields first', async () => {
    const { terminals } = (await request(daemon, { cmd: 'list' })) as { terminals: Record<string, unknown>[] };
    expect(Object.keys(terminals[0] ?? {}).slice(0, 6)).toEqual(['id', 'cols', 'rows', 'pid', 'alive', 'title']);
    expect(terminals[0]).toMatchObject({ id: 't1', cols: 80, rows: 24, alive: true });
  });

  it('list has the name of the program as title, until one is set', async () => {
    const titleOf = async (id: unknown): Promise<unknown> => {
      const { terminals } = (await request(daemon, { cmd: 'list' })) as { terminals: Record<string, unknown>[] };
      return terminals.find((one) => one['id'] === id)?.['title'];
    };
    const start = async (fields: object): Promise<unknown> => (await request(daemon, { cmd: 'create', ...fields })).id;
    expect(await titleOf(await start({ cmd_args: ['bash'] }))).toBe('bash');
    expect(await titleOf(await start({ cmd_args: ['/bin/cat', '-'] }))).toBe('cat');
    expect(await titleOf(await start({ cmd_args: ['cat'], title: 'mine' }))).toBe('mine');
    const id = await start({
      cmd_args: ['sh', '-c', String.raw`read x; printf '\033]2;vim src/main.rs\007'; exec cat`],
    });
    expect(await titleOf(id)).toBe('sh');
    const events = await EventStream.open(daemon.socketPath, { terminal: id, types: ['title'] });
    await request(daemon, { cmd: 'send', id, input: '\n' });
    await events.until('title');
    expect(await titleOf(id)).toBe('vim src/main.rs');
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ title: 'vim src/main.rs' });
  });

  it('resize informs the program of its new size', async () => {
    const { id } = await request(daemon, {
      cmd: 'create',
      cmd_args: ['sh', '-c', `trap 'stty size; printf "\\a"' WINCH; printf "\\a"; while :; do read x; done`],
    });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, since: 0 });
    await events.until('bell');
    expect(await request(daemon, { cmd: 'resize', id, cols: 120, rows: 40 })).toMatchObject({ ok: true });
    await request(daemon, { cmd: 'send', id, input: '\n' });
    await events.until('bell');
    events.close();
    const { lines } = (await request(daemon, { cmd: 'text', id, trim: true })) as { lines: string[] };
    expect(lines).toHaveLength(40);
    expect(lines).toContain('40 120');
    await request(daemon, { cmd: 'kill', id });
  });

  it('kill removes the terminal', async () => {
    const { id, pid } = await request(daemon, { cmd: 'create', cmd_args: ['sh'] });
    expect(await request(daemon, { cmd: 'kill', id })).toMatchObject({ ok: true });
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ ok: false, code: 'terminal_not_found' });
    expect(() => process.kill(Number(pid), 0)).toThrow(/ESRCH/);
  });
});

describe('input and observation', () => {
  it('send writes input, and text reads lines counted from the bottom', async () => {
    const { id } = await request(daemon, {
      cmd: 'create',
      cmd_args: ['sh', '-c', 'read line; seq 1 30; echo "got $line"; printf "\\a"; read x'],
    });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, types: ['bell'] });
    expect(await request(daemon, { cmd: 'send', id, input: 'hello\n' })).toEqual({ ok: true });
    await events.until('bell');
    events.close();
    const reply = await request(daemon, { cmd: 'text', id, start: 0, end: 3, trim: true });
    expect(Object.keys(reply).slice(0, 6)).toEqual(['ok', 'lines', 'region', 'start', 'end', 'total_lines']);
    expect(reply).toMatchObject({
      lines: ['30', 'got hello', ''],
      region: 'viewport',
      start: 0,
      end: 3,
      total_lines: 24,
    });
    const whole = (await request(daemon, { cmd: 'text', id, trim: true })) as { lines: string[] };
    expect(whole.lines).toHaveLength(24);
    expect(whole.lines.at(-3)).toBe('30');
    const all = (await request(daemon, { cmd: 'text', id, trim: true, region: 'all' })) as { lines: string[] };
    expect(all.lines.slice(0, 3)).toEqual(['hello', '1', '2']);
    await request(daemon, { cmd: 'kill', id });
  });

  it('send accepts raw bytes as base64', async () => {
    const { id } = await request(daemon, {
      cmd: 'create',
      cmd_args: ['sh', '-c', 'stty raw -echo; printf "\\a"; head -c 4 | od -An -tx1; printf "\\a"; read x'],
    });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, types: ['bell'], since: 0 });
    await events.until('bell');
    await request(daemon, { cmd: 'send', id, input_base64: Buffer.from([0xff, 0x00, 0x1b, 0x80]).toString('base64') });
    await events.until('bell');
    events.close();
    const { lines } = (await request(daemon, { cmd: 'text', id, trim: true })) as { lines: string[] };
    expect(lines[0]).toBe(' ff 00 1b 80');
    await request(daemon, { cmd: 'kill', id });
  });

  it('screenshot returns a header line, then exactly len bytes of PNG', async () => {
    const { header, bytes } = await rawRequest(daemon.socketPath, {
      cmd: 'screenshot',
      id: 't1',
      cursor: true,
      pad: 1,
      scale: 66,
    });
    expect(header).toMatchObject({
      ok: true,
      len: bytes.length,
      width: 80 * 7 + 2,
      height: 24 * 14 + 2,
      format: 'png',
    });
    expect(bytes.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    expect(bytes.subarray(-8, -4).toString('latin1')).toBe('IEND');
  });

  it('cursor returns its position', async () => {
    const reply = await request(daemon, { cmd: 'cursor', id: 't1' });
    expect(Object.keys(reply).slice(0, 4)).toEqual(['ok', 'row', 'col', 'visible']);
    expect(reply).toMatchObject({ ok: true, row: expect.any(Number), col: expect.any(Number), visible: true });
  });

  it('config sets the idle timeout', async () => {
    expect(await request(daemon, { cmd: 'config', idle_timeout_ms: 2000 })).toMatchObject({
      ok: true,
      idle_timeout_ms: 2000,
    });
  });
});
