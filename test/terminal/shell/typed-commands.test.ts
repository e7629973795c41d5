import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CommandMarks } from './one-shell.js';
import { TypedCommands, type TypedPlace, type TypedScreen } from '../../../src/terminal/shell/typed-commands.js';

/** A printer of lines, as the screen of a terminal wide enough for all of them. */
class Paper implements TypedScreen {
  lines: string[] = [''];

  get cursor() {
    return { line: this.lines.length - 1, col: this.lines.at(-1)?.length ?? 0 };
  }

  print(text: string): void {
    const [first = '', ...more] = text.split('\n');
    this.lines[this.lines.length - 1] += first;
    this.lines.push(...more);
  }

  endSlicesAtLines(): void {}

  textAboveCursor(): string | undefined {
    return this.lines.at(-2);
  }

  textBefore({ line, col }: TypedPlace) {
    return line === undefined ? '' : (this.lines[line]?.slice(0, col) ?? '');
  }

  textFrom({ line, col }: TypedPlace) {
    const text = line === undefined ? undefined : this.lines[line]?.slice(col);
    return text === undefined || line === undefined ? undefined : { text, end: line + 1 };
  }

  showsBefore({ line }: TypedPlace, text: string): boolean {
    return this.lines.slice(0, line).some((shown) => shown.endsWith(text));
  }
}

const AID = 'aid=7';

/** A shell with a screen. Each mark comes with the place of the cursor; `starts` are the texts that were made of it. */
function shell({ isAnnounced = true } = {}) {
  const paper = new Paper();
  let nowMs = 0;
  const commands = new TypedCommands(paper, () => nowMs);
  const starts: { command: string | undefined; line: number | undefined; agoMs: number }[] = [];
  const marks = new CommandMarks();
  const take = (start: ReturnType<TypedCommands['start']>) => {
    if (start === undefined) return;
    const mark = marks.feed(start).at(-1);
    if (mark?.mark !== 'command_start') throw new Error('a start is a start');
    starts.push({ command: mark.command, line: start.line, agoMs: start.agoMs });
  };
  const mark = (code: number, data: string) => take(commands.onOsc({ code, data, ...paper.cursor }));
  const announce = () => mark(7777, `shell;dash;starts=none;${AID}`);
  if (isAnnounced) announce();
  return {
    paper,
    announce,
    ends: (code: number) => mark(7777, `done;${code}`),
    commands,
    starts,
    texts: () => starts.map(({ command }) => command),
    take,
    wait: (ms: number) => {
      nowMs += ms;
    },
    says: (data: string) => mark(133, data),
    prompt: (code?: number) => {
      if (code !== undefined) mark(133, `D;${code};${AID}`);
      mark(133, `A;${AID}`);
      paper.print('$ ');
      mark(133, `B;${AID}`);
    },
    more: () => {
      mark(133, `P;k=s;${AID}`);
      paper.print('> ');
      mark(133, `P;k=s;at=end;${AID}`);
    },
    /** With the echo of the kernel. */
    type: (text: string) => {
      commands.onInput(text);
      paper.print(text.replaceAll('\r', '\n'));
      commands.onParsed();
    },
    /** Where nothing shows it. */
    typeHidden: (text: string) => commands.onInput(text),
    echo: (text: string) => {
      paper.print(text);
      commands.onParsed();
    },
  };
}

