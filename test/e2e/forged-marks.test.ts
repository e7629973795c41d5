/** Marks of shells that a command prints: of other shells, invented, or this terminal's own output once more. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

const NO_HOME = '/dev/null/home';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: NO_HOME, XDG_CONFIG_HOME: NO_HOME } });
});
afterAll(() => daemon.stop());

const run = (id: string, command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });

async function shellAtPrompt(shell: string): Promise<string> {
  const wait = { until: { done: true }, timeout_ms: 20_000 };
  const created = await request(daemon, { cmd: 'create', cmd_args: [shell], wait });
  expect(created).toMatchObject({ wait: { outcome: 'matched', nothing_ran: true } });
  return String(created['id']);
}

/** A file in a directory of its own. */
function fileOf(content: string | Buffer): string {
  const file = path.join(tempDir().path, 'printed');
  writeFileSync(file, content);
  return file;
}

const MARKS: Readonly<Record<string, string>> = {
  'of OSC 133': '\x1b]133;C\x07building\n\x1b]133;D;0\x07\x1b]133;A\x07\x1b]133;B\x07',
  'of VS Code': '\x1b]633;C\x07building\n\x1b]633;D;0\x07\x1b]633;A\x07\x1b]633;B\x07',
  'of a prompt hook': 'building\n\x1b]7777;done;0\x07',
  'that announce another shell': '\x1b]7777;shell;zsh\x07building\n\x1b]7777;shell;zsh;off=no reason\x07',
  'with an invented proof': 'building\n\x1b]133;D;0;aid=1;proof=1.2\x07\x1b]133;A;aid=1;proof=1.2\x07',
};

const SHELLS = ['bash', 'zsh', 'fish'];

describe.each(SHELLS)('in %s a command ends with its own status and lines after', (shell) => {
  itNeeds(shell)('marks that it prints', async () => {
    const id = await shellAtPrompt(shell);
    for (const [name, marks] of Object.entries(MARKS)) {
      const file = fileOf(`before\n${marks}after\n`);
      const ran = await run(id, `cat ${file}; sh -c "exit 3"`);
      expect([name, ran]).toMatchObject([
        name,
        { outcome: 'done', exit_code: 3, lines: ['before', 'building', 'after'] },
      ]);
    }
    expect(await run(id, 'echo next')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['next'] });
  });
});

describe.each([...SHELLS, 'dash', 'mksh'])('in %s a command ends with its own status after', (shell) => {
  itNeeds(shell)("its terminal's own output, printed once more", async () => {
    const id = await shellAtPrompt(shell);
    await run(id, 'echo one');
    await run(id, 'echo two');
    const { data } = await request(daemon, { cmd: 'output', id });
    const file = fileOf(Buffer.concat([Buffer.from(String(data), 'base64'), Buffer.from('\r\nafter\n')]));
    const ran = await run(id, `cat ${file}; sh -c "exit 3"`);
    expect(ran).toMatchObject({ outcome: 'done', exit_code: 3, n: 3 });
    expect((ran['lines'] as string[]).at(-1)).toBe('after');
    expect(await run(id, 'echo next')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['next'], n: 4 });
  });
});

describe.each(['dash', 'mksh'])('in %s, which marks no starts,', (shell) => {
  itNeeds(shell)('a printed start may be taken for the start, and a printed end ends the command', async () => {
    const id = await shellAtPrompt(shell);
    const started = await run(id, `cat ${fileOf('before\n\x1b]633;C\x07after\n')}; sh -c "exit 3"`);
    expect(started).toMatchObject({ outcome: 'done', exit_code: 3 });
    expect([['before', 'after'], ['after']]).toContainEqual(started['lines']);
    const ended = await run(id, `cat ${fileOf('before\n\x1b]7777;done;0\x07')}; read x; sh -c "exit 3"`);
    expect(ended).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['before'] });
    await request(daemon, { cmd: 'kill', id });
  });
});

describe('in bash', () => {
  itNeeds('bash')('after set -v the line of the hook is among the lines of the command', async () => {
    const id = await shellAtPrompt('bash');
    await run(id, 'set -v');
    const ran = await run(id, 'sh -c "echo one; exit 3"');
    expect(ran).toMatchObject({ outcome: 'done', exit_code: 3, lines: ['one', expect.stringContaining('__t4a_hook')] });
  });

  itNeeds('bash')('set -x shows nothing of the marks', async () => {
    const id = await shellAtPrompt('bash');
    await run(id, 'set -x');
    expect(await run(id, 'printf one')).toMatchObject({ lines: ['+ printf one', 'one'] });
  });

  itNeeds('bash')('a line that the history does not keep is reported as itself or not at all', async () => {
    const home = path.dirname(fileOf('HISTCONTROL=ignoreboth:erasedups\n'));
    writeFileSync(path.join(home, '.bashrc'), 'HISTCONTROL=ignoreboth:erasedups\n');
    const wait = { until: { done: true }, timeout_ms: 20_000 };
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['bash'], env: { HOME: home }, wait });
    for (const command of ['echo a', 'echo b', 'echo a', ' true']) await run(String(id), command);
    const { commands } = await request(daemon, { cmd: 'commands', id, last: 1 });
    expect([null, ' true', 'true']).toContain((commands as { command: string | null }[])[0]?.command);
  });
});
