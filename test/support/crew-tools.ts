/** The tools of the crew in the process of the test. */
import { expect, onTestFinished } from 'vitest';
import { CrewTools } from '../../src/crew/tools/tool-set.js';
import type { FakeAgents } from './fake-agent.js';

export { CrewTools };

export type CrewReply = Record<string, unknown>;
export type CrewCall = (name: string, input?: object) => Promise<CrewReply>;

/** As if from that terminal. */
export function callAs({ client, env, project }: FakeAgents, terminal?: string, isExternal = false): CrewCall {
  const tools = new CrewTools({
    client: () => Promise.resolve(client),
    // The test itself runs in no terminal of this daemon.
    caller: { pid: process.pid, env: { ...env, ...(terminal === undefined ? {} : { T4A_TERMINAL: terminal }) } },
    folder: project,
    isExternal,
  });
  onTestFinished(() => tools.close());
  return async (name, input) => {
    const { content } = await tools.call(name, input);
    const [block] = content;
    return JSON.parse(block?.type === 'text' ? block.text : '') as CrewReply;
  };
}

export const codeOf = (reply: CrewReply): string | undefined => (reply['error'] as { code?: string } | undefined)?.code;

/** With its first agent, `fake-1`. */
export async function spawned(fake: FakeAgents): Promise<FakeAgents> {
  expect((await fake.run('crew', 'spawn', 'fake')).stdout).toBe('fake-1\n');
  return fake;
}
