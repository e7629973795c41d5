/**
 * Twenty tasks by a script in place of a model: with t4a's tools over MCP, and with a shell, tmux and a helper that polls. What a model
 * would write and read, in tokens of o200k (GPT-4o and later; others count some percent more or less). Each result is checked.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { McpAgent } from './tasks/mcp-agent.js';
import { missingPrograms, runTask, type Ran } from './tasks/run-task.js';
import { TASKS } from './tasks/tasks.js';
import { TmuxAgent } from './tasks/tmux-agent.js';
import type { Task } from './tasks/task.js';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { median, type BenchContext, type Figure } from './support/figure.js';

const STARTS = 15;
/** Those that the scripts call. */
const FEW = 'create,run,type,press,kill';

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  try {
    return [...(await figures(root, daemon)), await readyFigure(root, daemon)];
  } finally {
    await daemon.stop();
  }
}

async function figures(root: string, daemon: BenchDaemon): Promise<Figure[]> {
  const rows: { readonly task: Task; readonly mcp: Ran; readonly tmux: Ran }[] = [];
  for (const task of TASKS) {
    const missing = missingPrograms({ ...task, programs: [...task.programs, 'tmux'] });
    if (missing.length > 0) {
      console.log(`     left out: ${task.name} (no ${missing.join(', ')})`);
      continue;
    }
    const mcp = await byMcp(root, daemon, task);
    const tmux = await runTask(task, (directory) => TmuxAgent.start(countTokens, directory), task.tmux);
    rows.push({ task, mcp, tmux });
    console.log(`     ${task.name}: t4a ${wordsOf(mcp)}; tmux ${wordsOf(tmux)}`);
  }
  const [first] = rows;
  if (first === undefined) return [];
  const few = await byMcp(root, daemon, first.task, ['--tools', FEW]);
  console.log(
    `     ${execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim()}; schemas: t4a ${first.mcp.offered}, with --tools ${FEW} ${few.offered}; tmux ${first.tmux.offered}`,
  );
  const sum = (side: 'mcp' | 'tmux', value: (ran: Ran) => number): number =>
    rows.reduce((total, row) => total + value(row[side]), 0);
  const beside = (name: string, value: (ran: Ran) => number, limit?: number): Figure => ({
    name: `${rows.length} tasks, ${name}, times tmux`,
    value: sum('mcp', value) / sum('tmux', value),
    note: `${Math.round(sum('mcp', value))} against ${Math.round(sum('tmux', value))}`,
    ...(limit === undefined ? {} : { limit }),
  });
  const total = (ran: Ran): number => ran.written + ran.read;
  return [
    beside('calls', ({ calls }) => calls, 1.1),
    beside('tokens that the model writes', ({ written }) => written),
    beside('tokens that the model reads', ({ read }) => read, 0.8),
    beside('tokens without schemas', total, 1),
    {
      name: `${rows.length} tasks, tokens with the schemas once, times tmux`,
      value: (first.mcp.offered + sum('mcp', total)) / (first.tmux.offered + sum('tmux', total)),
      limit: 1.2,
      note: `${first.mcp.offered + sum('mcp', total)} against ${first.tmux.offered + sum('tmux', total)}; with --tools ${FEW} ${few.offered + sum('mcp', total)}`,
    },
    beside('seconds', ({ seconds }) => seconds),
  ];
}

/** From the start of `t4a mcp` until its client has the tools. */
async function readyFigure(root: string, { socketPath, dir }: BenchDaemon): Promise<Figure> {
  const place = { cli: path.join(root, 'dist/cli.cjs'), socketPath, directory: dir };
  const ready = async (): Promise<number> => {
    const start = performance.now();
    const agent = await McpAgent.start(countTokens, place);
    const ms = performance.now() - start;
    await agent.close();
    return ms;
  };
  const bare = (): number => {
    const start = performance.now();
    execFileSync(process.execPath, ['-e', '0']);
    return performance.now() - start;
  };
  await ready();
  const pairs: { readonly ready: number; readonly bare: number }[] = [];
  for (let i = 0; i < STARTS; i++) pairs.push({ ready: await ready(), bare: bare() });
  return {
    name: '`t4a mcp` with its tools listed, times `node -e 0`',
    value: median(pairs.map((pair) => pair.ready / pair.bare)),
    // 1.2 times what it took in November 2026.
    limit: 9.2,
    note: `${median(pairs.map((pair) => pair.ready)).toFixed(0)} ms against ${median(pairs.map((pair) => pair.bare)).toFixed(0)} ms`,
  };
}

async function byMcp(root: string, daemon: BenchDaemon, task: Task, options: readonly string[] = []): Promise<Ran> {
  const place = { cli: path.join(root, 'dist/cli.cjs'), socketPath: daemon.socketPath };
  try {
    return await runTask(task, (directory) => McpAgent.start(countTokens, { ...place, directory }, options), task.mcp);
  } finally {
    const { terminals } = await daemon.client.call('list');
    for (const { id } of terminals) await daemon.client.call('kill', { id });
  }
}

function wordsOf({ calls, written, read, seconds }: Ran): string {
  return `${calls} calls, ${written} written, ${read} read, ${seconds.toFixed(1)} s`;
}
