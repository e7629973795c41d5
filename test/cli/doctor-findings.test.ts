/** Findings of the doctor about the machine and the configuration. */
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { VERSION } from '../../src/base/version.js';
import { examineConfiguration } from '../../src/cli/doctor/configuration.js';
import type { Finding } from '../../src/cli/doctor/finding.js';
import { examineMachine } from '../../src/cli/doctor/machine.js';
import type { ConfigFile } from '../../src/protocol/config-file.js';
import { host } from '../support/host.js';
import { tempDir } from '../support/temp-dir.js';
import { giveToStranger, itAsRoot, STRANGER } from '../support/users.js';

const stateOf = (findings: readonly Finding[], check: string): string | undefined =>
  findings.find((finding) => finding.check === check)?.state;

function finding(findings: readonly Finding[], check: string): Finding {
  const found = findings.find((each) => each.check === check);
  if (found === undefined) throw new Error(`nothing was found of ${check}`);
  return found;
}

describe('the findings about the machine', () => {
  const examined = (socketPath: string, env: Record<string, string> = {}): Finding[] => examineMachine(socketPath, env);

  test('include the versions', () => {
    const { state, says } = finding(examined(tempDir().socketPath), 'versions');
    expect(state).toBe('ok');
    expect(says).toContain(`t4a ${VERSION}, protocol `);
    expect(says).toContain(`Node ${process.version}`);
  });

  test('include the pseudoterminals, with their number if the system counts them', () => {
    const { state, says } = finding(examined(tempDir().socketPath), 'pseudoterminals');
    const [, used, most] = /^(\d+) of (\d+) are in use$/.exec(says) ?? [];
    if (used === undefined) expect(says).toMatch(/^\/dev\/ptmx can(not)? be opened$/);
    else expect(state).toBe(Number(most) - Number(used) < 50 ? 'warning' : 'ok');
  });

  test.each([
    ['TERMINFO', 'x', '.'],
    ['TERMINFO', '78', '.'],
    ['HOME', 'x', '.terminfo'],
    ['HOME', '78', '.terminfo'],
  ])('include the terminal description that $%s leads to, in the directory %s', (name, letter, below) => {
    const { path, join, socketPath } = tempDir();
    mkdirSync(join(below, letter), { recursive: true });
    writeFileSync(join(below, letter, 'xterm-256color'), '');
    const { state, says } = finding(examined(socketPath, { [name]: path }), 'terminfo');
    expect([state, says]).toEqual(['ok', `xterm-256color is in ${below === '.' ? path : join(below)}`]);
  });

  test.each([
    [0o700, 'ok'],
    [0o755, 'ok'],
    [0o777, 'failure'],
    [0o720, 'failure'],
    [0o1777, 'ok'],
  ])('rate a directory of mode %o as %s', (mode, state) => {
    const { join } = tempDir();
    mkdirSync(join('d'));
    chmodSync(join('d'), mode);
    const found = finding(examined(join('d', 's')), 'directory');
    expect(found.state).toBe(state);
    expect(found.says).toBe(`${join('d')} belongs to uid ${process.getuid?.()}, mode ${mode.toString(8)}`);
    if (state === 'failure') expect(found.advice).toContain(`chmod +t ${join('d')}`);
  });

  test('rate a missing directory as a failure', () => {
    const { join } = tempDir();
    expect(finding(examined(join('no', 's')), 'directory')).toMatchObject({
      state: 'failure',
      says: `${join('no', 's')} cannot be used: its directory does not exist`,
    });
  });

  test('rate a directory of root as ok for root, and as a failure for other users', () => {
    const ofRoot = statSync('/').uid === 0 && (statSync('/').mode & 0o022) === 0;
    if (ofRoot) expect(stateOf(examined('/s'), 'directory')).toBe(process.getuid?.() === 0 ? 'ok' : 'failure');
  });

  itAsRoot()('rate a directory or socket of another user as a failure', async () => {
    const { join, socketPath } = tempDir();
    mkdirSync(join('d'), { mode: 0o755 });
    giveToStranger(join('d'));
    expect(finding(examined(join('d', 's')), 'directory')).toMatchObject({
      state: 'failure',
      advice: 'Set T4A_SOCKET to a path in a directory of your own.',
    });
    const server = createServer().listen(socketPath);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    giveToStranger(socketPath);
    expect(finding(examined(socketPath), 'socket')).toMatchObject({
      state: 'failure',
      advice: 'Set T4A_SOCKET to a path of your own.',
    });
  });

  itAsRoot()('rate a sticky directory of another user as ok', () => {
    const { join } = tempDir();
    mkdirSync(join('d'));
    chmodSync(join('d'), 0o1777);
    giveToStranger(join('d'));
    expect(finding(examined(join('d', 's')), 'directory')).toEqual({
      check: 'directory',
      state: 'ok',
      says: `${join('d')} belongs to uid ${STRANGER}, mode 1777`,
    });
  });

  test('omit directory and socket if the socket has no path', () => {
    const checks = examineMachine(undefined, {}).map(({ check }) => check);
    expect(checks).not.toContain('directory');
    expect(checks).not.toContain('socket');
  });

  test('rate a symbolic link in place of the socket as a failure', () => {
    const { join } = tempDir();
    symlinkSync('/nonexistent', join('link'));
    expect(finding(examined(join('link')), 'socket')).toMatchObject({
      state: 'failure',
      says: `${join('link')} is a symbolic link, which is not followed`,
    });
  });

  test('rate a socket as ok only if its owner alone may use it', async () => {
    const { socketPath, join } = tempDir();
    expect(finding(examined(socketPath), 'socket')).toMatchObject({
      state: 'ok',
      says: `${socketPath} is not there: no daemon has started`,
    });
    const server = createServer().listen(socketPath);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    chmodSync(socketPath, 0o600);
    expect(finding(examined(socketPath), 'socket')).toMatchObject({
      state: 'ok',
      says: `${socketPath} belongs to uid ${process.getuid?.()}, mode 600`,
    });
    for (const mode of [0o660, 0o606]) {
      chmodSync(socketPath, mode);
      expect(finding(examined(socketPath), 'socket')).toMatchObject({
        state: 'failure',
        advice: `Others may use it: chmod 600 ${socketPath}`,
      });
    }
    writeFileSync(join('file'), '');
    expect(finding(examined(join('file')), 'socket')).toMatchObject({
      state: 'failure',
      says: `${join('file')} is no socket`,
    });
  });
});

