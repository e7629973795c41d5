/** One task, solved in two ways, with the same result in the end. */
import type { McpAgent } from './mcp-agent.js';
import type { TmuxAgent } from './tmux-agent.js';

export interface Task {
  readonly name: string;
  /** Without these it is left out. */
  readonly programs: readonly string[];
  /** @param directory empty, for this run alone */
  readonly prepare: (directory: string) => Promise<Prepared> | Prepared;
  /** @returns what the model answers */
  readonly mcp: (agent: McpAgent) => Promise<string>;
  readonly tmux: (agent: TmuxAgent) => Promise<string>;
}

export interface Prepared {
  /** @returns what is wrong with the result; undefined if it is right */
  readonly fault: (answer: string) => string | undefined;
  readonly dispose?: () => void;
}
