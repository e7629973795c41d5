/** What is sent is what is read: left-over answers, modes and lines that a reader would cut. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { keepFishFromManuals } from '../support/fish-manuals.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

type Reply = Record<string, unknown>;

async function shell(program: string, args: readonly string[] = [], bashrc = ''): Promise<string> {
  const env = { HOME: tempDir().path, ENV: '' };
  writeFileSync(path.join(env.HOME, '.bashrc'), bashrc);
  keepFishFromManuals(path.join(env.HOME, '.local/share'));
  const created = await request(daemon, { cmd: 'create', cmd_args: [program, ...args], env, cols: 80, rows: 24 });
  const id = created['id'] as string;
  expect(await request(daemon, { cmd: 'wait', id, until: { done: true } })).toMatchObject({ outcome: 'matched' });
  return id;
}

const run = (id: string, command: string): Promise<Reply> =>
  request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });

const lastCommand = async (id: string): Promise<Reply | undefined> => {
  const { commands } = await request(daemon, { cmd: 'commands', id, last: 1 });
  return (commands as Reply[])[0];
};

/** What is typed is no text that a wait finds. */
const SETTLED = { until: { settled_ms: 200 }, timeout_ms: 20_000 };

const HI = { outcome: 'done', exit_code: 0, lines: ['hi'] };

itNeeds('bash')(
  'text that is typed without Enter while the shell still starts runs nothing, and has no exit code',
  async () => {
    const home = tempDir().path;
    writeFileSync(path.join(home, '.bashrc'), 'echo starting; until [[ -e go ]]; do sleep 0.01; done\n');
    const starting = { until: { text: 'starting' } };
    const created = { cmd: 'create', cmd_args: ['bash'], cwd: home, env: { HOME: home }, wait: starting };
    const { id } = await request(daemon, created);
    const typed = request(daemon, { cmd: 'type', id, text: 'echo typed', wait: { until: { done: true } } });
    await request(daemon, { cmd: 'wait', id, until: { text: 'echo typed' } });
    writeFileSync(path.join(home, 'go'), '');
    expect(await typed).toMatchObject({ wait: { nothing_ran: true, exit_code: null, command: null } });
  },
);

describe.each(['bash', 'zsh', 'fish', 'dash', 'mksh', 'ksh93'])('in %s, run', (program) => {
  itNeeds(program)('runs its line alone after queries whose answers no program has read', async () => {
    const id = await shell(program);
    await run(id, String.raw`printf '\033[c\033]11;?\007\033[6n'`);
    expect(await run(id, 'echo hi')).toMatchObject(HI);
    expect(await lastCommand(id)).toMatchObject({ command: 'echo hi', code: 0 });
  });

  itNeeds(program)('is understood after a program that has left the keyboard in modes of its own', async () => {
    const id = await shell(program);
    const sequences = String.raw`\033[>31u\033[>4;2m\033[?2004h\033[?1h\033[?1004h\033[?1003h`;
    const left = await run(id, `printf '${sequences}'`);
    expect(left).toMatchObject({ outcome: 'done' });
    expect(left['modes_left']).toEqual(expect.arrayContaining(['kitty_flags', 'modify_other_keys', 'focus_reporting']));
    expect(await lastCommand(id)).toMatchObject({ modes_left: left['modes_left'] });
    const next = await run(id, 'echo hi');
    expect(next).toMatchObject(HI);
    expect(next).not.toHaveProperty('modes_left');
    expect(await run(id, 'echo hi')).not.toHaveProperty('modes_left');
  });
});

itNeeds('bash')('in bash with a DEBUG trap, pastes of its own are no mode that a command has left', async () => {
  const id = await shell('bash', [], "trap 'last=$BASH_COMMAND' DEBUG\n");
  const first = await run(id, 'echo hi');
  expect(first).toMatchObject(HI);
  expect(first).not.toHaveProperty('modes_left');
  expect(await run(id, 'echo hi\necho ho')).toMatchObject({ outcome: 'done', lines: ['hi', 'ho'] });
});

