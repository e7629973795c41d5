/** What launch and attach ask for, and which connection they leave open. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { attach, launch } from '../../src/client/launch.js';
import { Client } from '../../src/client/client.js';
import { recordedDaemon } from '../support/recorded-daemon.js';

const CREATED = { create: () => ({ id: 't5', pid: 55, cols: 80, rows: 24 }) };

describe('launch', () => {
  test('runs a line in sh, words unchanged, and a shell by default', async () => {
    const { client, requests } = await recordedDaemon(CREATED);
    await launch({ client, command: 'echo a | cat' });
    await launch({ client, cmd_args: ['ls', '-l'] });
    await launch({ client });
    expect(requests.map((request) => request['cmd_args'])).toEqual([
      ['sh', '-c', 'echo a | cat'],
      ['ls', '-l'],
      undefined,
    ]);
    for (const request of requests) expect(request).not.toHaveProperty('command');
  });

  test("passes fields on, over the caller's directory and environment", async () => {
    const { client, requests } = await recordedDaemon(CREATED);
    vi.stubEnv('T4A_TEST_MINE', 'mine');
    vi.stubEnv('T4A_TEST_OTHER', 'mine');
    onTestFinished(() => void vi.unstubAllEnvs());
    const terminal = await launch({ client, cwd: 'sub', env: { T4A_TEST_OTHER: 'theirs' }, name: 'n', cols: 9 });
    expect([terminal.id, terminal.pid]).toEqual(['t5', 55]);
    const [request] = requests;
    expect(request).toMatchObject({
      cmd: 'create',
      name: 'n',
      cols: 9,
      cwd: `${process.cwd()}/sub`,
      inherit_env: false,
      env: { T4A_TEST_MINE: 'mine', T4A_TEST_OTHER: 'theirs' },
    });
    for (const name of ['client', 'socketPath', 'signal', 'command']) expect(request).not.toHaveProperty(name);
    await launch({ client, cwd: '/tmp' });
    await launch({ client });
    expect(requests.slice(1).map(({ cwd }) => cwd)).toEqual(['/tmp', process.cwd()]);
  });

  test('takes a line or words, not both', async () => {
    const { client, requests } = await recordedDaemon(CREATED);
    await expect(launch({ client, command: 'ls', cmd_args: ['ls'] })).rejects.toThrow(TypeError);
    expect(requests).toEqual([]);
  });

  test('can be given up by its signal', async () => {
    const { client, requests } = await recordedDaemon(CREATED);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(launch({ client, signal })).rejects.toThrow('enough');
    expect(requests).toEqual([]);
  });
});

describe('the connection', () => {
  test('of a terminal launched without a client is its own', async () => {
    const { socketPath, requests } = await recordedDaemon(CREATED);
    const terminal = await launch({ socketPath, autoStart: false });
    await terminal.close();
    expect(terminal.client.isClosed).toBe(true);
    expect(requests.map(({ cmd }) => cmd)).toEqual(['create', 'kill']);
    expect(requests[0]).not.toHaveProperty('autoStart');
  });

  test('of the caller stays open', async () => {
    const { client } = await recordedDaemon(CREATED);
    await (await launch({ client })).close();
    expect(client.isClosed).toBe(false);
  });

  test("is closed if the terminal does not exist, unless it is the caller's", async () => {
    const refused = { status: () => ({ ok: false, code: 'terminal_not_found', error: 'No terminal "x".' }) };
    const { socketPath, client } = await recordedDaemon(refused);
    const close = vi.spyOn(Client.prototype, 'close');
    onTestFinished(() => close.mockRestore());
    await expect(attach('x', { client })).rejects.toMatchObject({ code: 'terminal_not_found' });
    expect(close).not.toHaveBeenCalled();
    await expect(attach('x', { socketPath, autoStart: false })).rejects.toMatchObject({ code: 'terminal_not_found' });
    expect(close).toHaveBeenCalledOnce();
  });

  test('of an existing terminal is its own, too', async () => {
    const { socketPath, requests } = await recordedDaemon({ status: () => ({ id: 't9', pid: 99, cols: 3 }) });
    const terminal = await attach('@', { socketPath, autoStart: false });
    expect([terminal.id, terminal.pid, requests]).toEqual(['t9', 99, [{ cmd: 'status', id: '@' }]]);
    await terminal.close();
    expect(terminal.client.isClosed).toBe(true);
  });
});
