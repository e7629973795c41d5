/** Lines that shells keep, edit or ask about, and keys that went to a program in front: the next line is the prompt's own. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const DONE = { until: { done: true }, timeout_ms: 20_000 };

type Ask = (cmd: string, fields?: object) => Promise<Record<string, unknown>>;

/** A shell at its prompt, in a folder of its own. */
async function shellAt(shell: string, rc = ''): Promise<Ask> {
  const home = tempDir().path;
  writeFileSync(`${home}/.zshrc`, `${rc}\n`);
  writeFileSync(`${home}/.bashrc`, `${rc}\n`);
  const env = { HOME: home, ZDOTDIR: home };
  const { id } = await request(daemon, { cmd: 'create', cmd_args: [shell], cwd: home, env, rows: 24, wait: DONE });
  return (cmd, fields = {}) => request(daemon, { cmd, id, ...fields });
}

const runs = (ask: Ask, command: string): ReturnType<Ask> => ask('run', { command, timeout_ms: 20_000 });

describe('a function that is named as a command of the shell changes no status', () => {
  for (const [shell, ...more] of [['bash'], ['zsh', 'builtin', 'local']] as const) {
    itNeeds(shell).each(['printf', 'command', 'echo', 'eval', 'print', ...more])(`of ${shell}: %s`, async (name) => {
      const ask = await shellAt(shell);
      expect(await runs(ask, `function ${name} { return 9; }`)).toMatchObject({ outcome: 'done' });
      expect(await runs(ask, '(exit 4)')).toMatchObject({ outcome: 'done', exit_code: 4, lines: [] });
      expect(await runs(ask, 'true')).toMatchObject({ outcome: 'done', exit_code: 0, lines: [] });
      expect(await runs(ask, 'pwd >/dev/null; false')).toMatchObject({ outcome: 'done', exit_code: 1 });
    });
  }
});

itNeeds('bash')('functions that the hook of bash calls take the status', async () => {
  for (const name of ['builtin', 'local']) {
    const ask = await shellAt('bash');
    await runs(ask, `function ${name} { return 9; }`);
    // No status is better than a wrong one.
    expect(await runs(ask, '(exit 4)')).toMatchObject({ outcome: 'done', exit_code: null });
  }
});

describe('a line that zsh keeps for later', () => {
  itNeeds('zsh')('does not become part of the next one', async () => {
    const ask = await shellAt('zsh');
    await runs(ask, 'touch hv');
    await ask('type', { text: 'echo pushed >>hv' });
    // push-line
    await ask('press', { keys: ['Escape', 'q'] });
    expect(await runs(ask, 'echo one >>hv')).toMatchObject({ ok: false, code: 'shell_busy' });
    await ask('press', { keys: ['Ctrl+C'], wait: DONE });
    // It is on the line of the prompt that follows.
    for (const word of ['two', 'three'])
      expect(await runs(ask, `echo ${word} >>hv`)).toMatchObject({ outcome: 'done', exit_code: 0 });
    expect(await runs(ask, 'cat hv')).toMatchObject({ lines: ['two', 'three'] });
  });

  itNeeds('zsh')('or edits as a value gets no command typed into it', async () => {
    const ask = await shellAt('zsh');
    await runs(ask, 'x=abc');
    await ask('type', { text: 'vared x', submit: true, wait: { until: { text: 'abc' } } });
    expect(await runs(ask, 'echo hi')).toMatchObject({ ok: false, code: 'shell_busy' });
    await ask('press', { keys: ['Enter'], wait: DONE });
    expect(await runs(ask, 'print -r -- $x')).toMatchObject({ outcome: 'done', lines: ['abc'] });
  });

  itNeeds('zsh')('or asks about is a question, and its answer is given', async () => {
    const ask = await shellAt('zsh', 'setopt correct; CORRECT_IGNORE=');
    const asked = await runs(ask, 'ehco hi');
    expect(asked).toMatchObject({ outcome: 'awaiting_input' });
    expect(((await ask('text'))['lines'] as string[]).join('\n')).toContain("correct 'ehco' to 'echo' [nyae]?");
    expect(await ask('press', { keys: ['y'], wait: DONE })).toMatchObject({ wait: { code: 0 } });
    expect(await runs(ask, 'echo next')).toMatchObject({ outcome: 'done', lines: ['next'] });
  });
});

describe('keys that a program in front took close no shell', () => {
  const IN_FRONT = [
    ['nano', 'nano f', 'GNU nano', ['Ctrl+X']],
    ['fzf', 'seq 1 30 | fzf', '30/30', ['Escape']],
    ['whiptail', 'whiptail --yesno sure 8 40', 'sure', ['Escape']],
  ] as const;
  for (const shell of ['bash', 'zsh'] as const) {
    for (const [program, line, shown, keys] of IN_FRONT) {
      itNeeds(shell, program)(`${keys.join(' ')} in ${program}, from ${shell}`, async () => {
        const ask = await shellAt(shell);
        const wait = { until: { text: shown } };
        expect(await ask('type', { text: line, submit: true, wait })).toMatchObject({ wait: { outcome: 'matched' } });
        expect(await ask('press', { keys: [...keys], wait: DONE })).toMatchObject({ wait: { outcome: 'matched' } });
        expect(await runs(ask, 'echo one')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['one'] });
      });
    }
  }
});
