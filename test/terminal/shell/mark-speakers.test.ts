import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CommandMarks } from './one-shell.js';

/** Starts as `+name`, ends as `-code`, prompts as `>`, complete ones as `$`. */
function story(sequences: string, marks = new CommandMarks()): string {
  const told: string[] = [];
  for (const sequence of sequences.trim().split(/\s+/)) {
    const [code = '', ...data] = sequence.split(';');
    for (const mark of marks.feed({ code: Number(code), data: data.join(';') })) {
      if (mark.mark === 'prompt_start') told.push('>');
      if (mark.mark === 'input_start') told.push('$');
      if (mark.mark === 'command_start') told.push(`+${mark.command ?? ''}`);
      if (mark.mark === 'command_done') told.push(`-${mark.code ?? 'null'}`);
    }
  }
  return told.join(' ');
}

/** What a fish that marks itself says, with the marks of the injected script or without. */
class Fish {
  readonly #aid: number | undefined;

  constructor(aid?: number) {
    this.#aid = aid;
  }

  start(): string {
    return `${this.#aid === undefined ? '' : '7777;shell;fish'} ${this.prompt()}`;
  }

  prompt(): string {
    return `${this.#script('A')} 133;A;click_events=1 ${this.#script('B')} 133;B`;
  }

  runs(command: string): string {
    return `133;C;cmdline_url=${command} ${this.#script('C', `;cmdline_url=${command}`)}`;
  }

  ends(code: number): string {
    return `133;D;${code} ${this.#script(`D;${code}`)}`;
  }

  comment(): string {
    return `133;C;cmdline_url=%23%20comment ${this.ends(0)} ${this.prompt()}`;
  }

  #script(mark: string, options = ''): string {
    return this.#aid === undefined ? '' : `133;${mark};aid=${this.#aid}${options}`;
  }
}

describe('a shell that marks itself and has the injected marks', () => {
  const fish = new Fish(1);

  test('reports each prompt, start and end once', () => {
    const told = story(`${fish.start()} ${fish.runs('ls')} ${fish.ends(7)} ${fish.prompt()}`);
    expect(told).toBe('> $ +ls -7 > $');
  });

  test('reports no comments, and no prompts that only its own marks redraw', () => {
    const marks = new CommandMarks();
    story(`${fish.start()} ${fish.runs('ls')} ${fish.ends(7)} ${fish.prompt()}`, marks);
    expect(story(fish.comment(), marks)).toBe('> $');
    expect(story('133;A;click_events=1 133;B;aid=1 133;B', marks)).toBe('$');
  });

  test('reports its prompt once if its own hooks mark the end and the prompt before the script does', () => {
    const prompt = '133;A 133;A;aid=1 133;B 133;B;aid=1';
    const turn = '133;C 133;C;aid=1;cmdline_url=ls 133;D;7 133;A 133;D;7;aid=1 133;A;aid=1 133;B 133;B;aid=1';
    const marks = new CommandMarks();
    story(`7777;shell;zsh ${prompt} ${turn}`, marks);
    expect(story(turn, marks)).toBe('+ls -7 > $');
  });

  test('reports its first prompt once, even if its own marks come before the injected ones', () => {
    expect(story('7777;shell;fish 133;A;click_events=1 133;B 133;A;aid=1 133;B;aid=1')).toBe('> $');
  });

  test('is not mistaken for a nested shell while its command runs', () => {
    expect(story(`${fish.start()} ${fish.runs('ls')} 133;D;0`)).toBe('> $ +ls');
  });
});

