/** Draws of the trial `verdicts` that are the same each time: some of each shell, setting, leftover, program and way. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Client } from '../../src/client/index.js';
import { aroundOf } from '../../trials/verdicts/around.js';
import { describe as inWords, drawOf } from '../../trials/verdicts/draw.js';
import { FIRST_OF_PEOPLE } from '../../trials/verdicts/people.js';
import { Examination } from '../../trials/verdicts/examination.js';
import { Tmux } from '../../trials/verdicts/truths.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { ROOT } from '../support/consumer.js';
import { findProgram, requireProgram } from '../support/programs.js';

const PROGRAMS = ['tmux', 'bash', 'zsh', 'fish', 'dash', 'mksh', 'ksh93', 'busybox', 'python3'];
/** At a time: most of a draw is waits. */
const SIDE = 4;
/** Those of which docs/limits.md says that it cannot be known, and that the trial has seen go wrong on a busy machine. */
const LEFT_OUT = new Set([0, 1, 12, 26, 33, 54]);
/** Of what people have in their shells: frameworks, redirected output, hooks, text that the shell itself holds. */
const OF_PEOPLE = Array.from({ length: 30 }, (_, at) => FIRST_OF_PEOPLE + at);
/**
 * Those that were wrong once: a region around a line without a mark, a forged line, a line to verify, traces of a pipe, a line
 * that is cut behind a prompt without echo.
 */
const ONCE_WRONG = [110_308, 200_680, 200_193, 200_092, 200_347, 300_926, 401_682];
const NUMBERS = [...Array.from({ length: 60 }, (_, at) => at), ...OF_PEOPLE, ...ONCE_WRONG].filter(
  (number) => !LEFT_OUT.has(number),
);
/** What ends and what is inherited, counted and read by the programs themselves. */
const AROUND = Array.from({ length: 10 }, (_, at) => aroundOf(FIRST_OF_PEOPLE + 10 * at + 9)).filter(
  (draw) => draw !== undefined,
);

let daemon: TestDaemon;
let client: Client;
let other: Client;
let tmux: Tmux;
beforeAll(async () => {
  daemon = await startDaemon();
  client = await connect({ socketPath: daemon.socketPath });
  other = await connect({ socketPath: daemon.socketPath });
  tmux = new Tmux(daemon.dir);
});
afterAll(async () => {
  await tmux.stop();
  await client.close();
  await other.close();
  await daemon.stop();
});

describe.skipIf(process.platform !== 'linux')('what is said of a command', () => {
  it('is what a pipe, tmux and the draw say', async () => {
    for (const program of PROGRAMS) requireProgram(program);
    const wrong: string[] = [];
    const draws = NUMBERS.map((number) => drawOf(number, (program) => findProgram(program) !== undefined));
    // A change of size in the middle is a race that the trial draws.
    const queue = draws.filter(({ meanwhile }) => meanwhile !== 'a resize');
    expect(queue.length).toBeGreaterThan(40);
    const work = async (): Promise<void> => {
      for (let draw = queue.shift(); draw !== undefined; draw = queue.shift()) {
        const verdict = await new Examination(draw, client, other, tmux).verdict();
        wrong.push(...verdict.wrong.map((sentence) => `${inWords(draw)}: ${sentence}`));
      }
    };
    await Promise.all(Array.from({ length: SIDE }, work));
    expect(wrong).toEqual([]);
  });

  it.concurrent.each(AROUND.map((draw) => [draw.text, draw] as const))('around: %s', async (_, draw) => {
    requireProgram('python3');
    expect(await draw.wrong(client, ROOT)).toEqual([]);
  });
});