describe.each(['dash', 'ksh93'])('in %s with a prompt that takes longer to draw', (program) => {
  itNeeds(program)('run runs its line after answers that no program has read', async () => {
    const rc = path.join(tempDir().path, 'rc');
    writeFileSync(rc, "PS1='$(sleep 1)$ '\n");
    const created = await request(daemon, { cmd: 'create', cmd_args: [program], env: { ENV: rc }, cols: 80, rows: 24 });
    const id = created['id'] as string;
    await request(daemon, { cmd: 'wait', id, until: { done: true }, timeout_ms: 20_000 });
    await run(id, String.raw`printf '\033[c\033]11;?\007\033[6n'`);
    expect(await run(id, 'echo hi')).toMatchObject(HI);
  });
});

itNeeds('zsh')('in zsh in vi mode, run runs its line alone after answers that zsh takes for commands', async () => {
  const id = await shell('zsh');
  await run(id, 'bindkey -v');
  await run(id, String.raw`printf '\033[c\033]11;?\007\033[6n'`);
  expect(await run(id, '(echo hi)')).toMatchObject(HI);
});

describe.each([
  ['fish', 'fish_vi_key_bindings'],
  ['ksh93', 'set -o vi'],
])('in %s in vi mode, run', (program, setUp) => {
  itNeeds(program)('runs its line alone after answers that are not seen on the command line', async () => {
    const id = await shell(program);
    await run(id, setUp);
    for (const queries of [String.raw`\033[c`, String.raw`\033]11;?\007`, String.raw`\033[c\033]11;?\007`]) {
      await run(id, `printf '${queries}'`);
      expect(await run(id, 'echo hi'), queries).toMatchObject(HI);
    }
  });
});

describe('fish in the replace mode of vi, where Ctrl+C is text,', () => {
  itNeeds('fish')('gets the line of run after a report of the cursor that its program has not read', async () => {
    const id = await shell('fish');
    await run(id, 'fish_vi_key_bindings');
    for (const queries of [String.raw`\e[6n`, String.raw`\e[c\e]11;?\a\e[6n`]) {
      await run(id, `printf '${queries}'`);
      expect(await run(id, 'true && echo hi'), queries).toMatchObject(HI);
    }
  });

  itNeeds('fish')('gets it after the keys of a client and Ctrl+C', async () => {
    const id = await shell('fish');
    await run(id, 'fish_vi_key_bindings');
    for (const input of ['echo half\u001b', 'R']) await readBy(id, input);
    expect(await run(id, 'true && echo hi')).toMatchObject({ ok: false, code: 'shell_busy' });
    await readBy(id, '\u0003');
    expect(await run(id, 'true && echo hi')).toMatchObject(HI);
  });

  /** fish takes what follows an Escape at once for the rest of a key. */
  async function readBy(id: string, input: string): Promise<void> {
    await request(daemon, { cmd: 'send', id, input, wait: { until: { settled_ms: 600 }, timeout_ms: 20_000 } });
  }
});

describe.each(['bash', 'zsh', 'ksh93'])('in %s, a DEBUG trap', (program) => {
  itNeeds(program)('that prints is heard for the commands of the line, and for nothing else', async () => {
    const id = await shell(program);
    await run(id, "trap 'echo debug' DEBUG");
    expect(await run(id, 'echo hi')).toMatchObject({ ...HI, lines: ['debug', 'hi'] });
    expect(await run(id, '(exit 3)')).toMatchObject({ outcome: 'done', exit_code: 3 });
    expect(await run(id, 'echo "status $?"')).toMatchObject({ lines: ['debug', 'status 3'] });
  });
});

itNeeds('zsh')(
  'where answers have left zsh asking below a line with blanks, it is led back to its prompt',
  async () => {
    const id = await shell('zsh');
    await run(id, 'bindkey -v');
    await run(id, String.raw`printf '\033[c\033]11;?\007\033[6n'`);
    await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true }, timeout_ms: 20_000 });
    await request(daemon, { cmd: 'send', id, input: '   ' });
    expect(await run(id, 'echo hi')).toMatchObject(HI);
  },
);

itNeeds('zsh')(
  'where answers have left zsh asking below, what a client has answered stays until its Ctrl+C',
  async () => {
    const id = await shell('zsh');
    await run(id, 'bindkey -v');
    await run(id, String.raw`printf '\033[c\033]11;?\007\033[6n'`);
    await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true }, timeout_ms: 20_000 });
    await request(daemon, { cmd: 'send', id, input: 'und', wait: { until: { text: 'und' }, timeout_ms: 20_000 } });
    const refused = await run(id, 'echo hi');
    expect(refused).toMatchObject({ ok: false, code: 'shell_busy', hint: `t4a press ${id} Ctrl+C` });
    expect(refused['error']).toContain('asks below its command line');
    await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'] });
    expect(await run(id, 'echo hi')).toMatchObject(HI);
  },
);