describe('a shell that marks itself, without the injected marks', () => {
  const plain = new Fish();

  test('reports commands by its own marks, and no comments', () => {
    const told = story(`${plain.start()} ${plain.comment()} ${plain.runs('ls')} ${plain.ends(3)} ${plain.comment()}`);
    expect(told).toBe('> $ > $ +ls -3 > $');
  });

  test.each([
    ['bash', '7777;shell;bash 133;A;aid=1 133;B;aid=1', '133;C;aid=1;cmdline_url=ssh', '133;D;9;aid=1 133;A;aid=1'],
    ['fish', new Fish(1).start(), new Fish(1).runs('ssh'), `${new Fish(1).ends(9)} ${new Fish(1).prompt()}`],
  ])('is followed within a command of an injected %s, which is followed again afterwards', (_, start, ssh, back) => {
    const marks = new CommandMarks();
    expect(story(`${start} ${ssh}`, marks)).toBe('> $ +ssh');
    expect(story(`${plain.start()} ${plain.runs('ls')} ${plain.ends(3)} ${plain.prompt()}`, marks)).toBe(
      '> $ +ls -3 > $',
    );
    expect(story(`${plain.runs('exit')} ${plain.ends(3)} ${back}`, marks)).toMatch(/^\+exit -3 -9 >/);
    expect(story('133;C;aid=1;cmdline_url=pwd 133;D;0;aid=1', marks)).toBe('+pwd -0');
  });

  test('is followed after it replaces an injected shell, even from a startup file', () => {
    expect(story(`7777;shell;zsh ${plain.start()} ${plain.runs('ls')} ${plain.ends(3)}`)).toBe('> $ +ls -3');
    const exec = `7777;shell;bash 133;A;aid=1 133;B;aid=1 133;C;aid=1;cmdline_url=exec ${plain.start()}`;
    expect(story(`${exec} ${plain.runs('ls')} ${plain.ends(3)} ${plain.prompt()}`)).toBe('> $ +exec > $ +ls -3 > $');
  });

  test('is followed again after a nested injected shell', () => {
    const inner = '7777;shell;bash 133;A;aid=2 133;B;aid=2 133;C;aid=2;cmdline_url=exit';
    const told = story(`${plain.start()} ${plain.runs('bash')} ${inner} ${plain.ends(5)} ${plain.prompt()}`);
    expect(told).toBe('> $ +bash > $ +exit -5 > $');
    const closed = '7777;shell;bash 133;A;aid=2 133;B;aid=2';
    expect(story(`${plain.start()} ${plain.runs('bash')} ${closed} ${plain.ends(5)} ${plain.prompt()}`)).toBe(
      '> $ +bash > $ -5 > $',
    );
  });
});

describe('hooks of the user beside the injected marks', () => {
  test('are ignored after they have marked a prompt, with any exit code', () => {
    const prompt = '133;A;aid=1 133;A 133;B 133;B;aid=1';
    const marks = new CommandMarks();
    story(`7777;shell;bash 133;D;0 ${prompt}`, marks);
    expect(story(`133;C;aid=1;cmdline_url=ls 133;C 133;D;99 133;D;2;aid=1 ${prompt}`, marks)).toBe('+ls -2 > $');
  });

  test('of a nested shell are followed if they mark only ends', () => {
    expect(story('133;A;aid=1 133;B;aid=1 133;C;aid=1;cmdline_url=ssh 133;D;4 133;D;5 133;D;0;aid=1')).toBe(
      '> $ +ssh -4 -5 -0',
    );
  });

  test('are followed after the script reports that it cannot mark commands', () => {
    expect(story('7777;shell;fish 133;A 7777;shell;fish;off=x 133;A 133;C 133;D;3')).toBe('> + -3');
  });
});

test('each command of nested shells is reported once, in order', () => {
  interface Session {
    readonly injected: boolean;
    readonly commands: readonly (number | 'comment' | Session)[];
  }
  const { session } = fc.letrec<{ session: Session }>((tie) => ({
    session: fc.record({
      injected: fc.boolean(),
      commands: fc.array(fc.oneof({ maxDepth: 3 }, fc.nat(255), fc.constant('comment' as const), tie('session')), {
        maxLength: 4,
      }),
    }),
  }));
  let aids = 0;
  // Of two shells in each other that do not name themselves it is unknown which one speaks.
  const play = ({ injected: asked, commands }: Session, expected: string[], isNamed = true): string => {
    const injected = asked || !isNamed;
    const fish = new Fish(injected ? ++aids : undefined);
    const said = [fish.start()];
    for (const command of commands) {
      if (command === 'comment') said.push(fish.comment());
      else if (typeof command === 'number') {
        said.push(fish.runs('ls'), fish.ends(command), fish.prompt());
        expected.push('+ls', `-${command}`);
      } else {
        expected.push('+fish');
        said.push(fish.runs('fish'), play(command, expected, injected && isNamed), fish.ends(77), fish.prompt());
        expected.push('-77');
      }
    }
    said.push(fish.runs('exit'), fish.ends(0));
    expected.push('+exit', '-0');
    return said.join(' ');
  };
  fc.assert(
    fc.property(session, (outer) => {
      const expected: string[] = [];
      const said = play(outer, expected);
      const told = story(said)
        .split(' ')
        .filter((mark) => mark !== '>' && mark !== '$');
      expect(told).toEqual(expected);
    }),
  );
});
