/** Lines with a syntax error: the shell runs nothing, and a wait for `done` says so, with no status of the command before. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const DONE = { until: { done: true }, timeout_ms: 20_000 };

async function shell(program: string): Promise<string> {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: [program], wait: DONE });
  return String(id);
}

/** Codes with which the lines were done, one after the other; `none` where none ran. */
async function codesOf(id: string, lines: readonly string[]): Promise<unknown[]> {
  const codes: unknown[] = [];
  for (const line of lines) {
    const { wait } = await request(daemon, { cmd: 'send', id, input: `${line}\r`, wait: DONE });
    const { exit_code: code, command, nothing_ran: isNone } = wait as Readonly<Record<string, unknown>>;
    if (isNone === true) expect([code, command ?? null]).toEqual([null, null]);
    codes.push(isNone === true ? 'none' : code);
  }
  return codes;
}

async function commandsOf(id: string): Promise<string[]> {
  const { commands } = await request(daemon, { cmd: 'commands', id });
  return (commands as { command: string; code: number | null }[]).map(({ command, code }) => `${command} -> ${code}`);
}

describe('a line with a syntax error', () => {
  itNeeds('bash')('runs nothing in bash, and like comments and blank lines is recorded as no command', async () => {
    const id = await shell('bash');
    const codes = await codesOf(id, [
      'true',
      'echo )',
      '# comment',
      '',
      'sh -c "exit 2"',
      '# comment',
      'for )',
      'for )',
    ]);
    expect(codes).toEqual([0, 'none', 'none', 'none', 2, 'none', 'none', 'none']);
    expect(await commandsOf(id)).toEqual(['true -> 0', 'sh -c "exit 2" -> 2']);
  });

  itNeeds('bash')('runs nothing in bash if the history ignores it', async () => {
    const id = await shell('bash');
    expect(await codesOf(id, ['HISTCONTROL=ignorespace', ' echo )', 'true'])).toEqual([0, 'none', 0]);
    expect(await commandsOf(id)).toEqual(['HISTCONTROL=ignorespace -> 0', 'true -> 0']);
  });

  itNeeds('zsh')('runs nothing in zsh, and like blank lines is recorded as no command', async () => {
    const id = await shell('zsh');
    const codes = await codesOf(id, [
      'true',
      'echo )',
      '',
      'false',
      '',
      'setopt interactive_comments',
      'false',
      '# comment',
      'echo )',
    ]);
    expect(codes).toEqual([0, 'none', 'none', 1, 'none', 0, 1, 'none', 'none']);
    expect(await commandsOf(id)).toEqual(['true -> 0', 'false -> 1', 'setopt interactive_comments -> 0', 'false -> 1']);
  });

  itNeeds('zsh').each(['false', 'sh -c "exit 3"', 'true'])(
    'that is one of several is run by zsh with none of the others, and run says so, after: %s',
    async (before) => {
      const id = await shell('zsh');
      expect(await codesOf(id, [before])).not.toContain('none');
      const run = await request(daemon, { cmd: 'run', id, command: 'echo one\n)\necho two', timeout_ms: 20_000 });
      expect(run).toMatchObject({ outcome: 'not_run', exit_code: null, lines: ["zsh: parse error near `)'"] });
    },
  );

  itNeeds('fish')(
    'runs nothing in fish, and stays on the command line, where run is refused until Ctrl+C',
    async () => {
      const id = await shell('fish');
      expect(await codesOf(id, ['true', 'echo )'])).toEqual([0, 'none']);
      const run = await request(daemon, { cmd: 'run', id, command: 'echo after', timeout_ms: 20_000 });
      expect(run).toMatchObject({ ok: false, code: 'shell_busy' });
      await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'], wait: DONE });
      const again = await request(daemon, { cmd: 'run', id, command: 'echo after', timeout_ms: 20_000 });
      expect(again).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['after'] });
    },
  );

  itNeeds('fish')(
    'that is one of several has the lines of its refusal alone, and not the prompt below it',
    async () => {
      const id = await shell('fish');
      const refused = async (command: string): Promise<unknown> =>
        (await request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 }))['lines'];
      expect(await refused('echo a; (exit 3)')).toHaveLength(3);
      expect(await refused('true\n(exit 3)')).toHaveLength(3);
      expect(await refused('true\ntrue\n(exit 3)\ntrue')).toHaveLength(3);
      expect(await refused('echo "')).toEqual([]);
    },
  );

  describe.each(['bash', 'zsh', 'fish'])('in %s', (program) => {
    itNeeds(program).each(['false', 'sh -c "exit 3"', 'true'])(
      'has neither the status nor the name of the command before: %s',
      async (before) => {
        const id = await shell(program);
        const ask = (fields: object): Promise<Readonly<Record<string, unknown>>> => request(daemon, { id, ...fields });
        const drop = (): Promise<unknown> => ask({ cmd: 'press', keys: ['Ctrl+C'], wait: DONE });
        const { exit_code: code } = await ask({ cmd: 'run', command: before, timeout_ms: 20_000 });
        const line = { cmd: 'type', text: 'true )', submit: true };
        const { wait } = await ask({ ...line, wait: DONE });
        expect(wait).toMatchObject({ outcome: 'nothing_ran', nothing_ran: true, exit_code: null });
        expect(wait).not.toHaveProperty('command');
        if (program === 'fish') await drop();
        // Known only to have been refused: an earlier line may have run.
        await ask({ ...line, wait: { until: { text: ')' }, timeout_ms: 20_000 } });
        const later = await ask({ cmd: 'wait', ...DONE });
        expect(later).toMatchObject({ outcome: 'matched', exit_code: null, command: null });
        expect(later['warning']).toContain('refused the last line');
        if (program === 'fish') await drop();
        const two = await ask({ ...line, text: `${before}\ntrue )`, wait: DONE });
        expect(two['wait']).toMatchObject({ outcome: 'matched', exit_code: null, command: null });
        if (program === 'fish') await drop();
        const { commands } = await ask({ cmd: 'commands' });
        const ran = (commands as { readonly command: string; readonly code: number }[]).map((each) => [
          each.command,
          each.code,
        ]);
        expect(ran).toEqual([
          [before, code],
          [before, code],
        ]);
      },
    );
  });

  itNeeds('bash').each(['cat', 'read word', `sh -c 'read word'`])(
    'is none in bash that marks no starts (promptvars off) where the command asks: %s',
    async (command) => {
      const id = await shell('bash');
      expect(await codesOf(id, ['shopt -u promptvars'])).toEqual([0]);
      const run = await request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
      expect(run).toMatchObject({ outcome: 'awaiting_input', awaiting_input: { kind: 'line' } });
      const answer = { cmd: 'send', id, input: 'word\r\x04', wait: DONE };
      expect(await request(daemon, answer)).toMatchObject({ wait: { outcome: 'matched', code: 0 } });
      const typed = await request(daemon, { cmd: 'type', id, text: command, submit: true, wait: DONE });
      expect(typed).toMatchObject({ wait: { outcome: 'awaiting_input' } });
    },
  );

  itNeeds('bash')('is never typed behind one that bash has kept at Ctrl+C, right after Escape in vi mode', async () => {
    const id = await shell('bash');
    expect(await codesOf(id, ['set -o vi'])).toEqual([0]);
    await request(daemon, { cmd: 'send', id, input: 'echo half\x1b' });
    await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'] });
    const command = 'sh -c "exit 7"';
    const run = await request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
    // bash drops the line if it was slow.
    if (run['ok'] === false) {
      expect(run).toMatchObject({ code: 'shell_busy' });
      await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'], wait: DONE });
    }
    const again = await request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
    expect([run, again].filter(({ ok }) => ok)).not.toHaveLength(0);
    for (const each of [run, again])
      if (each['ok'] === true) expect(each).toMatchObject({ outcome: 'done', exit_code: 7 });
  });

  itNeeds('bash')('runs nothing in bash if it begins a command of several lines', async () => {
    const id = await shell('bash');
    expect(await codesOf(id, ['true', 'if; then'])).toEqual([0, 'none']);
    expect(await commandsOf(id)).toEqual(['true -> 0']);
  });

  itNeeds('bash')('is not confused with Ctrl+C at the prompt of bash', async () => {
    const id = await shell('bash');
    // While bash draws its prompt, it takes half of an interrupt, and drops the next key.
    await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true }, timeout_ms: 20_000 });
    await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'], wait: DONE });
    expect(await codesOf(id, ['true'])).toEqual([0]);
    expect(await commandsOf(id)).toEqual(['true -> 0']);
  });
});
