/** From the start of `t4a mcp` until its first tool has answered: with the tools of the crew, that is with the identity of the caller. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import path from 'node:path';
import type { BenchDaemon } from '../support/bench-daemon.js';
import { median, type Figure } from '../support/figure.js';

const STARTS = 15;

export async function firstAnswerFigure(root: string, daemon: BenchDaemon, terminal: string): Promise<Figure> {
  const times: Record<'crew' | 'default', number[]> = { crew: [], default: [] };
  const start = async (profile: 'crew' | 'default'): Promise<number> => {
    const began = performance.now();
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [path.join(root, 'dist/cli.cjs'), '--socket', daemon.socketPath, 'mcp', '--profile', profile],
        cwd: daemon.dir,
        env: { PATH: process.env['PATH'] ?? '', HOME: daemon.dir, T4A_TERMINAL: terminal },
        stderr: 'ignore',
      }),
    );
    const { isError, content } = await client.callTool({ name: profile === 'crew' ? 'whoami' : 't4a_list' });
    const ms = performance.now() - began;
    const text = JSON.stringify(content);
    if (isError === true || !text.includes(terminal)) throw new Error(`the first tool of ${profile} says ${text}`);
    await client.close();
    return ms;
  };
  await start('crew');
  await start('default');
  for (let i = 0; i < STARTS; i++) {
    const order = i % 2 === 0 ? (['crew', 'default'] as const) : (['default', 'crew'] as const);
    for (const profile of order) times[profile].push(await start(profile));
  }
  const [crew, usual] = [median(times.crew), median(times.default)];
  return {
    name: 'start of the tools of the crew to the identity of the caller, times that of the default tools to their list',
    value: crew / usual,
    limit: 1.2,
    note: `${crew.toFixed(0)} ms against ${usual.toFixed(0)} ms`,
  };
}
