/**
 * What each way to the daemon costs: a command as a process, beside Node doing nothing, and a picture over MCP, beside the
 * socket itself. Runs alternate, so that a drifting machine drifts for both.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { launch } from '../src/client/index.js';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { median, type BenchContext, type Figure } from './support/figure.js';

const RUNS = 61;
const CALLS = 60;

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  't4a text @': ['text', '@'],
  't4a press @ a': ['press', '@', 'a'],
  't4a screenshot @ -o file': ['screenshot', '@', '-o', '/dev/null'],
};

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const daemon = await startBenchDaemon(root);
  const terminal = await launch({ client: daemon.client, command: 'echo ready; cat > /dev/null' });
  await terminal.waitForText('ready');
  await terminal.screenshot();
  const figures = [...commandFigures(root, daemon), await mcpFigure(root, daemon, terminal.id)];
  await daemon.stop();
  return figures;
}

function commandFigures(root: string, { socketPath }: BenchDaemon): Figure[] {
  const cli = path.join(root, 'dist/cli.cjs');
  return Object.entries(COMMANDS).map(([name, args]) => {
    const asked = (): number => time([cli, '--socket', socketPath, ...args]);
    asked();
    time(['-e', '0']);
    const pairs = Array.from({ length: RUNS }, () => ({ asked: asked(), bare: time(['-e', '0']) }));
    return {
      name: `\`${name}\`, times \`node -e 0\``,
      value: median(pairs.map((pair) => pair.asked / pair.bare)),
      limit: 1.5,
      note: `${median(pairs.map((pair) => pair.asked)).toFixed(1)} ms against ${median(pairs.map((pair) => pair.bare)).toFixed(1)} ms`,
    };
  });
}

async function mcpFigure(root: string, { socketPath, client }: BenchDaemon, id: string): Promise<Figure> {
  const mcp = new McpClient({ name: 'bench', version: '1' });
  const args = [path.join(root, 'dist/cli.cjs'), '--socket', socketPath, 'mcp'];
  await mcp.connect(new StdioClientTransport({ command: process.execPath, args }));
  const overMcp = (): Promise<unknown> => mcp.callTool({ name: 'screenshot', arguments: { id } });
  const raw = (): Promise<unknown> => client.call('screenshot', { id });
  await overMcp();
  const pairs: { mcp: number; raw: number }[] = [];
  for (let i = 0; i < CALLS; i++) pairs.push({ mcp: await timed(overMcp), raw: await timed(raw) });
  await mcp.close();
  return {
    name: 'screenshot over MCP, longer than over the socket by',
    value: median(pairs.map((pair) => pair.mcp - pair.raw)),
    unit: ' ms',
    limit: 5,
    note: `${median(pairs.map((pair) => pair.mcp)).toFixed(2)} ms against ${median(pairs.map((pair) => pair.raw)).toFixed(2)} ms`,
  };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function time(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.toString()}`);
  return ms;
}
