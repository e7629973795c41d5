import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { spawnTerminal } from '../../src/daemon/spawn.js';
import { shellWarning } from '../../src/daemon/handlers/list.js';
import type { SpawnParams } from '../../src/features/core.js';
import { identityOf } from '../../src/terminal/identity.js';
import { spawnDefaults } from '../../src/protocol/spawn-shape.js';
import { defaultPicture } from '../../src/protocol/picture.js';

import { SILENT, untilShown } from '../support/own-terminal.js';
import { FakeClock } from '../../src/base/clock.js';
import { openRig } from '../support/rig.js';
import { tempDir } from '../support/temp-dir.js';

function asked(fields: Partial<SpawnParams> = {}): SpawnParams {
  return { ...spawnDefaults(), cmd_args: ['/bin/sh', '-c', SILENT], ...fields };
}

const running = (script: string): Pick<SpawnParams, 'cmd_args'> => ({ cmd_args: ['/bin/sh', '-c', script] });
const withCode = (code: string): Error => expect.objectContaining({ code }) as Error;

describe('a new terminal', () => {
  test('joins the others as the one used last, with a name of its own', () => {
    const daemon = openRig({ clock: new FakeClock() }).daemon;
    const first = spawnTerminal(daemon, asked());
    const named = spawnTerminal(daemon, asked({ name: 'mine', title: 'Mine' }));
    expect([first.id, first.title]).toEqual(['t1', '']);
    expect([named.id, named.title]).toEqual(['mine', 'Mine']);
    expect(daemon.core.terminals.all()).toEqual([first, named]);
    expect(daemon.core.terminals.use('@', {})).toBe(named);
    expect(first.command).toEqual(['/bin/sh', '-c', SILENT]);
  });

  test('has the labels that were given, and the terminal that it was started from', () => {
    const daemon = openRig({ clock: new FakeClock() }).daemon;
    const first = spawnTerminal(daemon, asked());
    const second = spawnTerminal(daemon, asked({ labels: { role: 'tests' }, parent: first.id }));
    expect(identityOf(second)).toMatchObject({ labels: { role: 'tests' }, parent: first.id });
  });

  test('has the requested size, directory and variables', async () => {
    const daemon = openRig({ clock: new FakeClock(), env: { PATH: '/bin:/usr/bin', OURS: 'x' } }).daemon;
    const script = 'stty -echo; stty size; echo "$PWD $OURS $GIVEN $TERM"; pwd; exec sleep 1000';
    const fields = { cols: 33, rows: 7, cwd: '/usr', env: { GIVEN: 'y' }, term: 'dumb', ...running(script) };
    const terminal = spawnTerminal(daemon, asked(fields));
    await untilShown(terminal, '7 33');
    await untilShown(terminal, '/usr x y dumb');
    expect(terminal.cwd).toBe('/usr');
    expect([terminal.screen.cols, terminal.screen.rows]).toEqual([33, 7]);
    const bare = spawnTerminal(daemon, asked({ inherit_env: false, ...running('echo "<$OURS>"; exec sleep 1000') }));
    await untilShown(bare, '<>');
    expect(bare.cwd).toBe('/');
  });

  test('runs the shell of the environment by default', () => {
    const daemon = openRig({ clock: new FakeClock(), env: { PATH: '/bin', SHELL: '/bin/sh' } }).daemon;
    expect(spawnTerminal(daemon, { ...spawnDefaults() }).command).toEqual(['/bin/sh']);
  });

  test('keeps the requested number of lines, else the configured one, up to the limit', () => {
    const daemon = openRig({ clock: new FakeClock() }).daemon;
    expect(spawnTerminal(daemon, asked()).screen.scrollbackLimit).toBe(10_000);
    daemon.settings.change({ scrollback: 300, max_scrollback: 200 });
    expect(spawnTerminal(daemon, asked()).screen.scrollbackLimit).toBe(200);
    expect(spawnTerminal(daemon, asked({ scrollback: 7 })).screen.scrollbackLimit).toBe(7);
    expect(spawnTerminal(daemon, asked({ scrollback: 200 })).screen.scrollbackLimit).toBe(200);
    expect(() => spawnTerminal(daemon, asked({ scrollback: 201 }))).toThrow(withCode('over_limit'));
  });

  test('has its next picture drawn after an event worth a picture', async () => {
    const daemon = openRig({ clock: new FakeClock() }).daemon;
    const terminal = spawnTerminal(daemon, asked(running('stty -echo; read line; printf "\\007"; read line')));
    daemon.core.looks.prefetch.asked(terminal, { ...defaultPicture(), scale: 50 });
    const send = () => terminal.input.take(1, (writer) => writer.write(Buffer.from('\n')));
    const rung = new Promise<void>((resolve) => {
      terminal.detectors.onEvent(({ event }) => void (event === 'bell' && resolve()));
    });
    await send();
    await rung;
    expect(daemon.core.looks.prefetch.drawn(terminal)).toBeUndefined();
    await send();
    await terminal.exited();
    const drawn = daemon.core.looks.prefetch.drawn(terminal);
    expect(drawn).toBeDefined();
    await drawn;
  });
});

