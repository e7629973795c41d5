/** One declaration of a tool: schemas, role checks and docs follow from it. */
import type { z } from 'zod';
import type { Role } from '../roles.js';
import type { ToolCall } from './tool-call.js';

/** `read`: looks. `act`: types, names. `end`: starts and ends programs. */
export type ToolEffect = 'read' | 'act' | 'end';

export interface CrewTool {
  readonly name: string;
  /** For the model that chooses. */
  readonly brief: string;
  /** Who may call it. */
  readonly role: readonly Role[];
  readonly effect: ToolEffect;
  readonly params: z.ZodObject;
  readonly result: z.ZodObject;
  /** Codes beside `not_found`, `role_forbidden` and `invalid_field`. */
  readonly errors: readonly string[];
  readonly run: (call: ToolCall, params: never) => Promise<object>;
}

export function defineTool<Params extends z.ZodObject, Result extends z.ZodObject>(
  tool: Omit<CrewTool, 'params' | 'result' | 'run'> & {
    readonly params: Params;
    readonly result: Result;
    readonly run: (call: ToolCall, params: z.output<Params>) => Promise<z.input<Result>>;
  },
): CrewTool {
  return tool;
}

export const EVERY_ROLE: readonly Role[] = ['orchestrator', 'sub-agent', 'process'];
export const AGENTS: readonly Role[] = ['orchestrator', 'sub-agent'];
