/** Screens by chance in a pane of tmux 3.3a and of the door beside it: `capture-pane` has the same bytes of them, and formats the same cursor. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { eventually } from '../support/eventually.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { pick, type Random, seeded } from '../support/rights.js';
import { DOOR, type Tmux, tmuxOf } from '../support/tmux.js';
import { runsOf, seedOfRun } from '../support/trial.js';
import { compared } from './compared.js';

const cli = useCliDaemon();
const SEED = Number(process.env['T4A_TEST_SEED'] ?? seedOfRun());

/** In the escapes of JSON. */
const PIECES =
  String.raw`word¦back\\slash¦  blanks  ¦\r\n¦\r\n¦\r\n¦\t¦\u001b[31m¦\u001b[1;4m¦\u001b[m¦\u001b[38;5;200m¦\u001b[38;2;1;2;3m¦\u001b[7m¦\u001b[91m¦\u001b[0;3;9m¦\u001b[27m¦\u001b[39m¦é¦ünï¦─│¦\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n¦\u001b[?1h¦\u001b[?25l¦\u001b[?25h¦\u001b=¦\u001b[?1000h\u001b[?1006h¦\u001b[?1000l`
    .split('¦')
    .map((one) => String(JSON.parse(`"${one}"`)));

/** Rows that are printed over are not both: what continues a row is another question there. */
const MOVES = ['\x1b[H', '\x1b[3;5H', '\x1b[A', '\x1b[5C', '\x1b[2D', '\x1b[10G', '\r', '\b'];
const WRAPS = ['a long line that goes on and on until it wraps over the edge of the pane'];

const CAPTURES =
  ',-e,-J,-N,-e -J,-e -N,-C -e,-S -,-S - -e,-S - -J,-S -5 -E 2,-S 2 -E -3,-S -3 -E -1,-E 0,-S 99,-S -99,-S abc,-S 3 -E 1,-a,-a -e,-a -q,-a -q -S 1 -E 2,-a -S -,-a -J,-E -,-S - -E -'.split(
    ',',
  );

const FACTS =
  '#{cursor_x},#{cursor_y} #{cursor_flag} #{cursor_character} #{history_size} #{alternate_on} #{alternate_saved_x},#{alternate_saved_y} #{insert_flag}#{keypad_cursor_flag}#{keypad_flag}#{wrap_flag}#{mouse_any_flag}#{mouse_sgr_flag} #{pane_width}x#{pane_height}';

function draw(random: Random): string {
  const pieces = [...PIECES, ...(random() < 0.5 ? MOVES : WRAPS)];
  const some = (most: number): string =>
    Array.from({ length: Math.floor(random() * most) }, () => pick(random, pieces)).join('');
  return some(30) + (random() < 0.5 ? `\x1b[?1049h\x1b[H${some(10)}` : '');
}

for (let run = 0; run < runsOf({ suite: 3, trial: 20 }); run++) {
  const seed = SEED + run;
  itNeeds('tmux')(`draw ${seed} of a screen is captured as tmux captures it`, async () => {
    const random = seeded(seed);
    const shown = draw(random);
    const more = { T4A_SOCKET: cli.daemon.socketPath, PATH: `${dirname(DOOR)}:${process.env['PATH']}` };
    const both = [tmuxOf(findProgram('tmux') ?? 'tmux'), tmuxOf(undefined, more)] as const;
    for (const tmux of both) {
      writeFileSync(join(tmux.cwd, 'shown'), `${shown}\x1b]2;all is shown\x07`);
      await tmux('new-session', '-d', '-x', '40', '-y', '8', 'stty raw -echo; cat shown; exec sleep 1000');
      await eventually(async () =>
        expect((await tmux('display-message', '-p', '#{pane_title}')).stdout).toBe('all is shown\n'),
      );
    }
    const ask = async (tmux: Tmux): Promise<string[]> => {
      const answers = [`${FACTS} -> ${compared(await tmux('display-message', '-p', FACTS))}`];
      for (const flags of CAPTURES) {
        const words = flags.split(' ').filter(Boolean);
        answers.push(`${flags} -> ${JSON.stringify(compared(await tmux('capture-pane', '-p', ...words)))}`);
      }
      return answers;
    };
    expect(await ask(both[1]), JSON.stringify(shown)).toEqual(await ask(both[0]));
  });
}

itNeeds('tmux')('a format finds the row in which a text is', async () => {
  const formats = 'C:needle C:nothing C:two C/r:n.+e C/i:NEEDLE C/ri:N.*E C:* C/r:^$ C/r:( =1;C:needle'.split(' ');
  const format = formats.map((one) => `#{${one}}`).join(' ');
  const said: string[] = [];
  for (const tmux of [
    tmuxOf(findProgram('tmux') ?? 'tmux'),
    tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath }),
  ]) {
    await tmux('new-session', '-d', '-x', '40', '-y', '8', String.raw`printf 'one\ntwo\nthree needle\n'; exec cat`);
    await eventually(async () => expect((await tmux('capture-pane', '-p')).stdout).toContain('needle'));
    said.push((await tmux('display-message', '-p', format)).stdout);
  }
  expect(said[0]).toBe('3 0 2 3 3 1 1 4 0 3\n');
  expect(said[1]).toBe(said[0]);
});
