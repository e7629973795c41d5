/** The exit status of a command: its reply's meaning, or its error's. */
import { type Answer, answerTo } from '../protocol/answers.js';
import { codeWords, type End, succeeded, waitingWords, leftWords } from '../protocol/end-words.js';
import { ERRORS, type ErrorCode, type T4aError } from '../protocol/errors.js';
import type { Reply } from '../protocol/registry.js';
import type { Fields } from './argv/invocation.js';
import type { CommandSyntax } from './argv/syntax.js';
import { asked } from './here.js';
import type { Host } from './host.js';
import { printable } from './output/printable.js';
import { statusByte } from './status-byte.js';

/** A condition of `--fail` came first. */
const WAIT_FAILED = 3;

/** Nothing proves that a prompt has arrived. */
const NOT_DELIVERED = 3;

/** The program ended without a failure of its own, but before the condition came true. */
const TERMINAL_GONE = 4;

/** The command waits for input, and goes on. */
const AWAITING_INPUT = 123;

/** The act was done, and the look after it failed. */
export const LOOK_FAILED = 5;

/** A command ended, and nothing tells how: no status of a success. */
const UNKNOWN_STATUS = 6;

/** Status that `timeout` of coreutils has for it. */
const DEADLINE_PASSED = 124;
const ERROR_OF_T4A = 125;

/** Statuses that shells and `env` have for it. */
const NOT_EXECUTABLE = 126;
const NO_SUCH_PROGRAM = 127;
const SIGNAL_BASE = 128;

/** The status of shells for a line that they do not understand. */
export const NOTHING_RUN = 2;

/** A person said no, or nothing. */
const NOT_CONFIRMED = 1;

/** The status of grep. */
const NOTHING_FOUND = 1;

type WaitReply = End & Pick<Reply<'wait'>, 'outcome'>;

const OF_WAIT: Readonly<Record<WaitReply['outcome'], (reply: WaitReply) => number>> = {
  matched: endStatus,
  failed: () => WAIT_FAILED,
  timeout: () => DEADLINE_PASSED,
  exited: (reply) => endStatus(reply) || TERMINAL_GONE,
  awaiting_input: () => AWAITING_INPUT,
  nothing_ran: () => UNKNOWN_STATUS,
};

/** Statuses by the trait `exitStatus` of the command. */
const STATUS: Readonly<
  Record<NonNullable<CommandSyntax['exitStatus']>, (reply: never, host: Host, options: Fields) => number>
> = {
  outcome: (reply: WaitReply) => OF_WAIT[reply.outcome](reply),
  matches: ({ total }: Reply<'grep'>) => (total === 0 ? NOTHING_FOUND : 0),
  program: programStatus,
  answer: answerStatus,
  delivery: deliveryStatus,
};

/** @param options `status: false` (`--no-status`): the status of what ended does not count */
export function exitStatusOf({ exitStatus }: CommandSyntax, reply: object, host: Host, options: Fields = {}): number {
  const answer = options['status'] === false ? withoutEnds(reply) : reply;
  const { wait } = answer as { readonly wait?: WaitReply };
  const waited = wait === undefined ? 0 : OF_WAIT[wait.outcome](wait);
  return waited || (exitStatus === undefined ? 0 : STATUS[exitStatus](answer as never, host, options));
}

/** Reply as if everything had ended well. */
function withoutEnds(reply: object): object {
  const fields = reply as { readonly wait?: WaitReply };
  const well = { exit_code: 0, signal: null };
  return { ...fields, ...well, ...(fields.wait === undefined ? {} : { wait: { ...fields.wait, ...well } }) };
}

/**
 * A newer daemon may answer with a code that is not known here.
 * @param reportsProgram the status could be that of a program, so an error needs one that programs seldom have
 */
export function exitStatusOfError(code: ErrorCode, reportsProgram: boolean): number {
  if (!reportsProgram) return Object.hasOwn(ERRORS, code) ? ERRORS[code].exitStatus : 1;
  if (code === 'program_not_found') return NO_SUCH_PROGRAM;
  return code === 'program_not_executable' ? NOT_EXECUTABLE : ERROR_OF_T4A;
}

/** A line that the shell of `run --id` cannot be given: it has run nothing. */
export function isRefusedLine(
  { code, details }: T4aError,
  command: CommandSyntax | undefined,
  params: Fields = {},
): boolean {
  const isOfLine = code === 'invalid_field' && (details.field === 'command' || details.field === 'cmd_args');
  return isOfLine && command?.exitStatus === 'program' && params['id'] !== undefined;
}

