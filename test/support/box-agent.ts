/** Agents with a box of their own misbehaviour (programs/box-agent.mjs), and deliveries to them. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Reply } from '../../src/protocol/registry.js';
import { request, type TestDaemon } from './daemon.js';

export const BOX_AGENT = fileURLToPath(new URL('programs/box-agent.mjs', import.meta.url));
/** An Enter that was read so soon after a question had been on its way before it: see docs/deliver.md. */
export const UNSEEN_MS = 50;

export type Receipt = Reply<'deliver'> & { readonly ok: boolean; readonly code?: string; readonly error?: string };

export interface Logged {
  readonly pid?: number;
  readonly prompt?: string;
  /** As a command of its own, or of a shell. */
  readonly ran?: string;
  readonly asked?: true;
  readonly answered?: true;
  readonly sinceAskMs?: number;
}

export interface BoxAgent {
  readonly id: string;
  readonly deliver: (text: string, more?: object) => Promise<Receipt>;
  readonly send: (cmd: string, fields?: object) => Promise<Record<string, unknown>>;
  /** Resolves once its box, or what stands in its place, is on the screen. */
  readonly drawn: () => Promise<void>;
  /** Resolves once its box is. */
  readonly boxed: () => Promise<void>;
  readonly log: () => readonly Logged[];
  readonly prompts: () => string[];
  /** Enters that have answered a question. */
  readonly answers: () => readonly Logged[];
  readonly pid: () => Promise<number>;
}

let made = 0;

export async function startBoxAgent(
  daemon: TestDaemon,
  args: readonly string[] = [],
  more: object = {},
): Promise<BoxAgent> {
  const file = path.join(daemon.dir, `box-agent-${++made}.log`);
  const created = await request(daemon, {
    cmd: 'create',
    cmd_args: [process.execPath, BOX_AGENT, ...args],
    cwd: daemon.dir,
    rules: 'claude',
    env: { BOX_AGENT_LOG: file },
    ...more,
  });
  expect(created).toMatchObject({ ok: true });
  const id = created['id'] as string;
  const log = (): readonly Logged[] => boxLog(file);
  const send = (cmd: string, fields: object = {}): Promise<Record<string, unknown>> =>
    request(daemon, { cmd, id, ...fields });
  return {
    id,
    send,
    log,
    deliver: async (text, fields = {}) => (await send('deliver', { text, ...fields })) as unknown as Receipt,
    boxed: async () => void (await send('wait', { until: { text: 'shortcuts' }, timeout_ms: 20_000 })),
    drawn: async () => void (await send('wait', { until: { regex: '(?:shortcuts|2\\. No)' }, timeout_ms: 20_000 })),
    prompts: () => log().flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt])),
    answers: () => log().filter(({ answered }) => answered === true),
    pid: async () => {
      await expect.poll(() => log()[0]?.pid, { timeout: 20_000 }).toBeDefined();
      return log()[0]?.pid ?? 0;
    },
  };
}

/** What the agent has written into its BOX_AGENT_LOG. */
export function boxLog(file: string): readonly Logged[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Logged);
}
