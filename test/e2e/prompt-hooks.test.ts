/** Hooks of the user's that run between a command and the prompt: what they print, clear and ask is not the command's. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { keepFishFromManuals } from '../support/fish-manuals.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const run = (id: string, command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });

const RC_FILES: Readonly<Record<string, string>> = { bash: '.bashrc', zsh: '.zshrc', fish: '.config/fish/config.fish' };

async function shellWith(shell: string, rc: string): Promise<string> {
  const home = tempDir().path;
  const file = path.join(home, RC_FILES[shell] ?? '');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${rc}\n`);
  keepFishFromManuals(home);
  const env = { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config'), XDG_DATA_HOME: home, XDG_CACHE_HOME: home };
  const wait = { until: { done: true }, timeout_ms: 20_000 };
  const created = await request(daemon, { cmd: 'create', cmd_args: [shell], env, wait });
  expect(created).toMatchObject({ wait: { outcome: 'matched' } });
  return String(created['id']);
}

const PRINTING: readonly (readonly [string, string, string])[] = [
  ['bash', 'PROMPT_COMMAND', `PROMPT_COMMAND='echo "-- hook --"'`],
  ['bash', 'an array of them', `PROMPT_COMMAND=(true 'echo "-- hook --"')`],
  ['bash', 'an exported PROMPT_COMMAND', `export PROMPT_COMMAND='echo "-- hook --"'`],
  ['bash', 'PROMPT_COMMAND and a DEBUG trap', `trap ':' DEBUG; PROMPT_COMMAND='echo "-- hook --"'`],
  ['zsh', 'precmd', `precmd() { print -r -- '-- hook --' }`],
  ['zsh', 'precmd_functions', `mine() { print -r -- '-- hook --' }; precmd_functions=(mine)`],
  ['zsh', 'preexec', `preexec() { print -r -- '-- starts --' }`],
  ['zsh', 'preexec_functions', `mine() { print -r -- '-- starts --' }; preexec_functions+=(mine)`],
  ['fish', 'an event handler', `function hook --on-event fish_prompt; echo '-- hook --'; end`],
  [
    'fish',
    'handlers before and after a command',
    `function begins --on-event fish_preexec; echo '-- begins --'; end; function ends --on-event fish_postexec; echo "-- $status --"; end`,
  ],
];

describe('a command has its own lines alone', () => {
  for (const [shell, what, rc] of PRINTING) {
    itNeeds(shell)(`with ${what} of ${shell} that prints`, async () => {
      const id = await shellWith(shell, rc);
      expect(await run(id, 'echo one; sh -c "exit 3"')).toMatchObject({ exit_code: 3, lines: ['one'] });
      // It does not end its line: of zsh the mark of that is no output either.
      expect(await run(id, 'printf two')).toMatchObject({ exit_code: 0, lines: ['two'] });
      const text = await request(daemon, { cmd: 'text', id, command: -1 });
      expect(text['lines']).toEqual(['two']);
    });
  }

  itNeeds('zsh')('with a preexec hook of zsh that is added at the prompt, from the second command on', async () => {
    const id = await shellWith('zsh', '');
    await run(id, `mine() { print -r -- '-- starts --' }; preexec_functions+=(mine)`);
    expect(await run(id, 'echo one')).toMatchObject({ lines: ['one'] });
    expect(await run(id, '(exit 4)')).toMatchObject({ exit_code: 4, lines: [] });
  });

  itNeeds('fish')('with a handler of fish that is added at the prompt, from the second command on', async () => {
    const id = await shellWith('fish', '');
    await run(id, "function mine --on-event fish_preexec; echo '-- starts --'; end");
    expect(await run(id, 'echo one')).toMatchObject({ lines: ['one'] });
    expect(await run(id, 'sh -c "exit 4"')).toMatchObject({ exit_code: 4, lines: [] });
  });

  itNeeds('bash')('with a PROMPT_COMMAND that is set at the prompt, from the second command on', async () => {
    const id = await shellWith('bash', '');
    await run(id, `PROMPT_COMMAND='echo "-- hook --"'`);
    expect(await run(id, 'echo one')).toMatchObject({ lines: ['one'] });
    await run(id, `PROMPT_COMMAND='echo "-- other --"'`);
    expect(await run(id, 'echo two')).toMatchObject({ lines: ['two'] });
    await run(id, 'PROMPT_COMMAND=');
    expect(await run(id, '(exit 4)')).toMatchObject({ exit_code: 4, lines: [] });
  });

  for (const dropping of [
    'unset PROMPT_COMMAND',
    "PROMPT_COMMAND=(true 'true two')",
    "unset PROMPT_COMMAND; export PROMPT_COMMAND='true'",
    'set -u; unset PROMPT_COMMAND; readonly PROMPT_COMMAND',
  ]) {
    itNeeds('bash')(`without that of the script, after ${dropping}`, async () => {
      const id = await shellWith('bash', '');
      expect(await run(id, dropping)).toMatchObject({ outcome: 'done', exit_code: 0, lines: [] });
      expect(await run(id, '(exit 4)')).toMatchObject({ outcome: 'done', exit_code: 4, lines: [] });
      expect(await run(id, 'echo )')).toMatchObject({ outcome: 'not_run' });
      expect(await run(id, 'echo one')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['one'] });
    });
  }
});

describe('of a hook that clears the screen', () => {
  for (const [shell, rc] of [
    ['bash', `PROMPT_COMMAND='printf "\\e[2J\\e[H"'`],
    ['zsh', `precmd() { print -n '\\e[2J\\e[H' }`],
  ] as const) {
    itNeeds(shell)('the lines that it has erased are counted', async () => {
      const id = await shellWith(shell, rc);
      const ran = await run(id, 'echo one; echo two');
      expect(ran).toMatchObject({ outcome: 'done', exit_code: 0 });
      expect(Number(ran['lost_lines']) + (ran['lines'] as string[]).length).toBe(2);
      expect(await run(id, 'sh -c "exit 3"')).toMatchObject({ exit_code: 3, lines: [], lost_lines: 0 });
      if (shell !== 'zsh') return;
      const other = await shellWith(shell, `unsetopt prompt_sp; precmd() { print -- '-- hook --' }`);
      expect(await run(other, 'echo one')).toMatchObject({ exit_code: 0, lines: ['one', '-- hook --'] });
    });
  }
});

itNeeds('bash')('a PROMPT_COMMAND has the status and PIPESTATUS of the command', async () => {
  const id = await shellWith('bash', `PROMPT_COMMAND='echo "$? \${PIPESTATUS[*]}" >>"$HOME/seen"'`);
  for (const command of ['false | true', 'true | false', '(exit 4)', 'true']) await run(id, command);
  expect(await run(id, 'tail -n 4 ~/seen')).toMatchObject({ lines: ['0 1 0', '1 0 1', '4 4', '0 0'] });
});

itNeeds('bash')('a question of a PROMPT_COMMAND ends the run that came before it', async () => {
  const id = await shellWith('bash', 'ask() { [ -z "$go" ] || read -p "Name? " name; }; PROMPT_COMMAND=ask');
  const ran = await run(id, 'go=1');
  expect(ran).toMatchObject({ outcome: 'awaiting_input', awaiting_input: { kind: 'line' } });
});