describe('a command', () => {
  test('has the text after the prompt, and its output begins on the next line', () => {
    const { prompt, type, echo, starts, wait } = shell();
    prompt();
    type('ls -l\r');
    wait(30);
    echo('total 0\n');
    expect(starts).toEqual([]);
    prompt(0);
    expect(starts).toEqual([{ command: 'ls -l', line: 1, agoMs: 30 }]);
  });

  test('is not reported for an empty line, a blank line or a comment', () => {
    const { prompt, type, says, texts } = shell();
    prompt();
    for (const line of ['\r', '  \r', '# ls\r', '  # ls\r']) {
      type(line);
      prompt(0);
    }
    says(`D;130;${AID}`);
    expect(texts()).toEqual([]);
  });

  test('that prints its own end has started before it', () => {
    const { prompt, type, echo, ends, texts } = shell();
    prompt();
    ends(1);
    type('./build\r');
    echo('built\n');
    ends(0);
    expect(texts()).toEqual(['./build']);
    ends(2);
    prompt(0);
    expect(texts()).toEqual(['./build']);
  });

  test('that was typed before the first prompt of a shell that was started here has its text', () => {
    const { commands, announce, prompt, type, texts } = shell({ isAnnounced: false });
    commands.expectShell();
    type('make\r');
    announce();
    prompt();
    prompt(2);
    expect(texts()).toEqual(['make']);
  });

  test('that is one of several lines typed before the first prompt has no text: start-up files may have read some', () => {
    const { commands, announce, prompt, type, texts } = shell({ isAnnounced: false });
    commands.expectShell();
    type('yes\r');
    type('make\r');
    announce();
    prompt();
    prompt(2);
    expect(texts()).toEqual([undefined]);
  });

  test('typed before a shell that was not started here is unknown', () => {
    const { announce, prompt, type, texts } = shell({ isAnnounced: false });
    type('make\r');
    announce();
    prompt();
    prompt(2);
    expect(texts()).toEqual([]);
  });

  test('is not reported again when the prompt is redrawn', () => {
    const { prompt, type, texts } = shell();
    prompt();
    type('ls\r');
    prompt(0);
    prompt(0);
    prompt(0);
    expect(texts()).toEqual(['ls']);
  });

  test('is not reported at a mark of another process, or after a shell that marks starts', () => {
    const { prompt, type, says, texts, commands } = shell();
    prompt();
    type('ls\r');
    says('D;0;aid=8');
    expect(texts()).toEqual([]);
    commands.onOsc({ code: 7777, data: 'shell;bash', line: 0, col: 0 });
    expect(commands.isOn).toBe(false);
    says(`D;0;${AID}`);
    expect(texts()).toEqual([]);
  });

  test('of several lines includes all of them, and asks for more until the last', () => {
    const { prompt, type, more, texts, commands } = shell();
    prompt();
    type('if true\r');
    expect(commands.asksForMore).toBe(false);
    more();
    expect(commands.asksForMore).toBe(true);
    type('then ls\r');
    more();
    type('fi\r');
    expect(commands).toMatchObject({ asksForMore: false, isEntered: true });
    prompt(0);
    expect(texts()).toEqual(['if true\nthen ls\nfi']);
  });

  test('that was recalled or edited has the text on the screen', () => {
    const { prompt, typeHidden, echo, texts, commands } = shell();
    prompt();
    commands.onWaiting({ isRaw: true, isShown: true });
    typeHidden('\x1b[A\r');
    echo('ls -l\n');
    prompt(0);
    typeHidden('lx\x7fs\r');
    echo('ls\n');
    prompt(0);
    expect(texts()).toEqual(['ls -l', 'ls']);
  });

  test('that cleared the screen has its text only if the shell was seen reading with echo on', () => {
    const { prompt, typeHidden, texts, commands, paper } = shell();
    prompt();
    commands.onWaiting({ isRaw: false, isShown: true });
    typeHidden('clear\r');
    paper.lines = ['', '', ''];
    prompt(0);
    typeHidden('clear\r');
    paper.lines = ['', '', ''];
    prompt(0);
    expect(texts()).toEqual(['clear', undefined]);
  });

  test('is reported after Ctrl+C, but the lines typed ahead are dropped', () => {
    const { prompt, type, texts } = shell();
    prompt();
    type('sleep 9\rls\r');
    type('\x03');
    prompt(130);
    prompt(0);
    expect(texts()).toEqual(['sleep 9']);
  });

  test('is entered when the screen shows Enter, and has printed when more text appears', () => {
    const { prompt, commands, echo } = shell();
    prompt();
    commands.onInput('ls\r');
    expect(commands).toMatchObject({ isPending: true, isEntered: false });
    echo('ls');
    expect(commands.isEntered).toBe(false);
    echo('\n');
    expect(commands).toMatchObject({ isEntered: true, hasPrinted: false });
    echo('file');
    expect(commands.hasPrinted).toBe(true);
  });
});

