/** Command lines by chance, with tmux 3.3a and with the door beside it: equal in exit status, output, errors, and in what they leave. */
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { seeded } from '../support/rights.js';
import { DOOR, type Tmux, tmuxOf } from '../support/tmux.js';
import { runsOf, seedOfRun } from '../support/trial.js';
import { compared } from './compared.js';
import { drawLine } from './draws.js';

const cli = useCliDaemon();
const SEED = Number(process.env['T4A_TEST_SEED'] ?? seedOfRun());

const real = (): Tmux => tmuxOf(findProgram('tmux') ?? 'tmux');
const door = (): Tmux =>
  tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath, PATH: `${dirname(DOOR)}:${process.env['PATH']}` });

const STATE = [
  ['list-windows', '-a', '-F', '#S:#I #{window_id} #W #F #{window_layout}'],
  ['list-panes', '-a', '-F', '#S:#I.#P #D #{pane_active}#{pane_last} #{pane_title}'],
  ['list-buffers'],
];

for (let run = 0; run < runsOf({ suite: 2, trial: 16 }); run++) {
  const seed = SEED + run;
  itNeeds('tmux')(
    `draw ${seed} of command lines is answered as tmux answers it`,
    async () => {
      const random = seeded(seed);
      const both = [real(), door()] as const;
      const done: string[] = [];
      const same = async (line: readonly string[]): Promise<string> => {
        const [left, right] = await Promise.all(both.map(async (tmux) => compared(await tmux(...line))));
        expect(right, `after\n${done.join('\n')}\n> ${JSON.stringify(line)}\n${left}\n`).toBe(left);
        done.push(`${JSON.stringify(line)} -> ${left}`);
        return left ?? '';
      };
      await same(['new-session', '-d', '-s', 'a', '-n', 'first', '-x', '80', '-y', '24', 'exec sleep 1000']);
      // It names windows by the clock.
      await same(['set-option', '-g', 'automatic-rename', 'off']);
      for (let at = 0; at < runsOf({ suite: 40, trial: 50 }); at++) {
        await same(drawLine(random));
        if (at % 4 === 3) for (const line of STATE) await same(line);
        if ((await same(['list-sessions', '-F', '#S'])).startsWith('1')) break;
      }
    },
    300_000,
  );
}
