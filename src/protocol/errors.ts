/** Every failure of a request: one table, from which the docs, the types and the exit status of the command line follow. */

/** `caller`: the request is wrong. `state`: the request is right, but not now. `daemon`: ours. */
export type Fault = 'caller' | 'state' | 'daemon';

export interface ErrorSpec {
  readonly meaning: string;
  readonly fault: Fault;
  /** Exit status of the CLI: 1 error, 2 usage, 3 a wait failed, 4 the terminal is gone. */
  readonly exitStatus: 1 | 2 | 3 | 4;
}

const usage = (meaning: string): ErrorSpec => ({ meaning, fault: 'caller', exitStatus: 2 });
const state = (meaning: string): ErrorSpec => ({ meaning, fault: 'state', exitStatus: 1 });
const gone = (meaning: string): ErrorSpec => ({ meaning, fault: 'state', exitStatus: 4 });
const ours = (meaning: string): ErrorSpec => ({ meaning, fault: 'daemon', exitStatus: 1 });

export const ERRORS = {
  bad_json: usage('The line is not JSON.'),
  bad_request: usage('The line is JSON, but not an object; or it holds too much.'),
  missing_cmd: usage('The request has no "cmd".'),
  unknown_cmd: usage('There is no such command.'),
  unknown_field: usage('The command has no such field.'),
  invalid_field: usage('A field has the wrong type or a value out of range.'),
  line_too_long: usage('The request line exceeds its limit. The connection is closed.'),
  too_many_requests: state('Too many requests of this connection are unanswered.'),
  too_many_connections: state('The limit on connections is reached.'),
  connection_streams: usage('The connection is an event stream and takes no further requests.'),
  cancelled: state('The client cancelled the request.'),
  terminal_not_found: gone('There is no terminal of that name.'),
  terminal_exited: gone("The terminal's process has ended and reads no input."),
  not_allowed: state('The request needs more than its connection is restricted to.'),
  host_unknown: usage('There is no such host. A daemon by itself has its own terminals only.'),
  host_ambiguous: usage('Several hosts have the name, or fit the pattern.'),
  host_unreachable: state('The host cannot be reached, or does not answer as t4a.'),
  host_alias: state('The route of the host leads to a daemon of this user on this machine.'),
  terminal_ambiguous: usage('Several hosts have a terminal of that name, or not all hosts have answered.'),
  not_permitted: state('The processes belong to another user, so the system refuses the signal.'),
  name_taken: state('A terminal of that name already exists.'),
  too_many_terminals: state('The limit on terminals is reached.'),
  over_limit: usage('A value exceeds a limit of the configuration.'),
  memory_low: state(
    'The daemon is close to a limit of its memory: it takes no further terminal, or ends the connection that holds most.',
  ),
  cwd_not_found: usage('The working directory does not exist or cannot be entered.'),
  program_not_found: usage('The program does not exist on the PATH or at the path given.'),
  program_not_executable: usage('The program exists but may not be executed.'),
  spawn_failed: state('The operating system refused to start the program.'),
  command_not_found: state('There is no such shell command, or the place of its output is unknown.'),
  screen_not_shown: state('The alternate screen is not shown, and has no content then.'),
  no_shell_prompt: state('No shell in the terminal has reported a prompt (shell integration).'),
  shell_busy: state('The shell is not at an empty prompt: it runs a command, or text was typed.'),
  too_many_waits: state('Too many waits on this terminal are pending.'),
  unsupported: state('This operating system does not report what the request asks for.'),
  input_blocked: state('The program does not read its input, and its buffer is full.'),
  input_interrupted: state('Ctrl+C or another interrupt overtook the input; the rest of it was dropped.'),
  control_held: state('Another name has control of the terminal, so nothing was written or taken.'),
  not_holder: state('The request needs control of the terminal, which its author does not have, or no longer.'),
  entry_changed: state('The entry of `if_entry` has changed, or is not open any more: nothing was written.'),
  file_changed: state('The file of `if_file` does not hold its text: nothing was started.'),
  others_typed: state('The terminal has had another number of inputs than `if_inputs`: nothing was written.'),
  key_reused: usage('The key names another delivery of this terminal, with another text.'),
  ask_not_found: state('There is no such question, or it has ended already.'),
  trigger_not_found: state('There is no such trigger.'),
  too_many_triggers: state('The limit on triggers of a terminal is reached.'),
  too_many_asks: state('The limit on open questions is reached.'),
  would_echo: state('The text is a secret and was not written: no program is known to read a line without echo.'),
  unknown_key: usage('A name is not the name of a key.'),
  key_not_sendable: state('The key has no encoding in the keyboard mode that the program has set.'),
  invalid_utf8: usage('A text is not UTF-8.'),
  mouse_off: state('The program has not asked for mouse events of this kind.'),
  focus_off: state('The program has not asked for focus events.'),
  cell_outside: usage('The cell lies outside the grid.'),
  run_not_found: state('No `run` with this `stream` is under way.'),
  offset_gone: state('Output at this offset is kept no more; `first` is the first offset that is.'),
  no_match: state('Nothing in the viewport matches.'),
  bad_regex: usage('The pattern is not a regular expression of RE2 syntax, or is too large.'),
  revision_unknown: usage('The screen has not reached this revision yet.'),
  moment_lost: state('The moment lies before what the history of the terminal keeps, or in a gap of it.'),
  moment_unknown: state(
    'The terminal has had no such moment: a time to come, or no such event, input, command or marker.',
  ),
  image_too_large: usage('The picture would exceed the limit on its size.'),
  region_outside: usage('The region lies outside the grid.'),
  render_failed: ours('The picture could not be drawn.'),
  profile_not_found: usage('There is no profile of rules of that name.'),
  rules_changed: state('The rules are not of the version that the request names.'),
  rules_invalid: usage('The rules are not valid; the message names the place.'),
  recording_not_found: state('The terminal is not being recorded, or the file does not exist.'),
  recording_invalid: usage('The file is no recording that can be read.'),
  recording_exists: state('The terminal is being recorded already, or the file exists.'),
  read_only: state('The terminal is an opened recording, which takes no input.'),
  export_too_large: usage('The export would exceed a limit on its frames, pixels or bytes.'),
  recording_failed: state('The file of the recording cannot be written.'),
  replaced: state('Another daemon has taken the place of this one, with its terminals: ask again on a new connection.'),
  replace_refused: state('The daemon was not replaced, and goes on as it was.'),
  shutting_down: state('The daemon is shutting down.'),
  daemon_unreachable: state('No daemon answers on the socket, and none could be started.'),
  daemon_stopped: state('The daemon is stopped (SIGSTOP) and answers no request until it is continued.'),
  socket_owner: state('The socket belongs to another user.'),
  socket_path: usage('The socket path cannot be used.'),
  connection_lost: state('The daemon closed the connection before its reply.'),
  version_mismatch: state('The running daemon has another version of the protocol.'),
  usage: usage('The command line is wrong.'),
  internal: ours('Internal error; the log of the daemon has the details.'),
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;

/** A request without its envelope. */
export type ResumeRequest = Readonly<Record<string, unknown>> & { readonly cmd: string };

export interface ErrorDetails {
  /** A command to run or a field to correct. */
  readonly hint?: string;
  /** The known word nearest to a mistyped one. */
  readonly closest?: string;
  /** Path of the field at fault, for example `env.PATH`. */
  readonly field?: string;
  /** First offset that can be read, for `offset_gone`. */
  readonly first?: number;
  /** Whether the request had begun to change something; of `replaced`. */
  readonly acted?: boolean;
  /** Request that goes on there, with the rest of the deadline; of `replaced`. */
  readonly resume?: ResumeRequest;
}

/** An error that reaches the caller. `message` is a sentence for people, with the value at fault. */
export class T4aError extends Error {
  override readonly name = 'T4aError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** An error that answers a request, and is never thrown: without a stack, which costs more than all else about a refusal. */
export function refusal(code: ErrorCode, message: string, details?: ErrorDetails): T4aError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return new T4aError(code, message, details);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** True for errors of another copy of this library, too: a program may load the client from one bundle and the tools from another. */
export function isT4aError(error: unknown): error is T4aError {
  return error instanceof Error && error.name === 'T4aError' && 'code' in error && 'details' in error;
}

/** The reply line's object for a failure. */
export interface ErrorReply extends ErrorDetails {
  readonly ok: false;
  readonly error: string;
  readonly code: ErrorCode;
}

export function errorReply(error: T4aError): ErrorReply {
  return { ok: false, error: error.message, code: error.code, ...error.details };
}

/** A value of the caller in a sentence: quoted and short, whatever its size and nesting. */
export function quote(value: unknown): string {
  const text = jsonStart(value, MAX_QUOTED_LENGTH + 1);
  if (text.length <= MAX_QUOTED_LENGTH) return text;
  return `${text.slice(0, MAX_QUOTED_LENGTH - 3).replace(LONE_HIGH_SURROGATE, '')}…`;
}

const MAX_QUOTED_LENGTH = 80;

/** The first half of a character that was cut in two. */
const LONE_HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

/**
 * JSON that is exact up to `most` characters; beyond, only its length counts. JSON.stringify would follow each level of
 * nesting and overflow the stack; here each level uses a character of its own.
 */
function jsonStart(value: unknown, most: number): string {
  const cut = (text: string): string => JSON.stringify(text.slice(0, Math.max(0, most)));
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value);
  const fields = value as Readonly<Record<string | number, unknown>>;
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const key of isList ? value.keys() : Object.keys(value)) {
    if (text.length > most) break;
    if (text.length > 1) text += ',';
    if (typeof key === 'string') text += `${cut(key)}:`;
    text += jsonStart(fields[key], most - text.length);
  }
  return `${text}${isList ? ']' : '}'}`;
}