describe.each([
  ['mksh', []],
  ['busybox', ['sh']],
])('in %s, whose line editor shows other characters', (program, args) => {
  itNeeds(program)('the command that run has given is listed as it was given', async () => {
    const id = await shell(program, args);
    const line = 'echo é 日本 😀';
    await run(id, line);
    expect(await lastCommand(id)).toMatchObject({ command: line, code: 0 });
  });
});

describe('keys', () => {
  itNeeds('bash')('of a person who watches are for the reader as well', async () => {
    const id = await shell('bash');
    await run(id, String.raw`printf '\033[>31u\033[?1003h\033[?5h'`);
    const { modes } = await request(daemon, { cmd: 'watch', id });
    expect(modes).toMatchObject({ kitty_flags: 0, mouse_tracking: 'none', reverse_screen: true });
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ modes: { kitty_flags: 31 } });
  });

  itNeeds('bash')('are those of the reader, not of a program that has ended', async () => {
    const id = await shell('bash');
    await run(id, String.raw`printf '\033[>1u'`);
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ modes: { kitty_flags: 1 } });
    // bash marks the start before it forks, and keeps no Ctrl+C of that moment for its child.
    await request(daemon, { cmd: 'type', id, text: "sh -c 'echo is; exec sleep 100'", submit: true });
    await request(daemon, { cmd: 'wait', id, until: { regex: '^is$' }, timeout_ms: 20_000 });
    const { wait } = await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'], wait: { until: { done: true } } });
    expect(wait).toMatchObject({ outcome: 'matched', code: 130 });
  });

  itNeeds('bash')('are those that a program asks for while it runs', async () => {
    const id = await shell('bash');
    await run(id, String.raw`printf '\033[>1u'`);
    const script = String.raw`stty raw -echo; printf '\033[>1u'; printf 'ready'; head -c 6 | od -An -c; stty sane`;
    await request(daemon, { cmd: 'type', id, text: script, submit: true, wait: { until: { regex: '^ready' } } });
    const { wait } = await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'], wait: { until: { done: true } } });
    expect(wait).toMatchObject({ outcome: 'matched' });
    const { lines } = await request(daemon, { cmd: 'text', id, command: -1 });
    expect((lines as string[]).join(' ')).toMatch(/033\s+\[\s+9\s+9\s+;\s+5/);
  });
});

const BLANKED = [
  ['bash', []],
  ['zsh', []],
  ['fish', []],
  ['dash', []],
  ['mksh', []],
  ['ksh93', []],
  ['busybox', ['sh']],
] as const;