describe('the finding about the configuration', () => {
  const file = (fields: ConfigFile['fields']): ConfigFile => ({
    path: '/c.json',
    text: JSON.stringify(fields),
    fields,
  });

  test('counts the settings that are set, and returns their socket and colours', () => {
    const none = examineConfiguration(undefined, undefined, host());
    expect(none.finding).toEqual({
      check: 'configuration',
      state: 'ok',
      says: 'no file; 0 of 10 settings of the command line are set',
    });
    expect(none.socketPath).toBeUndefined();
    const where = host({ env: { T4A_SOCKET: '/s' }, configFile: () => file({ cols: 90, color: 'always' }) });
    const some = examineConfiguration(undefined, undefined, where);
    expect(some.finding.says).toBe('/c.json can be read; 3 of 10 settings of the command line are set');
    expect(some.socketPath).toBe('/s');
    expect(some.paint('green', 'x')).toBe('\x1b[32mx\x1b[m');
    expect(examineConfiguration('/flag', 'never', where).socketPath).toBe('/flag');
    expect(examineConfiguration('/flag', 'never', where).paint('green', 'x')).toBe('x');
  });

  test('is a failure for an invalid file, with the socket of the flag and no colours', () => {
    const where = host({ configFile: () => file({ cols: 'wide' }) });
    const { finding: found, socketPath, paint } = examineConfiguration('/flag', 'always', where);
    expect(found).toMatchObject({ check: 'configuration', state: 'failure', advice: 'Mend it: t4a config --help' });
    expect(found.says).toContain('"cols" is "wide"');
    expect([socketPath, paint('green', 'x')]).toEqual(['/flag', 'x']);
    expect(examineConfiguration(undefined, 'always', where).socketPath).toBeUndefined();
    const mistyped = host({ configFile: () => file({ colms: 9 }) });
    expect(examineConfiguration('/flag', 'always', mistyped).finding.advice).toBe('Did you mean "cols"?');
  });

  test('does not cover a defect, which is thrown', () => {
    const where = host({
      configFile: () => {
        throw new RangeError('a defect');
      },
    });
    expect(() => examineConfiguration(undefined, undefined, where)).toThrow(RangeError);
  });
});
