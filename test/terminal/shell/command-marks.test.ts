import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CommandMarks } from './one-shell.js';

/** Feeds `133;D;0`-like sequences, separated by blanks, and returns starts and ends in short: `+name`, `-code`. */
function story(sequences: string, marks = new CommandMarks()): string {
  const told: string[] = [];
  for (const sequence of sequences.trim().split(/\s+/)) {
    const semicolon = sequence.indexOf(';');
    const code = Number(sequence.slice(0, semicolon));
    for (const mark of marks.feed({ code, data: sequence.slice(semicolon + 1) })) {
      if (mark.mark === 'command_start') told.push(`+${mark.command ?? ''}`);
      if (mark.mark === 'command_done') told.push(`-${mark.code ?? 'null'}`);
    }
  }
  return told.join(' ');
}

/** A mark of the scripts that t4a injects. */
function injected(rest: string): string {
  return `133;${rest};aid=t4a-1`;
}

describe('one dialect alone', () => {
  test('OSC 7777;done marks each end with its code', () => {
    expect(story('7777;done;0 7777;done;1 7777;done;130')).toBe('-0 -1 -130');
  });

  test('OSC 133 marks start and end, with or without a code', () => {
    expect(story('133;A 133;B 133;C 133;D;2 133;A 133;B 133;C 133;D')).toBe('+ -2 + -null');
  });

  test('OSC 133;D alone is enough', () => {
    expect(story('133;D;0 133;D;5')).toBe('-0 -5');
  });

  test('OSC 633 reports the command line before the start', () => {
    expect(story(String.raw`633;A 633;B 633;E;echo\x20a\x3bb\\n;nonce 633;C 633;D;0`)).toBe(String.raw`+echo a;b\n -0`);
  });

  test('an end at the prompt is ignored as an empty line if the shell reports starts', () => {
    expect(story('133;A 133;B 133;C 133;D;1 133;A 133;B 133;D;1 133;A 133;B 133;D;1')).toBe('+ -1');
  });

  test('a prompt ends a command whose end was not reported', () => {
    expect(story('133;A 133;B 133;C 133;A 133;B')).toBe('+ -null');
  });

  test('a start ends a command whose end was not reported', () => {
    expect(story('133;C 133;C 133;D;0')).toBe('+ -null + -0');
  });

  test('prompt marks without starts do not hide ends that another hook marks', () => {
    expect(story('133;A 133;B 7777;done;0 133;A 133;B 7777;done;3')).toBe('-0 -3');
  });
});

describe('a shell that cannot mark its commands', () => {
  test('reports the reason, and marks of other hooks still count', () => {
    const marks = new CommandMarks();
    expect(story('7777;shell;bash;off=PS0_is_readonly', marks)).toBe('');
    expect([marks.shell, marks.off, marks.phase]).toEqual(['bash', 'PS0_is_readonly', 'unknown']);
    expect(story('7777;done;1 7777;done;2', marks)).toBe('-1 -2');
  });

  test('has no prompt and no running command after its report', () => {
    const marks = new CommandMarks();
    expect(story(`7777;shell;zsh ${injected('A')} ${injected('C')}`, marks)).toBe('+');
    expect(story('7777;shell;zsh;off=hooks', marks)).toBe('-null');
    expect([marks.phase, marks.atPrompt, marks.inputStartIsDue, marks.depth]).toEqual(['unknown', false, false, 0]);
  });

  test('is integrated again after a mark of its own', () => {
    const marks = new CommandMarks();
    story(`7777;shell;zsh 7777;shell;zsh;off=a_file_that_was_shown ${injected('A')}`, marks);
    expect([marks.off, marks.phase]).toEqual([undefined, 'prompt']);
  });
});

describe('options', () => {
  test('the command line may be percent-encoded or quoted', () => {
    expect(story('133;C;aid=1;cmdline_url=echo%20%C3%A4%3B%0als')).toBe('+echo ä;\nls');
    expect(story(String.raw`133;C;cmdline=a\;b\\c\"`)).toBe(String.raw`+a;b\c"`);
    expect(story(String.raw`133;C;cmdline=$'100%41\303\244'`)).toBe('+100%41ä');
    expect(story(String.raw`133;C;cmdline=$'a\tb\'c\101'`)).toBe("+a\tb'cA");
  });

  test('broken escapes stay as they are', () => {
    expect(story('133;C;cmdline_url=100%25%zz%4')).toBe('+100%%zz%4');
  });

  test('an exit code that is not a number is null, and unknown letters are ignored', () => {
    expect(story('133;D;err=1 133;Z 133; 633;P;Cwd=/ 7777;toString 9;D;0')).toBe('-null');
  });

  test('a very long command line is cut to its limit', () => {
    const [mark] = new CommandMarks().feed({ code: 133, data: `C;cmdline_url=${'x'.repeat(100_000)}` });
    expect(mark).toMatchObject({ mark: 'command_start', command: expect.stringMatching(/^x{4095}…$/) });
  });
});

