import type { Server, ServerResponse } from 'node:http';
import type { Part, Said } from './interfaces.mjs';

export function startModelOf(
  turnOf: (said: Said, body: Readonly<Record<string, unknown>>, response: ServerResponse) => readonly Part[],
  thinkingMs?: number,
): Promise<Server>;

export function commandCall(tools: readonly string[], command: string, why: string): { name: string; input: unknown };
