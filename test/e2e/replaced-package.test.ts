/** The package is removed under a running daemon, as by an update: files that the daemon has not loaded are missing. */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/consumer.js';
import { startOwnDaemon } from '../support/own-daemon.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { rawRequest } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { inTrial } from '../support/trial.js';

interface Installed {
  readonly ask: (fields: object) => Promise<Record<string, unknown>>;
  readonly remove: () => void;
  readonly install: () => void;
}

/** A daemon of a package of its own, with all that it brings. */
async function installedDaemon(): Promise<Installed> {
  const { socketPath, path: home } = tempDir();
  const root = tempDir().join('t4a');
  const install = (): void => {
    for (const name of ['dist', 'fonts', 'shell', 'package.json'])
      cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'));
  };
  install();
  const env = { PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  await startOwnDaemon(path.join(root, 'dist/daemon.cjs'), socketPath, { cwd: home, env });
  return {
    ask: async (fields) => (await rawRequest(socketPath, fields)).header,
    remove: () => rmSync(root, { recursive: true }),
    install,
  };
}

const NOT_WHOLE = {
  error: expect.stringContaining('The package that this daemon was started from is incomplete') as string,
  hint: expect.stringContaining('t4a replace') as string,
};

test('before the first terminal, terminals are refused with a hint until the package is restored', async () => {
  const { ask, remove, install } = await installedDaemon();
  remove();
  const refused = await ask({ cmd: 'create', cmd_args: ['cat'] });
  expect(refused).toMatchObject({ ok: false, code: 'spawn_failed', ...NOT_WHOLE });
  expect(refused['error']).not.toContain('\n');
  expect(await ask({ cmd: 'run', cmd_args: ['true'] })).toMatchObject({ code: 'spawn_failed' });
  expect(await ask({ cmd: 'schema' })).toMatchObject({ ok: true });
  expect(await ask({ cmd: 'stats' })).toMatchObject({ ok: true, terminals: { total: 0 } });
  install();
  expect(await ask({ cmd: 'run', cmd_args: ['true'] })).toMatchObject({ outcome: 'exited', exit_code: 0 });
});

itNeeds('bash', 'ps')(
  'after the first terminal, terminals, recordings, rules, triggers and SVG work, PNG is refused, and shells start without integration',
  async () => {
    const { ask, remove, install } = await installedDaemon();
    await ask({ cmd: 'create', name: 'first', cmd_args: ['cat'] });
    remove();
    expect(await ask({ cmd: 'run', cmd_args: ['echo', 'hi'] })).toMatchObject({ outcome: 'exited', lines: ['hi'] });
    expect(await ask({ cmd: 'grep', id: 'first', pattern: 'x' })).toMatchObject({ ok: true });
    expect(await ask({ cmd: 'record', id: 'first' })).toMatchObject({ ok: true, live: true });
    expect(await ask({ cmd: 'rules', action: 'set', terminal: 'first', profile: 'generic' })).toMatchObject({
      ok: true,
    });
    const when = { entry: { kind: 'diagnostic' } };
    expect(await ask({ cmd: 'trigger', id: 'first', when, do: [{ notify: 'x' }] })).toMatchObject({ ok: true });
    expect(await ask({ cmd: 'screenshot', id: 'first', inline: true, format: 'svg' })).toMatchObject({ ok: true });
    expect(await ask({ cmd: 'screenshot', id: 'first', inline: true })).toMatchObject({
      code: 'render_failed',
      ...NOT_WHOLE,
    });
    const { pid } = await ask({ cmd: 'create', name: 'shell', cmd_args: ['bash'] });
    await ask({ cmd: 'send', id: 'shell', input: 'echo prom""pted\r' });
    expect(await ask({ cmd: 'wait', id: 'shell', until: { text: 'prompted' } })).toMatchObject({ outcome: 'matched' });
    expect(spawnSync(requireProgram('ps'), ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout).toMatch(
      /bash\s*$/,
    );
    // The way out that the errors name.
    install();
    expect(await ask({ cmd: 'replace' })).toMatchObject({ ok: true });
    expect(await ask({ cmd: 'screenshot', id: 'first', inline: true })).toMatchObject({ ok: true });
  },
);

inTrial(() => {
  test('after the first picture, further pictures are drawn', async () => {
    const { ask, remove } = await installedDaemon();
    await ask({ cmd: 'create', name: 'first', cmd_args: ['cat'] });
    const drawn = await ask({ cmd: 'screenshot', id: 'first', inline: true });
    remove();
    expect(await ask({ cmd: 'screenshot', id: 'first', inline: true })).toEqual(drawn);
    expect(await ask({ cmd: 'screenshot', id: 'first', inline: true, scale: 200 })).toMatchObject({ ok: true });
  });
});