describe('hooks that overlap', () => {
  test('all dialects at once report one start and one end for each command', () => {
    const cycle = `${injected('C;cmdline_url=make')} 133;C 633;E;make 633;C
      ${injected('D;2')} 633;D;2 133;D;2 7777;done;2 ${injected('A')} 633;A 133;A ${injected('B')} 133;B 633;B`;
    expect(story(`7777;shell;bash 7777;done;0 ${injected('A')} 133;A ${injected('B')} ${cycle} ${cycle}`)).toBe(
      '+make -2 +make -2',
    );
  });

  test('the first report counts, in any order of the hooks', () => {
    expect(story(`${injected('C')} 7777;done;1 ${injected('D;1')} ${injected('A')}`)).toBe('+ -1');
    expect(story(`${injected('C')} ${injected('D;1')} ${injected('A')} 7777;done;1`)).toBe('+ -1');
  });

  test('an empty line at an injected prompt is not a command, even if another hook reports an end', () => {
    const empty = `7777;done;0 ${injected('A')} ${injected('B')}`;
    const told = story(`7777;shell;zsh ${empty} ${empty} ${injected('C')} ${injected('D;4')} ${empty} ${empty}`);
    expect(told).toBe('+ -4');
  });

  test('any interleaving of two hooks within the prompt reports each command once', () => {
    const cycles = fc.array(
      fc.record({ code: fc.nat(255), swapped: fc.boolean(), late: fc.boolean(), empty: fc.boolean() }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(cycles, (commands) => {
        const marks = new CommandMarks();
        story(`7777;shell;bash ${injected('A')} ${injected('B')}`, marks);
        const told: string[] = [];
        const expected: string[] = [];
        for (const { code, swapped, late, empty } of commands) {
          const ends = [empty ? '' : injected(`D;${code}`), `7777;done;${code}`];
          if (swapped) ends.reverse();
          const prompt = `${injected('A')} ${injected('B')}`;
          const order = late ? [ends[0], prompt, ends[1]] : [...ends, prompt];
          told.push(story([empty ? '' : injected('C'), ...order].join(' '), marks));
          expected.push(empty ? '' : `+ -${code}`);
        }
        expect(told).toEqual(expected);
      }),
    );
  });
});

describe('shells within shells', () => {
  test('an inner shell with its own marks reports its commands, then the outer command ends', () => {
    const told = story(`133;C;aid=1;cmdline_url=bash 133;A;aid=2 133;B;aid=2 133;C;aid=2;cmdline_url=ls 133;D;0;aid=2
      133;A;aid=2 133;D;7;aid=1`);
    expect(told).toBe('+bash +ls -0 -7');
  });

  test('an inner shell that marks only ends does not hide the outer end', () => {
    expect(story('133;C;aid=1;cmdline_url=ssh 7777;done;0 7777;done;1 7777;done;2 133;D;255;aid=1')).toBe(
      '+ssh -0 -1 -2 -255',
    );
  });

  test('the end of an outer command ends the commands nested in it', () => {
    const marks = new CommandMarks();
    expect(story('133;C;aid=1 133;A;aid=2 133;C;aid=2 133;D;130;aid=1', marks)).toBe('+ + -130');
    expect(marks.phase).toBe('done');
  });

  test('a shell that replaced the first one by exec still reports its commands', () => {
    expect(story('133;C;aid=1;cmdline_url=exec 7777;done;0 7777;done;3')).toBe('+exec -0 -3');
  });
});

describe('phases', () => {
  test('follow the prompt, the input and the command', () => {
    const marks = new CommandMarks();
    const phases = ['133;A', '133;B', '133;C', '133;D;0'].map((sequence) => {
      story(sequence, marks);
      return `${marks.phase} ${marks.atPrompt}`;
    });
    expect(phases).toEqual(['prompt true', 'input true', 'running false', 'done false']);
  });

  test('any mark reports at most one start and one end, and a start leads to running', () => {
    const mark = fc.record({
      code: fc.constantFrom(133, 633, 7777),
      data: fc.constantFrom(
        'A',
        'B',
        'C',
        'D;0',
        'E;ls',
        'done;1',
        'shell;x',
        'A;aid=1',
        'C;aid=1',
        'D;2;aid=1',
        'C;aid=2',
        'D;aid=2',
      ),
    });
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 100 }), (sequences) => {
        const marks = new CommandMarks();
        for (const sequence of sequences) {
          const told = marks.feed(sequence);
          expect(told.filter((one) => one.mark === 'command_done').length).toBeLessThanOrEqual(1);
          expect(told.filter((one) => one.mark === 'command_start').length).toBeLessThanOrEqual(1);
          if (told.some((one) => one.mark === 'command_start')) expect(marks.phase).toBe('running');
        }
      }),
    );
  });
});
