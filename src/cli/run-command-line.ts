/** From argv to the exit status: what needs no daemon is answered here, everything else is a request. */
import { VERSION } from '../base/version.js';
import { ERRORS, T4aError, errorReply, type ErrorCode } from '../protocol/errors.js';
import { commandTable } from './argv/command-table.js';
import { GLOBAL_FLAGS } from './argv/commands.generated.js';
import { execute } from './execute.js';
import { commandHelp, overviewHelp } from './argv/help.js';
import { LOCAL } from './local/local-commands.js';
import { parseCommandLine, parseGlobalFlags, type Invocation } from './argv/parse.js';
import type { Parts } from './lazy-bundles.js';
import { printable } from './output/printable.js';
import { ClosedOutput, type Surroundings } from './host.js';

const USAGE = 2;

export async function runCommandLine(
  argv: readonly string[],
  surroundings: Surroundings,
  parts: Parts,
): Promise<number> {
  let asJson = argv.includes('--json');
  try {
    if (argv[0] === '--version') return printVersion(surroundings);
    const invocation = parseCommandLine(argv);
    if (invocation === undefined) return answerWithoutCommand(argv, surroundings);
    asJson = invocation.options['json'] === true;
    return await answer(invocation, surroundings, parts);
  } catch (error) {
    if (error instanceof ClosedOutput) return 0;
    if (!(error instanceof T4aError)) throw error;
    surroundings.note(asJson ? `${JSON.stringify(errorReply(error))}\n` : explain(error));
    return exitStatusOfCode(error.code);
  }
}

function answerWithoutCommand(argv: readonly string[], surroundings: Surroundings): number {
  const text = overviewHelp(commandTable(), GLOBAL_FLAGS);
  if (parseGlobalFlags(argv)['help'] === true) return print(text, surroundings);
  surroundings.note(text);
  return USAGE;
}

async function answer(invocation: Invocation, surroundings: Surroundings, parts: Parts): Promise<number> {
  const { command, options } = invocation;
  if (options['help'] === true) return print(commandHelp(command, GLOBAL_FLAGS), surroundings);
  const local = LOCAL[command.name];
  return local === undefined ? execute(invocation, surroundings) : local(invocation, surroundings, parts);
}

function printVersion(surroundings: Surroundings): number {
  return print(`t4a ${VERSION}\n`, surroundings);
}

function print(text: string, surroundings: Surroundings): number {
  surroundings.out(text);
  return 0;
}

function explain({ message, details }: T4aError): string {
  const { hint, closest } = details;
  const isNew = closest !== undefined && hint?.includes(closest) !== true;
  const hints = [...(isNew ? [`Did you mean ${JSON.stringify(closest)}?`] : []), ...(hint === undefined ? [] : [hint])];
  return `t4a: ${printable(message)}\n${hints.map((text) => `  hint: ${printable(text)}\n`).join('')}`;
}

/** A newer daemon may answer with a code that is not known here. */
function exitStatusOfCode(code: ErrorCode): number {
  return Object.hasOwn(ERRORS, code) ? ERRORS[code].exitStatus : 1;
}
