/** One run of a task in a directory of its own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Agent, Cost } from './agent.js';
import type { Prepared, Task } from './task.js';

export interface Ran extends Cost {
  readonly offered: number;
  readonly seconds: number;
}

/**
 * @param start the agent, in the directory of the task
 * @throws Error if the result is wrong
 */
export async function runTask<Model extends Agent>(
  task: Task,
  start: (directory: string) => Promise<Model> | Model,
  solve: (agent: Model) => Promise<string>,
): Promise<Ran> {
  const own = mkdtempSync(path.join(tmpdir(), 't4a-'));
  const directory = path.join(own, 'work');
  mkdirSync(directory);
  let prepared: Prepared | undefined;
  let agent: Model | undefined;
  try {
    prepared = await task.prepare(directory);
    agent = await start(directory);
    const begun = performance.now();
    const answer = await solve(agent);
    const seconds = (performance.now() - begun) / 1000;
    const fault = prepared.fault(answer);
    if (fault !== undefined) throw new Error(`${task.name}: ${fault}`);
    return { ...agent.cost, offered: agent.offeredTokens, seconds };
  } finally {
    await agent?.close();
    prepared?.dispose?.();
    rmSync(own, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @returns the programs that this machine has not */
export function missingPrograms(task: Task): string[] {
  return task.programs.filter((program) => spawnSync('which', [program]).status !== 0);
}