/** Whether the status of a command line may be that of a program: `run`, `wait`, and turns that wait for an end. */
export function reportsProgram(command: CommandSyntax | undefined, options: Fields = {}): boolean {
  if (command?.exitStatus === 'program' || command?.exitStatus === 'outcome') return true;
  const conditions = (options['wait'] ?? []) as string | readonly string[];
  return [conditions].flat().some((condition) => ENDS.has(condition));
}

const ENDS: ReadonlySet<string> = new Set(['done', 'exit', 'event=command_done', 'event=exit']);

/** 0 if nothing is known to have ended, or a shell is at its first prompt. */
function endStatus({ exit_code: code, signal, nothing_ran: nothingRan }: End): number {
  if (typeof signal === 'string') {
    // Loaded here alone, so that no other command pays for it.
    const { signals } = process.getBuiltinModule('node:os').constants;
    return SIGNAL_BASE + (signals[signal as NodeJS.Signals] ?? 0);
  }
  if (nothingRan === true) return 0;
  // Of a condition that is no end both are absent.
  return code === null && signal === null ? UNKNOWN_STATUS : statusByte(code ?? 0);
}

function answerStatus({ outcome, answer }: Reply<'ask'>): number {
  if (outcome === 'answered') return answer === false ? NOT_CONFIRMED : 0;
  if (outcome === 'declined') return NOT_CONFIRMED;
  return outcome === 'open' ? DEADLINE_PASSED : TERMINAL_GONE;
}

function deliveryStatus({ outcome }: Reply<'deliver'>): number {
  if (outcome === 'submitted') return 0;
  if (outcome === 'exited') return TERMINAL_GONE;
  return outcome === 'not_ready' || outcome === 'draft' ? DEADLINE_PASSED : NOT_DELIVERED;
}

/** Status as in a shell: the command's own, or 128 and the number of the signal. */
function programStatus(reply: Reply<'run'>, host: Host, options: Fields): number {
  if (reply.outcome === 'timeout') {
    // Only a command of a given shell has a number.
    const goesOn = asked(continuation(reply), options);
    host.note(`t4a: The command had not ended after ${reply.duration_ms} ms${goesOn}.\n`);
    return DEADLINE_PASSED;
  }
  if (reply.awaiting_input !== undefined) {
    host.note(`t4a: ${printable(waitingWords(reply.awaiting_input))}${asked(continuation(reply), options)}.\n`);
    return AWAITING_INPUT;
  }
  if (reply.outcome === 'not_run') {
    host.note('t4a: The shell ran nothing: the command line has an error, or nothing to run.\n');
    return NOTHING_RUN;
  }
  for (const { words, hint } of leftWords(reply)) {
    host.note(`t4a: ${printable(words)}\n${hint === undefined ? '' : `  hint: ${hint}\n`}`);
  }
  if (typeof reply.signal === 'string') host.note(`t4a: The command was ended by ${reply.signal}.\n`);
  if (succeeded(reply) === null) host.note(`t4a: The command ended with ${codeWords(null)}.\n`);
  return endStatus(reply);
}

function answerLine(id: string, answer: Answer): string {
  if (answer.act === 'press') return `t4a press ${id} ${quoted(answer.key)}`;
  const line = `t4a type ${id} ${quoted(answer.text)} ${answer.secret === true ? '--secret ' : ''}--submit`;
  return answer.orEnter === true ? `${line}, or t4a press ${id} Enter` : line;
}

function quoted(word: string): string {
  return word.includes(' ') ? `"${word}"` : word;
}

/** Words on how to go on with a command that has not ended; empty if it has ended with its terminal. */
function continuation({ outcome, id, n, kept, awaiting_input: reader, lines }: Reply<'run'>): string {
  if (!kept) return '';
  // Only a command of a given shell has a number.
  const wait = `t4a wait ${id} ${n === undefined ? '--exit' : '--done'}`;
  if (outcome === 'timeout') return `, and continues: ${wait}`;
  const act = reader === undefined ? '' : `${answerLine(id, answerTo(reader, lines))}, then `;
  return `, in terminal ${id}.\n  hint: ${act}${wait}; or t4a kill ${id}`;
}
