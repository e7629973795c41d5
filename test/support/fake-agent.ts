/**
 * A trusted preset `fake` of an agent without a model, and what that agent has logged. The tests of a file share a daemon: each ends the
 * terminals of its own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.js';
import { isT4aError } from '../../src/protocol/errors.js';
import { type CliResult, runCli } from './cli.js';
import { testCrew, type TestCrew } from './crew.js';
import { startDaemon } from './daemon.js';
import { ofFile } from './of-file.js';

export const FAKE_AGENT = fileURLToPath(new URL('programs/fake-agent.mjs', import.meta.url));

export interface LoggedByAgent {
  readonly started?: { argv: string[]; cwd: string; terminal: string; socket: string; mark?: string; pid: number };
  readonly prompt?: string;
  readonly approved?: true;
}

export interface FakeAgents extends TestCrew {
  readonly socketPath: string;
  /** The command line in the process of the test. */
  readonly run: (...args: string[]) => Promise<CliResult>;
  /** The built command line. */
  readonly runBuilt: (...args: string[]) => Promise<CliResult>;
  readonly client: Awaited<ReturnType<typeof connect>>;
  readonly log: () => LoggedByAgent[];
  readonly prompts: () => string[];
}

export type WithAgent = (args?: readonly string[], more?: object) => Promise<FakeAgents>;

/** To be called at the top of a file. */
export function agentsOfFile(): WithAgent {
  const daemon = ofFile(async (atEnd) => {
    const started = await startDaemon();
    atEnd(() => started.stop());
    return started;
  });
  return async (args = [], more = {}) => withAgent((await daemon()).socketPath, args, more);
}

async function withAgent(socketPath: string, args: readonly string[], more: object): Promise<FakeAgents> {
  const crew = testCrew();
  const env = { ...crew.env, T4A_SOCKET: socketPath, PATH: process.env['PATH'] ?? '' };
  const file = crew.dir.join('log');
  crew.preset('agents', 'fake.json', {
    name: 'fake',
    argv: [process.execPath, FAKE_AGENT, ...args],
    rules: 'claude',
    env: { FAKE_AGENT_LOG: file },
    ...more,
  });
  const run: FakeAgents['run'] = (...words) => crew.t4a(words, { env });
  expect(await run('crew', 'trust', 'fake')).toMatchObject({ status: 0, stderr: '' });
  const client = await connect({ socketPath, as: 'test' });
  onTestFinished(async () => {
    const { terminals } = await client.call('list', {});
    await Promise.all(terminals.map(({ id }) => ended(client, id)));
    for (const { ask } of (await client.call('asks', {})).asks) await client.call('ask', { withdraw: ask });
    await client.close();
  });
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
    socketPath,
    run,
    runBuilt: (...words) => runCli(words, { env, cwd: crew.project }),
    client,
    log,
    prompts: () => log().flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt])),
  };
}

async function ended(client: FakeAgents['client'], id: string): Promise<void> {
  try {
    // A person of the test may still have its keyboard.
    await client.call('kill', { id, force: true, grace_ms: 100 });
  } catch (error) {
    if (!isT4aError(error) || error.code !== 'terminal_not_found') throw error;
  }
}
