/** The selection of real programs, which is colour alone, marked in the text. Where it can be, the program itself says what is selected. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { TestTerminal } from '../support/screen-fence.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' } });
});
afterAll(() => daemon.stop());

/** The marked spans of the screen, top to bottom. */
async function marked(terminal: TestTerminal): Promise<string[]> {
  const lines = await terminal.lines({ selection: true });
  return lines.flatMap((line) => [...line.matchAll(/⟦(.*?)⟧/g)].map(([, span = '']) => span));
}

/** Resolves once the whole selection is this: programs take a while to draw it. */
async function untilMarked(terminal: TestTerminal, ...wanted: readonly RegExp[]): Promise<string[]> {
  for (;;) {
    const spans = await marked(terminal);
    if (spans.length === wanted.length && wanted.every((each, i) => each.test(spans[i] ?? ''))) return spans;
    await terminal.until('idle');
  }
}

async function start(command: string, ready: string): Promise<TestTerminal> {
  const terminal = await TestTerminal.start(daemon, ['sh', '-c', command]);
  await terminal.untilShows(ready);
  return terminal;
}

const ENTRIES = 'a First b Second c Third d Fourth e Fifth';

describe('the selection', () => {
  describe('is what the program takes', () => {
    const entries = ['a', 'b', 'c', 'd', 'e'].map((name) => [name, new RegExp(`^${name} `)] as const);
    const numbers = ['101', '102', '103', '104'].map((name) => [name, new RegExp(`^> ${name}$`)] as const);
    itNeeds('whiptail')('in whiptail', () =>
      taken(`whiptail --menu Pick 15 50 5 ${ENTRIES} 2>&1 >/dev/tty`, 'Down', entries),
    );
    itNeeds('dialog')('in dialog', () =>
      taken(`dialog --menu Pick 15 50 5 ${ENTRIES} 2>&1 >/dev/tty`, 'Down', entries),
    );
    itNeeds('fzf')('in fzf', () => taken('seq 101 130 | fzf', 'Up', numbers));

    /** Wherever it stands, Enter prints what was marked. */
    async function taken(command: string, key: string, wanted: readonly (readonly [string, RegExp])[]): Promise<void> {
      const terminal = await start(
        `while result=$(${command}); do clear; echo "took $((n += 1)) <$result>"; read -r next; done`,
        '',
      );
      for (const [i, [name, span]] of wanted.entries()) {
        for (let at = 0; at <= i; at++) {
          if (at > 0) await terminal.press(key);
          await untilMarked(terminal, wanted[at]?.[1] ?? span, ...(command.startsWith('dialog') ? [/OK/] : []));
        }
        await terminal.press('Enter');
        expect(/<(\w+)>/.exec(await terminal.untilShows(`took ${i + 1} <`))?.[1]).toBe(name);
        await terminal.press('Enter');
      }
      await terminal.end();
    }
  });

  itNeeds('whiptail')('is one span in a menu, and the button once that has the focus', async () => {
    const terminal = await start(`whiptail --menu Pick 15 50 5 ${ENTRIES}`, 'Third');
    await untilMarked(terminal, /^a First$/);
    await terminal.press('Tab');
    // Some versions go on showing the entry.
    while (!(await marked(terminal)).includes('<Ok>')) await terminal.until('idle');
    expect((await marked(terminal)).length).toBeLessThanOrEqual(2);
    await terminal.end();
  });

  itNeeds('dialog')('is the button of a question', async () => {
    const terminal = await start('dialog --yesno Sure? 7 30', 'Yes');
    await untilMarked(terminal, /^< Yes >$/);
    await terminal.press('Tab');
    await untilMarked(terminal, /^< No {2}>$/);
    await terminal.end();
  });

  itNeeds('mc')('is the file of the panel, and the entry of an open menu', async () => {
    const terminal = await start('mkdir -p m/one m/two m/three; cd m && mc -u', 'three');
    await terminal.press('Down');
    await untilMarked(terminal, /^\/one /);
    await terminal.press('F9', 'Down', 'Down');
    await untilMarked(terminal, /^Quick view/);
    await terminal.end();
  });

  itNeeds('htop')('is one process, wherever the cursor stands, and neither the header nor the keys', async () => {
    const terminal = await start('htop', 'F10Quit');
    const rowOfMark = async (): Promise<number> => {
      await untilMarked(terminal, /^\d+ \w/);
      return (await terminal.lines({ selection: true })).findIndex((line) => line.includes('⟦'));
    };
    const top = await rowOfMark();
    await terminal.press('Down');
    while ((await rowOfMark()) !== top + 1) await terminal.until('idle');
    await terminal.end();
  });

  itNeeds('vim')('is what visual mode holds, the cell of the cursor included', async () => {
    const terminal = await start(
      "printf 'first line\\nsecond line\\nthird line\\nfourth line\\n' > v; vim -nu NONE v",
      'fourth',
    );
    expect(await marked(terminal)).toEqual([]);
    await terminal.press('j', 'V', 'j');
    await untilMarked(terminal, /^second line$/, /^third line$/);
    await terminal.press('Escape');
    await untilMarked(terminal);
    await terminal.press('g', 'g', 'w', 'v', 'e');
    await untilMarked(terminal, /^line$/);
    await terminal.end();
  });

  itNeeds('dialog')('is the day of a calendar, of one or two columns', async () => {
    const terminal = await start('dialog --date-format %d --calendar Day 0 0 8 5 2026 2>day; read -r x', 'May');
    const days = async (): Promise<string[]> => (await marked(terminal)).filter((each) => /^\d+$/.test(each));
    while ((await days())[0] !== '8') await terminal.until('idle');
    await terminal.press('Tab', 'Tab', 'Tab', 'Tab');
    for (const day of ['9', '10']) {
      await terminal.press('Right');
      while ((await days())[0] !== day) await terminal.until('idle');
    }
    await terminal.end();
  });

  itNeeds('vim')('is a letter of vim', async () => {
    const terminal = await start("printf 'first line\\nsecond line\\n' > v; vim -nu NONE v", 'second');
    await terminal.press('l', 'v', 'l');
    await untilMarked(terminal, /^ir$/);
    await terminal.end();
  });

  itNeeds('python3')('is the entry whose text alone has another colour, in a program of curses', async () => {
    const entries = ['Red', 'Green', 'Blue', 'Grey'];
    const program = `import curses
def main(screen):
    curses.curs_set(0); curses.use_default_colors(); curses.init_pair(1, curses.COLOR_CYAN, -1); at = 0
    while True:
        screen.addstr(1, 4, 'Which colour?')
        for i, name in enumerate(${JSON.stringify(entries)}):
            screen.addstr(3 + i, 6, name, curses.color_pair(1) if i == at else 0)
        screen.refresh(); screen.getch(); at = (at + 1) % 4
curses.wrapper(main)`;
    const terminal = await start(
      `python3 -c "${program}"`.replaceAll('["', "['").replaceAll('"]', "']").replaceAll('","', "','"),
      'Grey',
    );
    for (const entry of [...entries, 'Red']) {
      await untilMarked(terminal, new RegExp(`^${entry}$`));
      await terminal.press('Down');
    }
    await terminal.end();
  });

  itNeeds(
    'git',
    'less',
    'vim',
  )('is nothing in ordinary coloured output', async () => {
    const made = 'mkdir -p c/dir && cd c && printf "#!/bin/sh\n" > run && chmod +x run && touch a b d && ln -sf a link';
    const code = 'printf "# Adds.\ndef add(a, b):\n    x = 22\n    return a + 1\n" > p.py';
    const history =
      'git init -q . && git add . && git -c user.name=t -c user.email=t@e commit -qm one && echo more > a';
    for (const [command, ready] of [
      [`${made}; ls -1 --color=always; read -r x`, 'run'],
      [`${made}; ls -1 --color=always | less -R`, 'END'],
      [`${made}; ${code}; ${history}; LESS=R git -c core.pager=less -c color.ui=always diff`, 'END'],
      [`${made}; ${code}; vim -nu NONE -c 'syntax on' p.py`, 'return'],
      [`${made}; printf '\\033[?25l'; ls -1 --color=always; printf '\\033[36mworking\\033[m'; read -r x`, 'working'],
    ] as const) {
      const terminal = await start(command, ready);
      expect([command, await marked(terminal)]).toEqual([command, []]);
      await terminal.end();
    }
  });

  itNeeds(
    'top',
    'nano',
    'less',
  )('is no header, no line of state, no key and no prompt', async () => {
    for (const [command, ready] of [
      ['top', 'COMMAND'],
      ["printf 'one\\ntwo\\nthree\\n' > n; nano n", 'Exit'],
      ['seq 100 | less -M', '23'],
      ["printf 'one two\\nthree four\\n\\033[7mfive\\033[m six\\n$ '; read -r x", 'six'],
    ] as const) {
      const terminal = await start(command, ready);
      expect([command, await marked(terminal)]).toEqual([command, []]);
      await terminal.end();
    }
  });

  it('is in the text of the past as it was in that of then, and in looks at what has changed', async () => {
    const menu = (selected: number): string =>
      ['apple', 'banana', 'cherry', 'date', 'elder']
        .map((each, i) => `\\033[${i + 2};1H${i === selected ? '\\033[7m' : ''}${each}\\033[m`)
        .join('');
    const terminal = await TestTerminal.start(daemon, [
      'sh',
      '-c',
      `printf '\\033[?1049h\\033[?25l${menu(0)}'; read -r x; printf '${menu(1)}\\007'; read -r x`,
    ]);
    await terminal.untilShows('elder');
    const then = await terminal.do('text', { changed: true, selection: true, scope: 'a' });
    expect(then['lines']).toEqual(['', '⟦apple⟧', 'banana', 'cherry', 'date', 'elder']);
    await terminal.press('Enter');
    await terminal.until('bell');
    const now = await terminal.do('text', { changed: true, selection: true, scope: 'a' });
    expect(now).toMatchObject({ lines: ['apple', '⟦banana⟧'] });
    const past = await terminal.do('text', { selection: true, trim: true, at: then['rev'] });
    expect((past['lines'] as string[]).slice(0, 6)).toEqual(then['lines']);
    expect(await terminal.ask('text', { selection: true, format: 'ansi' })).toMatchObject({ code: 'invalid_field' });
    expect(await request(daemon, { cmd: 'text', id: terminal.id, selection: true, join_wrapped: true })).toMatchObject({
      code: 'invalid_field',
    });
    await terminal.end();
  });
});
