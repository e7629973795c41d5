/** A daemon whose socket is not at the default path. */
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { examinePlace } from '../../src/cli/doctor/place.js';
import { noteElsewhere, whyElsewhere } from '../../src/cli/elsewhere.js';
import type { Client } from '../../src/client/client.js';
import { DEFAULT_SOCKET_PATH } from '../../src/protocol/socket-path.js';
import { run } from '../support/command-line.js';
import { host } from '../support/host.js';
import { tempDir } from '../support/temp-dir.js';

afterEach(() => void vi.unstubAllEnvs());

const fake = (socketPath: string, hasStartedDaemon: boolean): Client =>
  ({ socketPath, hasStartedDaemon }) as unknown as Client;

test('a path other than the default one is explained, and the default one is not', () => {
  expect(whyElsewhere(DEFAULT_SOCKET_PATH)).toBeUndefined();
  expect(whyElsewhere('/elsewhere/s')).toMatch(/^The daemon is on "\/elsewhere\/s": .*\w.*\.$/);
});

test('only the command that started the daemon reports another path, with its controls escaped', () => {
  const told = (client: Client): string => {
    const where = host();
    expect(noteElsewhere(client, where)).toBe(client);
    return where.noted();
  };
  expect(told(fake('/else\u202ewhere/s', true))).toMatch(/^t4a: The daemon is on "\/else\\u202ewhere\/s": .*\n$/);
  expect(told(fake('/elsewhere/s', false))).toBe('');
  expect(told(fake(DEFAULT_SOCKET_PATH, true))).toBe('');
});

describe('the doctor', () => {
  test('reports a daemon at another path, with the reason', async () => {
    const { socketPath } = tempDir();
    vi.stubEnv('T4A_SOCKET', socketPath);
    expect(await examinePlace()).toEqual({
      socketPath,
      findings: [{ check: 'place', state: 'ok', says: expect.stringContaining(`The daemon is on "${socketPath}": `) }],
    });
  });

  test('rates an unusable path as a failure, with advice', async () => {
    const { join } = tempDir();
    writeFileSync(join('file'), '');
    vi.stubEnv('T4A_SOCKET', join('file'));
    const { socketPath, findings } = await examinePlace();
    expect(socketPath).toBeUndefined();
    expect(findings).toEqual([
      {
        check: 'place',
        state: 'failure',
        says: expect.stringContaining(join('file')),
        advice: expect.stringMatching(/\w/),
      },
    ]);
  });
});

test('a daemon in the foreground gets no --socket flag if the environment names its path', async () => {
  vi.stubEnv('T4A_SOCKET', tempDir().socketPath);
  const started: unknown[] = [];
  const daemon = (args: readonly string[]): Promise<number> => Promise.resolve(started.push(args));
  expect(await run(['daemon', '5'], {}, { daemon })).toEqual({ status: 1, printed: '', noted: '' });
  expect(started).toEqual([['5']]);
});
