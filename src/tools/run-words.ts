/** End of a run, what answers it, and its output, in words for a model. */
import { type Answer, answerTo, isPager, namesPager } from '../protocol/answers.js';
import { codeWords, waitingWords } from '../protocol/end-words.js';
import type { CommandName, Reply } from '../protocol/registry.js';
import { foldedLines } from './folded-lines.js';

/** The model that reads. */
export interface ContentReader {
  /** Name of the run's own terminal. */
  readonly own?: string | undefined;
  /** Whether it has the tool. Default: all. */
  readonly has?: (tool: CommandName) => boolean;
  /** Fields that it has asked for, beside what the profile says. */
  readonly asked?: Readonly<Record<string, unknown>>;
  /** Lasting numbers of rows that were left out of a run and speak of an error or a warning. */
  readonly troubles?: readonly number[];
}

export function runVerdict(reply: Reply<'run'>, { has = () => true, asked = {} }: ContentReader): string {
  const { outcome, exit_code: code, signal, duration_ms: ms, id, n, kept, lines, awaiting_input: reader } = reply;
  if (outcome === 'not_run') return 'Not run: the shell found an error in the command line, or nothing to run.';
  if (outcome === 'timeout') {
    const wait = callWords('wait', { id, for: n === undefined ? 'exit' : 'done' });
    return kept
      ? `Goes on in terminal ${id} after ${ms} ms${nextSteps([...(has('wait') ? [wait] : []), ...killWords(has)])}`
      : `Not ended after ${ms} ms, and was killed.`;
  }
  if (reader !== undefined) {
    const who = waitingWords(reader);
    if (!kept) return `${who}, and was killed.`;
    const pager =
      isPager(reader) && !namesPager(commandOf(asked)) ? ' PAGER=cat before a command avoids its pager.' : '';
    const ways = answerWays(id, answerTo(reader, lines), has);
    return ways.length === 0 || !has(answerTo(reader, lines).act)
      ? `${who}, in terminal ${id}${nextSteps([...ways, ...killWords(has)])}`
      : `${who}${nextSteps(ways)}${pager}`;
  }
  const ended = signal === null ? `${capitalized(codeWords(code))}${spent(ms)}.` : `Ended by ${signal}${spent(ms)}.`;
  return outcome === 'exited' && n !== undefined ? `${ended} The shell of terminal ${id} has ended with it.` : ended;
}

function commandOf({ command, cmd_args: args }: Readonly<Record<string, unknown>>): string[] {
  return [command, args].flat().filter((word) => typeof word === 'string');
}

/** The other act where the model has only that. */
function answerWays(id: string, answer: Answer, has: (tool: CommandName) => boolean): string[] {
  if (!has(answer.act)) return (['type', 'press'] as const).filter(has).map((act) => `answer with ${act}`);
  const fields =
    answer.act === 'press'
      ? { keys: [answer.key] }
      : { text: answer.text, submit: true, ...(answer.secret === true ? { secret: true } : {}) };
  const isEmptyToo = answer.act === 'type' && answer.orEnter === true && has('press');
  return [
    callWords(answer.act, { id, ...fields }),
    ...(isEmptyToo ? [`${callWords('press', { id, keys: ['Enter'] })} for an empty answer`] : []),
  ];
}

function killWords(has: (tool: CommandName) => boolean): string[] {
  return has('kill') ? ['end it with kill'] : [];
}

function nextSteps(ways: readonly string[]): string {
  return ways.length === 0 ? '.' : `: ${ways.join(', or ')}.`;
}

function capitalized(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Most numbers of lines with errors; the others are counted. */
const MAX_NUMBERS = 10;

export function runOutput(reply: Reply<'run'>, { has = () => true, troubles = [], asked = {} }: ContentReader): string {
  const { lines, omitted_lines: left, omitted_after: after, lost_lines: lost, omitted, id } = reply;
  const before = lost ? [`… ${lost} lines of the output are lost: the terminal does not hold them …`] : [];
  if (lost === null) before.push('… it is unknown whether lines before these are lost …');
  if (left === 0) return [...before, ...foldedLines(lines)].join('\n').trimEnd();
  const head = after ?? Math.ceil(lines.length / 2);
  const gone = asked['keep'] === false ? ', and gone' : ', and gone: "keep_omitted": true keeps them';
  const call = omitted === undefined || !has('text') ? '' : `: ${textCall(id, omitted.from_line, omitted.rows)}`;
  const way = reply.kept ? call : gone;
  const others = troubles.length - MAX_NUMBERS;
  const named = `${troubles.slice(0, MAX_NUMBERS).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
  const errors = troubles.length === 0 ? '' : `; errors or warnings in ${named}`;
  const words = `… ${left} lines left out${way}${errors} …`;
  const shown = [...foldedLines(lines.slice(0, head)), words, ...foldedLines(lines.slice(head))];
  return [...before, ...shown].join('\n').trimEnd();
}

/** The call that reads rows by their lasting numbers. */
export function textCall(id: unknown, from: number, rows: number): string {
  return callWords('text', { id, from_line: from, max_lines: rows });
}

export function callWords(tool: CommandName, fields: object): string {
  return `${tool} ${JSON.stringify(fields)}`;
}

/** A time that a model need not read is left out. */
export function spent(ms: number, comma = ''): string {
  return ms < 1000 ? '' : `${comma} after ${(ms / 1000).toFixed(1)} s`;
}
