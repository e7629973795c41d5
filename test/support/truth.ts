/** Runs the programs of the truth table in a shell, and compares what the daemon says with what they said themselves. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { request, type TestDaemon } from './daemon.js';
import { requireProgram } from './programs.js';
import type { TruthProgram } from './truth-programs.js';

/** `false-done`: said to be over or asking when it was not. `false-busy`: nothing said in time. */
export type Verdict = 'right' | 'false-done' | 'false-busy' | 'wrong-kind' | 'wrong-code';

export interface TruthRow {
  readonly name: string;
  readonly truth: string;
  readonly said: string;
  readonly verdict: Verdict;
  /** From the input to the answer, over all steps. */
  readonly elapsedMs: number;
}

const STEP_TIMEOUT_MS = 15_000;

export async function runTruthProgram(daemon: TestDaemon, program: TruthProgram, slot: number): Promise<TruthRow> {
  const dir = path.join(daemon.dir, `truth-${slot}`);
  const bin = path.join(dir, 'bin');
  mkdirSync(bin, { recursive: true });
  const channel = path.join(dir, 'channel');
  const script = path.join(dir, 'program');
  writeFileSync(channel, '');
  writeFileSync(path.join(dir, 'keys'), 'a\nb\nc\n');
  writeFileSync(script, `${program.script}\n`);
  writeFileSync(path.join(bin, 'mark'), `#!/bin/sh\necho "$1" >> '${channel}'\n`);
  chmodSync(path.join(bin, 'mark'), 0o755);
  const env = { PATH: `${bin}:${process.env['PATH']}`, KEYS: path.join(dir, 'keys'), HOME: dir };
  const until = [{ done: true }, { awaiting_input: true }];
  const created = await request(daemon, {
    cmd: 'create',
    cmd_args: [requireProgram('bash')],
    env,
    wait: { until: { done: true }, timeout_ms: STEP_TIMEOUT_MS },
  });
  const id = String(created['id']);
  const said: string[] = [];
  let verdict: Verdict = 'right';
  let elapsedMs = 0;
  let input = `bash ${script}\r`;
  for (const [step, truth] of program.truth.entries()) {
    const turn = { cmd: 'send', id, input, wait: { until, timeout_ms: STEP_TIMEOUT_MS } };
    const reply = await request(daemon, turn);
    if (reply['ok'] !== true) throw new Error(`${program.name}: ${JSON.stringify(reply)} after ${said.join(', ')}`);
    const wait = reply['wait'] as Wait;
    elapsedMs += wait.elapsed_ms;
    const marks = readFileSync(channel, 'utf8').split('\n').filter(Boolean);
    said.push(describe(wait));
    verdict = judge(wait, truth, marks, program.truth.slice(0, step + 1));
    if (verdict !== 'right') break;
    if ('asks' in truth) input = truth.answer.replaceAll('\n', '\r');
  }
  await request(daemon, { cmd: 'kill', id });
  const truth = program.truth.map((one) => ('asks' in one ? `asks ${one.asks}` : `ends ${one.ends}`)).join(', ');
  return { name: program.name, truth, said: said.join(', '), verdict, elapsedMs };
}

interface Wait {
  readonly outcome: string;
  readonly index?: number;
  readonly code?: number | null;
  readonly awaiting_input?: { readonly kind: string; readonly process: string; readonly certain: boolean };
  readonly elapsed_ms: number;
}

function describe({ outcome, index, code, awaiting_input: input }: Wait): string {
  if (outcome !== 'matched') return outcome;
  return index === 0 ? `ends ${code}` : `asks ${input?.kind}${input?.certain === true ? '' : ' (likely)'}`;
}

function judge(
  wait: Wait,
  truth: TruthProgram['truth'][number],
  marks: readonly string[],
  steps: TruthProgram['truth'],
): Verdict {
  if (wait.outcome !== 'matched') return 'false-busy';
  if ('ends' in truth) {
    if (wait.index !== 0 || !marks.includes('ended')) return 'false-done';
    return wait.code === truth.ends ? 'right' : 'wrong-code';
  }
  const asked = marks.filter((mark) => mark === 'asking').length;
  const due = steps.filter((one) => 'asks' in one).length;
  if (wait.index !== 1 || asked < due) return 'false-done';
  return wait.awaiting_input?.kind === truth.asks ? 'right' : 'wrong-kind';
}

/** All of them, a few at a time. */
export async function runTruthTable(
  daemon: TestDaemon,
  programs: readonly TruthProgram[],
  atOnce: number,
): Promise<TruthRow[]> {
  const rows: TruthRow[] = [];
  const queue = [...programs.entries()];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [slot, program] = next;
      rows[slot] = await runTruthProgram(daemon, program, slot);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return rows;
}

export function formatTruthTable(rows: readonly TruthRow[]): string {
  const cells = [['program', 'truth', 'said', 'verdict', 'ms']].concat(
    rows.map((row) => [row.name, row.truth, row.said, row.verdict, String(row.elapsedMs)]),
  );
  const widths = [0, 1, 2, 3, 4].map((col) => Math.max(...cells.map((row) => row[col]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, col) => cell.padEnd(widths[col] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
