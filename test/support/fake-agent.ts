/** A daemon with a trusted preset `fake` of an agent without a model, and what that agent has logged. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.js';
import { type CliResult, runCli } from './cli.js';
import { testCrew, type TestCrew } from './crew.js';
import { startDaemon } from './daemon.js';

export const FAKE_AGENT = fileURLToPath(new URL('programs/fake-agent.mjs', import.meta.url));

export interface LoggedByAgent {
  readonly started?: { argv: string[]; cwd: string; terminal: string; socket: string; mark?: string; pid: number };
  readonly prompt?: string;
  readonly approved?: true;
}

export interface FakeAgents extends TestCrew {
  readonly socketPath: string;
  /** The built command line. */
  readonly run: (...args: string[]) => Promise<CliResult>;
  readonly client: Awaited<ReturnType<typeof connect>>;
  readonly log: () => LoggedByAgent[];
  readonly prompts: () => string[];
}

export async function withAgent(args: readonly string[] = [], more: object = {}): Promise<FakeAgents> {
  const crew = testCrew();
  const daemon = await startDaemon();
  onTestFinished(() => daemon.stop());
  const env = { ...crew.env, T4A_SOCKET: daemon.socketPath, PATH: process.env['PATH'] ?? '' };
  const file = crew.dir.join('log');
  crew.preset('agents', 'fake.json', {
    name: 'fake',
    argv: [process.execPath, FAKE_AGENT, ...args],
    rules: 'claude',
    env: { FAKE_AGENT_LOG: file },
    ...more,
  });
  const run: FakeAgents['run'] = (...words) => runCli(words, { env, cwd: crew.project });
  expect(await run('crew', 'trust', 'fake')).toMatchObject({ status: 0, stderr: '' });
  const client = await connect({ socketPath: daemon.socketPath, as: 'test' });
  onTestFinished(() => client.close());
  const log = (): LoggedByAgent[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as LoggedByAgent)
      : [];
  return {
    ...crew,
    env,
    socketPath: daemon.socketPath,
    run,
    client,
    log,
    prompts: () => log().flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt])),
  };
}