describe('a command line', () => {
  it.each([
    ['a search with a word', '\u0012x'],
    ['an argument', '\u001b5'],
    ['the next key as it is', '\u0016'],
    ['a paste without its end', '\u001b[200~'],
  ])('after %s is not typed into, until Ctrl+C', async (_, input) => {
    requireProgram('bash');
    const id = await shell('bash');
    await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true } });
    await request(daemon, { cmd: 'send', id, input });
    expect(await run(id, 'echo hi')).toMatchObject({ ok: false, code: 'shell_busy' });
    if (input.endsWith('~')) await request(daemon, { cmd: 'send', id, input: '\u001b[201~' });
    // The first one may be the key that is taken as it is.
    if (input === '\u0016') await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'] });
    expect(await run(id, 'echo hi')).toMatchObject({ ok: false, code: 'shell_busy' });
    await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'], wait: { until: { done: true } } });
    expect(await run(id, 'echo hi')).toMatchObject(HI);
  });

  for (const [program, args] of BLANKED) {
    for (const input of [' ', '   ', '\u001b', ' \u001b ', '\u0012']) {
      if (program !== 'bash' && program !== 'zsh' && program !== 'fish' && !/^ +$/.test(input)) continue;
      itNeeds(program)(`of ${program} with ${JSON.stringify(input)} alone is as good as an empty one`, async () => {
        const id = await shell(program, args);
        await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true } });
        await request(daemon, { cmd: 'send', id, input });
        const first = await run(id, 'echo hi');
        expect(first).toMatchObject(HI);
        expect(first).not.toHaveProperty('warning');
        expect(await lastCommand(id)).toMatchObject({ command: 'echo hi', code: 0 });
        expect(await run(id, 'echo hi')).toMatchObject(HI);
      });
    }
  }

  for (const [program, args] of BLANKED.filter(([name]) => name !== 'dash')) {
    for (const input of ['echo half\u0001', ' echo half\u0001', 'echo half\u001b[H', 'x\u001b[D']) {
      itNeeds(program)(
        `of ${program} is not typed into with the cursor before its text: ${JSON.stringify(input)}`,
        async () => {
          const id = await shell(program, args);
          await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true } });
          await request(daemon, { cmd: 'send', id, input });
          expect(await run(id, 'echo hi')).toMatchObject({ ok: false, code: 'shell_busy' });
          await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'], wait: { until: { done: true } } });
          expect(await run(id, 'echo hi')).toMatchObject(HI);
        },
      );
    }
  }

  for (const [program, args] of BLANKED) {
    itNeeds(program)(`of ${program} is not typed into with text that was typed before its prompt`, async () => {
      const id = await shell(program, args);
      const dir = tempDir();
      const file = dir.join('go');
      const text = `sh -c 'until [ -e ${file} ]; do sleep 0.02; done'`;
      await request(daemon, { cmd: 'type', id, text, submit: true, wait: { until: { event: 'command_started' } } });
      await request(daemon, { cmd: 'type', id, text: `echo > ${dir.join('ahead')}; ` });
      writeFileSync(file, '');
      await request(daemon, { cmd: 'wait', id, until: { done: true }, timeout_ms: 20_000 });
      const refused = await run(id, 'echo hi');
      expect(refused).toMatchObject({ ok: false, code: 'shell_busy', hint: `t4a press ${id} Ctrl+C` });
      await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'], wait: { until: { done: true } } });
      expect(await run(id, 'echo hi')).toMatchObject(HI);
      expect(existsSync(dir.join('ahead'))).toBe(false);
    });
  }

  for (const [program, args] of BLANKED) {
    itNeeds(program)(
      `of ${program} is rid of answers that no program has read, before a line is submitted`,
      async () => {
        const id = await shell(program, args);
        for (const cmd of ['type', 'paste']) {
          await run(id, String.raw`printf '\033[c\033]11;?\007'`);
          const wait = { until: { done: true }, timeout_ms: 20_000 };
          const sent = await request(daemon, { cmd, id, text: 'echo hi', submit: true, wait });
          expect(sent).toMatchObject({ wait: { outcome: 'matched', exit_code: 0, command: 'echo hi' } });
          expect(sent['warning']).toContain('answer to a query');
          const next = await request(daemon, { cmd, id, text: 'echo hi', submit: true, wait });
          expect(next).toMatchObject({ wait: { outcome: 'matched', exit_code: 0, command: 'echo hi' } });
          expect(next).not.toHaveProperty('warning');
        }
        await run(id, String.raw`printf '\033[c\033]11;?\007'`);
        await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true }, timeout_ms: 20_000 });
        await request(daemon, { cmd: 'type', id, text: 'echo hi' });
        await request(daemon, {
          cmd: 'press',
          id,
          keys: ['Enter'],
          wait: { until: { done: true }, timeout_ms: 20_000 },
        });
        // What ran began with the answers.
        expect((await lastCommand(id))?.['command']).not.toBe('echo hi');
      },
    );
  }

  itNeeds('dash')('holds no key that a program has taken, nor text that Ctrl+U has dropped', async () => {
    const id = await shell('dash');
    const takesKey = 'stty -icanon; dd bs=1 count=1 of=/dev/null 2>&0; stty icanon';
    expect(await run(id, takesKey)).toMatchObject({ outcome: 'awaiting_input' });
    await request(daemon, { cmd: 'type', id, text: 'q', wait: { until: { done: true }, timeout_ms: 20_000 } });
    expect(await run(id, 'echo hi')).toMatchObject(HI);
    await request(daemon, { cmd: 'type', id, text: 'cat', submit: true, wait: { until: { awaiting_input: true } } });
    await request(daemon, { cmd: 'send', id, input: 'half\u0015', wait: SETTLED });
    await request(daemon, { cmd: 'send', id, input: 'more\u0004\u0004', wait: { until: { done: true } } });
    expect(await run(id, 'echo hi')).toMatchObject(HI);
  });

  itNeeds('dash')('holds no key that was typed before the program that takes it has read', async () => {
    const id = await shell('dash');
    const go = tempDir().join('go');
    const takesKeys = `echo held; until [ -e ${go} ]; do sleep 0.02; done; stty -icanon; dd bs=1 count=2 of=/dev/null 2>&0; stty icanon`;
    await request(daemon, { cmd: 'type', id, text: takesKeys, submit: true, wait: { until: { regex: '^held$' } } });
    // The kernel keeps this one for the end of a line, until the program takes keys.
    await request(daemon, { cmd: 'type', id, text: 'q', wait: SETTLED });
    writeFileSync(go, '');
    await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true }, timeout_ms: 20_000 });
    await request(daemon, { cmd: 'type', id, text: 'r', wait: { until: { done: true }, timeout_ms: 20_000 } });
    expect(await run(id, 'echo hi')).toMatchObject(HI);
  });

  /** Shells that leave their lines to the kernel. */
  const WITHOUT_EDITOR: readonly (readonly [program: string, setting?: string])[] = [
    ['dash'],
    ['bash', 'set +o emacs +o vi'],
    ['mksh', 'set +o emacs +o vi'],
  ];
  const LEAVES_KEYS = [
    ['keys without Enter', 'abc'],
    ['keys with Enter', 'a\r'],
  ] as const;

  for (const [program, setting] of WITHOUT_EDITOR) {
    describe.each(LEAVES_KEYS)('after %s for a program that reads one', (_, keys) => {
      const takesOne = 'stty -icanon -echo -icrnl; dd bs=1 count=1 of=/dev/null 2>&0; stty icanon echo icrnl';
      const afterKeys = async (): Promise<string> => {
        const id = await shell(program);
        if (setting !== undefined) await run(id, setting);
        expect(await run(id, takesOne)).toMatchObject({ outcome: 'awaiting_input' });
        await request(daemon, { cmd: 'send', id, input: keys, wait: { until: { done: true }, timeout_ms: 20_000 } });
        return id;
      };
      const WARNING = { warning: expect.stringContaining('Keys that a program may have left') };

      itNeeds(program)(`holds none of the others for run: ${program}`, async () => {
        const id = await afterKeys();
        expect(await run(id, 'echo hi')).toMatchObject({ ...HI, ...WARNING });
        const next = await run(id, 'echo hi');
        expect(next).toMatchObject(HI);
        expect(next).not.toHaveProperty('warning');
      });

      itNeeds(program)(`holds none of the others back from a program that reads them next: ${program}`, async () => {
        const id = await shell(program);
        if (setting !== undefined) await run(id, setting);
        expect(await run(id, `${takesOne}; cat`)).toMatchObject({ outcome: 'awaiting_input' });
        const next = { until: { awaiting_input: 'line' }, timeout_ms: 20_000 };
        await request(daemon, { cmd: 'send', id, input: keys, wait: next });
        const text = { until: { regex: 'to cat$' }, timeout_ms: 20_000 };
        const typed = await request(daemon, { cmd: 'type', id, text: 'to cat', submit: true, wait: text });
        expect(typed).toMatchObject({ ok: true, wait: { outcome: 'matched' } });
        expect(typed).not.toHaveProperty('warning');
      });

      itNeeds(program)(`holds none of the others for a line that is typed: ${program}`, async () => {
        const id = await afterKeys();
        const wait = { until: { done: true }, timeout_ms: 20_000 };
        const typed = await request(daemon, { cmd: 'type', id, text: 'echo hi', submit: true, wait });
        expect(typed).toMatchObject({ ...WARNING, wait: { exit_code: 0, command: 'echo hi' } });
        const half = await request(daemon, { cmd: 'type', id, text: 'echo h', wait: SETTLED });
        expect(half).not.toHaveProperty('warning');
        const rest = await request(daemon, { cmd: 'type', id, text: 'i', submit: true, wait });
        expect(rest).toMatchObject({ wait: { exit_code: 0 } });
        expect(rest).not.toHaveProperty('warning');
        expect(await lastCommand(id)).toMatchObject({ command: 'echo hi', code: 0 });
      });
    });
  }

  for (const prompt of ['$ ', 'a prompt that is longer than what was typed before it $ ']) {
    itNeeds('bash')(`of bash is empty after Ctrl+U, behind the echo of early input: ${prompt}`, async () => {
      const id = await shell('bash', [], `PS1='${prompt}'\n`);
      const go = tempDir().join('go');
      const text = `echo held; until [ -e ${go} ]; do sleep 0.02; done`;
      await request(daemon, { cmd: 'type', id, text, submit: true, wait: { until: { regex: '^held$' } } });
      await request(daemon, { cmd: 'type', id, text: 'echo early ', wait: SETTLED });
      writeFileSync(go, '');
      await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true }, timeout_ms: 20_000 });
      const { lines } = await request(daemon, { cmd: 'text', id });
      expect((lines as string[]).join('\n')).toContain(`echo early ${prompt}echo early`);
      expect(await run(id, 'echo hi')).toMatchObject({ ok: false, code: 'shell_busy' });
      await request(daemon, { cmd: 'press', id, keys: ['Ctrl+A'], wait: SETTLED });
      expect(await run(id, 'echo hi')).toMatchObject({ ok: false, code: 'shell_busy' });
      await request(daemon, { cmd: 'press', id, keys: ['Ctrl+E', 'Ctrl+U'], wait: SETTLED });
      expect(await run(id, 'echo hi')).toMatchObject(HI);
    });
  }

  itNeeds('dash')('that is not shown may hold text', async () => {
    const id = await shell('dash');
    await run(id, 'stty -echo');
    await request(daemon, { cmd: 'send', id, input: 'echo hidden' });
    expect(await run(id, 'echo hi')).toMatchObject({ ok: false, code: 'shell_busy' });
    await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'], wait: { until: { done: true } } });
    const next = await run(id, 'echo hi');
    expect(next).toMatchObject({ outcome: 'done', exit_code: 0 });
    expect((next['lines'] as string[]).join(' ')).not.toContain('hidden');
  });
});