describe('a shell', () => {
  /** It shows its arguments. */
  function named(shell: string) {
    const dir = tempDir();
    const file = dir.join(shell);
    writeFileSync(file, '#!/bin/sh\nstty -echo\nfor each; do echo "<$each>"; done\necho done\nexec sleep 1000\n', {
      mode: 0o755,
    });
    mkdirSync(dir.join('shell'));
    return { file, shellDir: dir.join('shell'), wide: { cols: 200, cmd_args: [file] } };
  }

  test('is made to report its prompts and commands', async () => {
    const { shellDir, wide } = named('bash');
    const terminal = spawnTerminal(openRig({ clock: new FakeClock(), shellDir }).daemon, asked(wide));
    expect(terminal.hasIntegratedShell).toBe(true);
    await untilShown(terminal, `<${shellDir}/bash/t4a.bash>`);
    expect(terminal.command).toEqual(wide.cmd_args);
  });

  test('is started unchanged on request, without the scripts, and if it is another shell', async () => {
    const bash = named('bash');
    const daemon = openRig({ clock: new FakeClock(), shellDir: bash.shellDir }).daemon;
    const plain = spawnTerminal(daemon, asked({ ...bash.wide, shell_integration: false }));
    const other = spawnTerminal(daemon, asked(named('yash').wide));
    const without = spawnTerminal(openRig({ clock: new FakeClock() }).daemon, asked(bash.wide));
    expect(shellWarning(without).warning).toContain('The folder shell/');
    for (const terminal of [plain, other]) expect(shellWarning(terminal)).toEqual({});
    for (const terminal of [plain, other, without]) {
      expect(terminal.hasIntegratedShell).toBe(false);
      await untilShown(terminal, 'done');
      expect(terminal.screen.lineText(0)).toBe('done');
    }
  });
});

describe('a terminal is refused', () => {
  test('at the limit of terminals', () => {
    const daemon = openRig({ clock: new FakeClock() }).daemon;
    daemon.settings.change({ max_terminals: 2 });
    spawnTerminal(daemon, asked());
    spawnTerminal(daemon, asked());
    expect(() => spawnTerminal(daemon, asked())).toThrow('There are 2 terminals, which is the limit.');
  });

  test('if memory is short', () => {
    const daemon = openRig({ clock: new FakeClock() }).daemon;
    daemon.settings.change({ max_memory_bytes: 1_000_000 });
    expect(() => spawnTerminal(daemon, asked())).toThrow(/^The daemon uses \d+ MB, close to its limit of 1 MB\.$/);
    expect(daemon.core.terminals.size).toBe(0);
  });

  test('if its program does not exist, or the system cannot create it', () => {
    const daemon = openRig({ clock: new FakeClock() }).daemon;
    expect(() => spawnTerminal(daemon, asked({ cmd_args: ['/no/such/program'] }))).toThrow(
      withCode('program_not_found'),
    );
    expect(() => spawnTerminal(daemon, asked({ cwd: '/no/such/directory' }))).toThrow(withCode('cwd_not_found'));
    expect(() => spawnTerminal(daemon, asked({ cols: 1 }))).toThrow(
      expect.objectContaining({
        code: 'spawn_failed',
        message: expect.stringMatching(/^The system refused to start the program: ./) as string,
      }) as Error,
    );
    expect(daemon.core.terminals.size).toBe(0);
  });
});
