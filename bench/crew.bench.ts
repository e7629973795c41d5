/**
 * The shell of the crew, beside the bounds that it was made for: how soon a question is in the rail, what a frame costs beside one of
 * Ink, what 30 agents cost shell and daemon, and what the tools of the crew cost beside those of the default profile.
 */
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { agentScreen, FifoAgents } from './crew/fifo-agents.js';
import { frameFigures } from './crew/frames.js';
import { cpuSeconds, startShell } from './crew/shell-process.js';
import { firstAnswerFigure } from './crew/first-answer.js';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { median, type BenchContext, type Figure } from './support/figure.js';

const AGENTS = 30;
const QUESTIONS = 15;
/** Spinners of agents turn about so often. */
const UPDATE_MS = 100;
const UPDATES = 50;
const ROUNDS = 3;
const QUESTION_MS = 250;
/** Half of what was measured first. */
const CROWD_PERCENT = 11.3;
const SCHEMA_BYTES = 14 * 1024;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  // That of the terminal in which the person has the shell: its work is not that of the crew.
  const outer = await startBenchDaemon(root);
  try {
    const agents = await FifoAgents.start(daemon, AGENTS);
    try {
      return [
        ...(await questionFigures(root, daemon, outer, agents)),
        ...(await frameFigures(root, daemon)),
        ...(await crowdFigures(root, daemon, outer, agents)),
        await firstAnswerFigure(root, daemon, agents.first),
        schemaFigure(root),
      ];
    } finally {
      agents.close();
    }
  } finally {
    await outer.stop();
    await daemon.stop();
  }
}

async function questionFigures(
  root: string,
  daemon: BenchDaemon,
  outer: BenchDaemon,
  agents: FifoAgents,
): Promise<Figure[]> {
  const shell = await startShell({ root, daemon, outer });
  const restingMs = await questionsMs(shell.id, outer, agents, () => {});
  let turn = 0;
  const busyMs = await questionsMs(shell.id, outer, agents, () => agents.updateAll(turn++, 1));
  await shell.stop();
  const figure = (when: string, ms: readonly number[]): Figure => ({
    name: `a question is in the rail, ${when}, median`,
    value: median(ms),
    unit: ' ms',
    limit: QUESTION_MS,
    note: `worst of ${ms.length}: ${Math.max(...ms).toFixed(0)} ms`,
  });
  return [figure('all at rest', restingMs), figure(`${AGENTS - 1} others drawing`, busyMs)];
}

/** From the write of the program until the terminal of the person has it. */
async function questionsMs(
  shell: string,
  { client }: BenchDaemon,
  agents: FifoAgents,
  beside: () => void,
): Promise<readonly number[]> {
  const timer = setInterval(beside, UPDATE_MS);
  const times: number[] = [];
  try {
    for (let i = 0; i < QUESTIONS; i++) {
      const text = `command ${i}?`;
      const shown = client.call('wait', { id: shell, until: { text }, timeout_ms: 20_000, tail: 0 });
      // The request has arrived by then.
      await client.call('ping');
      const start = performance.now();
      agents.write(0, agentScreen({ asks: `Do you want to run ${text}` }));
      const { outcome } = await shown;
      if (outcome !== 'matched') throw new Error(`the rail has not shown "${text}": ${outcome}`);
      times.push(performance.now() - start);
      agents.write(0, agentScreen({ turn: i }));
      await client.call('wait', { id: shell, until: { gone: text }, timeout_ms: 20_000, tail: 0 });
    }
  } finally {
    clearInterval(timer);
  }
  return times;
}

interface Used {
  readonly daemon: number;
  readonly shell: number;
  readonly seconds: number;
}

/** The same updates with the shell and without, in turns. */
async function crowdFigures(
  root: string,
  daemon: BenchDaemon,
  outer: BenchDaemon,
  agents: FifoAgents,
): Promise<Figure[]> {
  const { pid } = await daemon.client.call('ping');
  const runs: Record<'with' | 'without', Used[]> = { with: [], without: [] };
  for (let round = 0; round < ROUNDS; round++) {
    runs.without.push(await updated(agents, pid, undefined));
    const shell = await startShell({ root, daemon, outer, shows: agents.first });
    runs.with.push(await updated(agents, pid, shell.pid));
    await shell.stop();
  }
  const of = (kind: keyof typeof runs, value: (used: Used) => number): number => median(runs[kind].map(value));
  const both = of('with', ({ daemon: own, shell, seconds }) => (own + shell) / seconds);
  const alone = of('without', ({ daemon: own, seconds }) => own / seconds);
  const shell = of('with', (used) => used.shell / used.seconds);
  return [
    {
      name: `processor time of shell and daemon, ${AGENTS} agents that draw ${1000 / UPDATE_MS} times a second`,
      value: both * 100,
      unit: ' % of a core',
      limit: CROWD_PERCENT,
      note: `shell ${percent(shell)}, the daemon without a shell ${percent(alone)}`,
    },
  ];
}

async function updated(agents: FifoAgents, daemonPid: number, shellPid: number | undefined): Promise<Used> {
  const read = (): { daemon: number; shell: number } => ({
    daemon: cpuSeconds(daemonPid),
    shell: shellPid === undefined ? 0 : cpuSeconds(shellPid),
  });
  const before = read();
  const start = performance.now();
  await agents.updateFor(UPDATES, UPDATE_MS);
  const after = read();
  const seconds = (performance.now() - start) / 1000;
  return { daemon: after.daemon - before.daemon, shell: after.shell - before.shell, seconds };
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

function schemaFigure(root: string): Figure {
  const cli = path.join(realpathSync(root), 'dist/cli.cjs');
  const printed = execFileSync(process.execPath, [cli, 'tools', '--profile', 'crew'], { encoding: 'utf8' });
  const schemas = JSON.parse(printed) as readonly unknown[];
  return {
    name: `schemas of the ${schemas.length} tools of the crew`,
    value: Buffer.byteLength(JSON.stringify(schemas)) / 1024,
    unit: ' KB',
    limit: SCHEMA_BYTES / 1024,
  };
}