describe('a line that is longer than its reader keeps', () => {
  const TOO_LONG = { ok: false, code: 'invalid_field' };

  itNeeds('dash')('is refused by run, type, paste and send, and one of the greatest length is read', async () => {
    const id = await shell('dash');
    expect(await run(id, `echo ${'y'.repeat(4090)} | wc -c`)).toMatchObject(TOO_LONG);
    expect(await run(id, `echo ${'y'.repeat(4082)} | wc -c`)).toMatchObject({ outcome: 'done', lines: ['4083'] });
    const text = 'y'.repeat(4096);
    expect(await request(daemon, { cmd: 'type', id, text })).toMatchObject({ ...TOO_LONG, field: 'text' });
    expect(await request(daemon, { cmd: 'paste', id, text })).toMatchObject({ ...TOO_LONG, field: 'text' });
    expect(await request(daemon, { cmd: 'send', id, input: text })).toMatchObject({ ...TOO_LONG, field: 'input' });
    const lines = `echo ${'y'.repeat(4000)}\n`.repeat(2);
    expect(await request(daemon, { cmd: 'type', id, text: lines })).toMatchObject({ ok: true });
  });

  itNeeds('dash')('is refused where it comes in several inputs, until it is ended or dropped', async () => {
    const id = await shell('dash');
    const type = (text: string) => request(daemon, { cmd: 'type', id, text });
    for (const end of ['\n', '\u0015']) {
      expect(await type(': ')).toMatchObject({ ok: true });
      expect(await type('y'.repeat(4000))).toMatchObject({ ok: true });
      const refused = await type('y'.repeat(94));
      expect(refused).toMatchObject({ ...TOO_LONG, field: 'text' });
      expect(refused['error']).toContain('4096 bytes with what was sent of it before');
      expect(await type('y'.repeat(93))).toMatchObject({ ok: true });
      expect(await request(daemon, { cmd: 'send', id, input: end })).toMatchObject({ ok: true });
    }
    expect(await type('y'.repeat(4000))).toMatchObject({ ok: true });
  });

  itNeeds('busybox')('is refused at the prompt of busybox', async () => {
    const id = await shell('busybox', ['ash']);
    expect(await run(id, `echo ${'y'.repeat(1020)}`)).toMatchObject(TOO_LONG);
    expect(await run(id, `echo ${'y'.repeat(1009)} | wc -c`)).toMatchObject({ outcome: 'done', exit_code: 0 });
  });

  itNeeds('bash')('is read by a line editor', async () => {
    const id = await shell('bash');
    expect(await run(id, `echo ${'y'.repeat(5000)} | wc -c`)).toMatchObject({ outcome: 'done', lines: ['5001'] });
  });
});
