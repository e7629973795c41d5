/** A daemon that is not at the path that everybody expects. */
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

test('is told with the reason, the expected one is not', () => {
  expect(whyElsewhere(DEFAULT_SOCKET_PATH)).toBeUndefined();
  expect(whyElsewhere('/elsewhere/s')).toMatch(/^The daemon is on "\/elsewhere\/s": .*\w.*\.$/);
});

test('is told once, by the command that has started it, made harmless', () => {
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
  test('looks for it where it is named, and says why it is not at the expected path', async () => {
    const { socketPath } = tempDir();
    vi.stubEnv('T4A_SOCKET', socketPath);
    expect(await examinePlace()).toEqual({
      socketPath,
      findings: [{ check: 'place', state: 'ok', says: expect.stringContaining(`The daemon is on "${socketPath}": `) }],
    });
  });

  test('has a place that cannot be as a failure, with the next step', async () => {
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

test('a daemon in the foreground listens where the environment says, without being told', async () => {
  vi.stubEnv('T4A_SOCKET', tempDir().socketPath);
  const started: unknown[] = [];
  const daemon = (args: readonly string[]): Promise<number> => Promise.resolve(started.push(args));
  expect(await run(['daemon', '5'], {}, { daemon })).toEqual({ status: 1, printed: '', noted: '' });
  expect(started).toEqual([['5']]);
});
