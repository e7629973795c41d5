/** Schemas of how a program is started. */
import { z } from 'zod';
import { MAX_SCROLLBACK_LINES } from './limits.js';
import { cols, environment, rows, termProgram, timeoutMs } from './vocabulary.js';

/** An argument of a program: the system cuts it at a NUL. */
const argument = z.string().regex(/^[^\0]*$/, 'no NUL');

/** A line for a shell. */
export const commandLine = argument.min(1);

/** The fields of a new terminal; `run` has the same. */
export const spawnShape = {
  cols: cols.default(80),
  rows: rows.default(24),
  cmd_args: z.array(argument).min(1).optional().describe('Program and arguments. Default: $SHELL, else bash, else sh.'),
  cwd: argument.min(1).optional().describe("Working directory. Default: the daemon's."),
  env: environment.default({}),
  inherit_env: z
    .boolean()
    .default(true)
    .describe("Start from the daemon's environment. If false, `env` is the whole environment."),
  keep_agent_env: z
    .boolean()
    .default(false)
    .describe(
      'Also inherit the variables by which a coding agent marks what runs within it (CLAUDECODE, CODEX_CI, …), and NO_COLOR, PAGER=cat and the like beside them.',
    ),
  scrollback: z
    .int()
    .min(0)
    .max(MAX_SCROLLBACK_LINES)
    .optional()
    .describe('Lines kept above the viewport. Default: 10000.'),
  term: z
    .string()
    .regex(/^[A-Za-z0-9_.+-]+$/, 'a terminfo name')
    .default('xterm-256color')
    .describe('TERM for the program.'),
  term_program: termProgram
    .optional()
    .describe("Name, or name/version, in TERM_PROGRAM and TERM_PROGRAM_VERSION. Default: the configuration's."),
  shell_integration: z
    .boolean()
    .default(true)
    .describe('Make an interactive bash, zsh, fish or sh report its prompts and commands.'),
  idle_timeout_ms: timeoutMs
    .optional()
    .describe("Silence before `idle` is published; it ends nothing. Default: the configuration's."),
};

/** The defaults of a new terminal. */
export function spawnDefaults(): z.output<z.ZodObject<typeof spawnShape>> {
  return z.object(spawnShape).parse({});
}