describe('a line that is typed ahead', () => {
  test('is found above the prompt at which it is read', () => {
    const { prompt, type, echo, texts, wait, starts } = shell();
    prompt();
    type('sleep 1\recho b\r\r# c\rfalse\r');
    wait(1000);
    prompt(0);
    wait(5);
    echo('b\n');
    prompt(0);
    prompt(0);
    prompt(0);
    prompt(1);
    expect(texts()).toEqual(['sleep 1', 'echo b', 'false']);
    expect(starts.map(({ agoMs }) => agoMs)).toEqual([1000, 5, 0]);
  });

  test('and was read by a program is not a command', () => {
    const { prompt, type, commands, texts } = shell();
    prompt();
    type('cat\r');
    type('for cat\r');
    prompt(0);
    commands.onWaiting({ isRaw: false, isShown: true });
    type('ls\r');
    prompt(0);
    expect(texts()).toEqual(['cat', 'ls']);
  });

  test('and was read by a program is ignored in favour of the text at the prompt', () => {
    const { prompt, type, texts } = shell();
    prompt();
    type('cat\r');
    type('for cat\r');
    prompt(0);
    type('ls\r');
    prompt(0);
    expect(texts()).toEqual(['cat', 'ls']);
  });
});

test('hidden input is never reported unless the screen shows it, for any order of lines, prompts and programs', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('type' as const), text: fc.constantFrom('ls', 'echo a b', 'true', '', '# no') }),
    fc.record({ do: fc.constant('hidden' as const), text: fc.constantFrom('hunter2', 'pass word') }),
    fc.record({ do: fc.constant('interrupt' as const) }),
    fc.record({ do: fc.constant('prompt' as const), code: fc.nat(255) }),
    fc.record({ do: fc.constant('more' as const) }),
    fc.record({ do: fc.constant('print' as const), text: fc.constantFrom('out', 'out\n', '\n') }),
    fc.record({ do: fc.constant('start' as const) }),
    fc.record({ do: fc.constant('wait' as const), raw: fc.boolean(), hidden: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const sh = shell();
      let isHidden = true;
      sh.prompt();
      for (const one of steps) {
        if (one.do === 'type') sh.type(`${one.text}\r`);
        // A prompt at which the shell was seen reading with echo on hides nothing.
        if (one.do === 'hidden' && (isHidden || !sh.commands.isAtPrompt || sh.commands.isPending)) {
          sh.typeHidden(`${one.text}\r`);
        }
        if (one.do === 'interrupt') sh.typeHidden('\x03');
        if (one.do === 'prompt') sh.prompt(one.code);
        if (one.do === 'more') sh.more();
        if (one.do === 'print') sh.echo(one.text);
        if (one.do === 'start') sh.take(sh.commands.start());
        if (one.do === 'wait') sh.commands.onWaiting({ isRaw: one.raw, isShown: !one.hidden });
        if (one.do === 'wait') isHidden = one.hidden;
        if (one.do === 'prompt') isHidden = true;
      }
      sh.prompt(0);
      const shown = sh.paper.lines.join('\n');
      for (const text of sh.texts()) {
        expect(text === undefined || text.trim() !== '').toBe(true);
        for (const line of text?.split('\n') ?? []) {
          if (/hunter2|pass word/.test(line)) expect(shown).toContain(line);
        }
      }
      expect(sh.starts.length).toBeLessThanOrEqual(steps.length + 1);
    }),
    { numRuns: 500 },
  );
});
