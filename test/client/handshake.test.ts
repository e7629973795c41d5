/** What a client makes of a daemon of another version. */
import { runCli } from '../support/cli.js';
import { fakeDaemon, replyLine } from '../support/fake-daemon.js';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/base/version.js';
import { checkedPong, isReplaceable, versionMismatch, withVersions, type Pong } from '../../src/client/handshake.js';
import { T4aError } from '../../src/protocol/errors.js';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';

const PONG: Pong = {
  version: '0.0.1',
  protocol: PROTOCOL_VERSION,
  pid: 7,
  socket: '/s',
  uptime_ms: 1,
  terminals: 3,
};

test('a reply with a protocol and a pid identifies t4a', () => {
  expect(checkedPong(PONG, '/s')).toBe(PONG);
});

test.each([
  ['no protocol', { ok: true, pid: 7 }],
  ['no pid', { protocol: 1 }],
  ['a protocol that is no number', { protocol: '1', pid: 7 }],
  ['a pid that is no whole number', { protocol: 1, pid: 7.5 }],
])('a reply with %s does not identify t4a', (_, answer) => {
  expect(() => checkedPong(answer as unknown as Pong, '/s')).toThrow(
    expect.objectContaining({
      code: 'daemon_unreachable',
      message: `No daemon could be reached on "/s": the answer is not from t4a (${JSON.stringify(answer)}).`,
    }),
  );
});

test.each([
  { protocol: PROTOCOL_VERSION - 1, terminals: 0, replaceable: true },
  { protocol: PROTOCOL_VERSION - 1, terminals: 1, replaceable: false },
  { protocol: PROTOCOL_VERSION, terminals: 0, replaceable: false },
  { protocol: PROTOCOL_VERSION + 1, terminals: 0, replaceable: false },
])('a daemon of protocol $protocol with $terminals terminals: replaceable $replaceable', ({ replaceable, ...told }) => {
  expect(isReplaceable({ ...PONG, ...told })).toBe(replaceable);
});

test('the older of two versions is the one to be replaced', () => {
  const older = versionMismatch({ ...PONG, protocol: PROTOCOL_VERSION - 1 });
  expect(older.code).toBe('version_mismatch');
  expect(older.details.hint).toContain('"t4a shutdown" ends it and its terminals (3)');
  const able = versionMismatch({ ...PONG, protocol: PROTOCOL_VERSION - 1, features: ['replace'] });
  expect(able.details.hint).toContain('"t4a replace" puts this one in its place, and its terminals (3) go on');
  expect(able.details.hint).not.toContain('shutdown');
  expect(versionMismatch({ ...PONG, protocol: PROTOCOL_VERSION + 1 }).details.hint).toContain('newer t4a');
});

describe('an error of a daemon of another version', () => {
  const unknownField = new T4aError('unknown_field', 'No "x".', { field: 'x', closest: 'y', hint: 'Did you mean y?' });

  test.each(['unknown_cmd', 'unknown_field'] as const)('with the code %s names both versions', (code) => {
    const error = withVersions(new T4aError(code, 'None.'), PONG) as T4aError;
    expect(error).toBeInstanceOf(T4aError);
    expect(error).toMatchObject({ code, message: 'None.' });
    expect(error.details.hint).toMatch(/^The daemon is t4a 0\.0\.1, this is /);
    expect(error.details.hint).toContain(VERSION);
  });

  test("keeps the daemon's sentence", () => {
    const { details } = withVersions(unknownField, PONG) as T4aError;
    expect(details).toMatchObject({ field: 'x', closest: 'y' });
    expect(details.hint).toMatch(/^Did you mean y\? The daemon is t4a 0\.0\.1/);
  });

  test('is unchanged if the versions are equal, or explain nothing', () => {
    const refused = new T4aError('invalid_field', 'Too large.');
    const foreign = Object.assign(new Error('None.'), { code: 'unknown_cmd' });
    expect(withVersions(unknownField, { ...PONG, version: VERSION })).toBe(unknownField);
    expect(withVersions(refused, PONG)).toBe(refused);
    expect(withVersions(foreign, PONG)).toBe(foreign);
    expect(withVersions('unknown_cmd', PONG)).toBe('unknown_cmd');
  });
});

test('"t4a replace" is asked of a daemon of an older protocol, too', async () => {
  const older = { version: '0.0.0-fake', protocol: PROTOCOL_VERSION - 1, pid: process.pid, uptime_ms: 1, terminals: 3 };
  const { socketPath, answers } = await fakeDaemon((socket, req) => void socket.write(replyLine(req, older)));
  const side = { version: '0', pid: 1 };
  answers.push(
    (socket, req) =>
      void socket.write(replyLine(req, { from: side, to: side, terminals: 3, pause_ms: 1, state_bytes: 1 })),
  );
  expect(await runCli(['replace', '--check'], { socketPath })).toMatchObject({ status: 0 });
  expect((await runCli(['list'], { socketPath })).stderr).toContain('version');
});
