/** Replies as blocks for a model: text that is short and says what counts, and pictures. */
import { formatSpan } from '../base/span.js';
import { isPager } from '../protocol/answers.js';
import { changedRows, scrolledWords, unchangedWords } from '../protocol/changed-words.js';
import { absentWords } from '../protocol/absent-words.js';
import { codeWords, endWords, leftWords, waitingWords } from '../protocol/end-words.js';
import type { T4aError } from '../protocol/errors.js';
import { hintForCode } from '../protocol/code-hints.js';
import { foldedLines } from './folded-lines.js';
import { callWords, type ContentReader, runOutput, runVerdict, spent, textCall } from './run-words.js';
import { type HintReader, toolHint } from './tool-hints.js';
import { titleThatWasSet } from '../protocol/program-title.js';
import { pictureReplyShape } from '../protocol/picture.js';
import { COMMANDS, type CommandName, type Reply } from '../protocol/registry.js';
import { LAST_TERMINAL } from '../protocol/vocabulary.js';

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string };

/** About 8,000 tokens: beyond that a model is better served by a part. */
export const MAX_TEXT_LENGTH = 32_000;

const PICTURE_FIELDS: object = pictureReplyShape;

/** A new terminal has them, too. */
const OF_THE_TERMINAL = new Set(['cols', 'rows']);

/** Counts of an act whose turn is said in words. */
const COUNTS = new Set(['bytes_sent', 'inputs']);

const MIME_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

/** A reply in words; without an entry here, as JSON. */
const WORDS: { readonly [Name in CommandName]?: (reply: Reply<Name>, reader: ContentReader) => string } = {
  run: (reply, reader) => {
    const left = leftWords(reply).map(({ words, hint }) => oneLine([words, hint].filter(Boolean).join(' ')));
    return [runVerdict(reply, reader), ...left, runOutput(reply, reader)].join('\n');
  },
  // The name that the model has chosen it has.
  create: ({ id, warning }, { asked = {} }) =>
    [asked['name'] === id ? undefined : `Terminal ${id}.`, warning].filter((part) => part !== undefined).join(' '),
  text: (reply, { asked = {} }) => (reply.changed === undefined ? textWords(reply, asked) : lookWords(reply)),
  list: listWords,
  screenshot: (reply) =>
    reply.unchanged === true
      ? `Unchanged since revision ${reply.rev}.`
      : `${reply.cols}x${reply.rows} cells, ${reply.width}x${reply.height} pixels, revision ${reply.rev}${budgetWords(reply)}`,
  entries: entriesWords,
  film: filmWords,
  wait: waitWords,
  kill: ({ ended }) => ended?.map(({ id, ...end }) => `Ended ${id}: ${endWords(end) ?? ''}`).join('\n') ?? 'ok',
  ask: askWords,
};

/** One line a frame, in the order of the picture. */
function filmWords({ frames, left_out: leftOut }: Reply<'film'>): string {
  const lines = frames.map(({ at, reason, lines: texts = [] }) =>
    [`${(at.ago_ms / 1000).toFixed(1)} s ago (${reason}, revision ${at.rev})`, ...texts].join('\n'),
  );
  return [...lines, ...(leftOut === 0 ? [] : [`${leftOut} more screens are left out.`])].join('\n');
}

/** Words for what a small budget has changed, and for what cannot be read for sure. */
function budgetWords({ fitted, region, legibility, cell_width, cell_height }: Reply<'screenshot'>): string {
  const part =
    fitted === 'part' && region !== undefined
      ? `. Only rows ${region.row} to ${region.row + region.rows - 1}, columns ${region.col} to ` +
        `${region.col + region.cols - 1}, fit within max_tokens`
      : '';
  const cells = `. Cells of ${cell_width}x${cell_height} pixels: `;
  if (legibility === 'no_ids') return `${part}${cells}read ids and hashes as text`;
  return legibility === 'layout_only' ? `${part}${cells}only the layout can be read` : part;
}

export function contentOf(
  command: CommandName,
  reply: object,
  bytes: Uint8Array | undefined,
  reader: ContentReader = {},
): ToolContent[] {
  // Each is called with the reply of its own command alone.
  const inWords = WORDS[command] as ((reply: object, reader: ContentReader) => string) | undefined;
  const { act, words: ofTurn, screen } = turnOf(command, reply, reader);
  const words = [inWords?.(act, reader) ?? plainWords(act), ofTurn, pictureWords(command, reply)].filter(
    (part) => part !== undefined && part !== '' && part !== 'ok',
  );
  const said = words.join('\n') || (screen === undefined ? 'ok' : '');
  const texts = [said, screen ?? '']
    .filter((text) => text !== '')
    .map((text) => ({ type: 'text' as const, text: shortened(text) }));
  return [...(bytes === undefined ? [] : pictureBlocks(reply, bytes)), ...texts];
}

/** Words for a picture that the program has printed, and for secrets. Other replies in words have their warnings in them. */
function pictureWords(command: CommandName, reply: object): string | undefined {
  const { warning, observed, masked } = reply as Partial<Pick<Reply<'type'>, 'warning' | 'observed'>> & MaskedReply;
  const words = observed?.warning ?? (SHOW_SCREENS.has(command) ? warning : undefined);
  return [words, masked === undefined ? undefined : `Secrets that are masked: ${masked}.`].filter(Boolean).join(' ');
}

interface MaskedReply {
  readonly masked?: number;
}

const SHOW_SCREENS: ReadonlySet<CommandName> = new Set(['run', 'text', 'screenshot']);

interface Turn {
  /** The reply without the wait and the look. */
  readonly act: object;
  readonly words?: string;
  /** Screen of the program: a block of its own, so that it is not taken for words of t4a. */
  readonly screen?: string;
}

/** Turn of commands that act. */
function turnOf(command: CommandName, reply: object, reader: ContentReader): Turn {
  const { wait, observed, doing, ...act } = reply as Partial<Pick<Reply<'type'>, 'wait' | 'observed' | 'doing'>>;
  if (command === 'wait' || COMMANDS[command].traits.effect === 'read') return { act: reply };
  if (wait === undefined && observed === undefined) return { act: reply };
  const lines = observed?.lines;
  const failed =
    observed?.error === undefined ? undefined : `It was done, and the look after it failed: ${observed.error}`;
  return {
    act: withoutPicture(wait === undefined ? act : without(act, COUNTS)),
    words: [wait === undefined ? undefined : afterAct(wait), needWords(doing, wait), failed]
      .filter((part) => part !== undefined && part !== '')
      .join('\n'),
    ...(lines === undefined
      ? {}
      : {
          screen: screenWords({ ...observed, lines }, (reply as { id?: unknown }).id ?? reader.asked?.['id'], reader),
        }),
  };
}

/** If no row is new: else the rows say where the program is. */
function cursorWords({ lines, changed, cursor }: Look): string {
  const isOfRows = changed === undefined || changed.complete || lines.length > 0;
  return isOfRows || cursor?.visible !== true ? '' : ` The cursor is in row ${cursor.row}, column ${cursor.col}.`;
}

/** Words for a need, if those of the wait do not say it. */
function needWords(doing: Reply<'type'>['doing'], wait: Reply<'type'>['wait']): string | undefined {
  const need = doing?.needs_you ?? undefined;
  return need === undefined || wait?.awaiting_input !== undefined ? undefined : `The program needs you (${need}).`;
}

type Look = NonNullable<Reply<'type'>['observed']> & Pick<Reply<'text'>, 'lines'>;

/** Words for a screen with a handle, by which the whole of it is read later as it was; a long one names the call. */
function screenWords(look: Look, id: unknown, { has = () => true }: ContentReader): string {
  const words = look.changed?.complete === false ? 'New' : 'Screen';
  const isNamed = typeof id === 'string' && id !== LAST_TERMINAL;
  const handle = isNamed && look.rev !== undefined ? `${id}@${look.rev}` : undefined;
  const call = handle !== undefined && has('text') ? `: ${callWords('text', { id: handle })}` : '';
  const rows = shortened(lookWords(look, true), call, MAX_TEXT_LENGTH - NOTE_LENGTH);
  return `${words}${handle === undefined ? '' : ` ${handle}`}:\n${rows}${cursorWords(look)}`;
}

/** Lines that are gone are said first; a long text has the call that reads its middle. */
function textWords(reply: Reply<'text'>, asked: Readonly<Record<string, unknown>>): string {
  const absent = absentWords(reply, asked['from_line']);
  const rows = heldWords(reply, asked['id']);
  return [...absent, ...(rows === '' && absent.length > 0 ? [] : [rows || '(blank)'])].join('\n');
}

/** Head and tail, with the call between them. */
function heldWords({ lines, first_line: first, numbers, omitted }: Reply<'text'>, id: unknown): string {
  const left = omitted ?? leftOutOf(lines);
  if (left === undefined || numbers !== undefined) return lines.join('\n').trimEnd();
  const tail = omitted === undefined ? left.after + left.lines : left.after;
  const words = `… ${left.lines} lines left out: ${textCall(id, first + left.after, left.lines)} …`;
  return [...lines.slice(0, left.after), words, ...lines.slice(tail)].join('\n').trimEnd();
}

/** Whole lines of the middle, so that the others fit. */
function leftOutOf(lines: readonly string[]): { readonly after: number; readonly lines: number } | undefined {
  if (lines.reduce((sum, line) => sum + line.length + 1, 0) <= MAX_TEXT_LENGTH) return undefined;
  const fits = (some: readonly string[]): number => {
    let size = NOTE_LENGTH;
    const first = some.findIndex((line) => (size += line.length + 1) > MAX_TEXT_LENGTH / 2);
    return first === -1 ? some.length : first;
  };
  const head = fits(lines);
  // A line that is too long by itself loses its own middle.
  if (head === 0) return undefined;
  return { after: head, lines: lines.length - head - fits(lines.slice(head).toReversed()) };
}

/** Room for the words in the place of the middle. */
const NOTE_LENGTH = 200;

function lookWords({ lines, changed }: Pick<Reply<'text'>, 'lines' | 'changed'>, isFolded = false): string {
  const folded = (some: readonly string[]): string => (isFolded ? foldedLines(some) : some).join('\n').trimEnd();
  if (changed === undefined) return folded(lines) || '(blank)';
  const look = { lines, changed };
  const rows = folded(changedRows(look)) || (changed.complete ? '(blank)' : undefined);
  return [...scrolledWords(look), rows, ...unchangedWords(look)].filter((part) => part !== undefined).join('\n');
}

/** Words after an act, with what a match is worth. */
function afterAct(wait: NonNullable<Reply<'type'>['wait']>): string {
  return [endOfAct(wait), wait.warning].filter((part) => part !== undefined).join(' ');
}

/** `Done: exit code 1 (make), after 5.3 s.`; undefined for what came as awaited: the screen shows it. */
function endOfAct(wait: NonNullable<Reply<'type'>['wait']>): string | undefined {
  const { outcome, elapsed_ms: ms, match, awaiting_input: reader, command } = wait;
  const end = endWords(wait);
  if (outcome === 'timeout') return `The wait was not met after ${ms} ms.`;
  if (outcome === 'failed') return `The wait failed${spent(ms)}: ${JSON.stringify(match?.text ?? '')} appeared.`;
  if (outcome === 'exited') return `Ended: ${end ?? codeWords(null)}${spent(ms, ',')}.`;
  if (outcome === 'nothing_ran') return 'Nothing ran.';
  if (reader !== undefined) return `${waitingWords(reader)}.${isPager(reader) ? ' q leaves it.' : ''}`;
  if (end === undefined) return undefined;
  return `${command === undefined ? 'Ended' : 'Done'}: ${end}${spent(ms, ',')}.`;
}

function without(reply: object, fields: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(reply).filter(([field]) => !fields.has(field)));
}

/** Reply without what concerns the picture: that is in the picture. */
function withoutPicture(reply: object): object {
  const fields = Object.entries(reply).filter(([field]) => !(field in PICTURE_FIELDS) || OF_THE_TERMINAL.has(field));
  return Object.fromEntries(fields);
}

export function errorContent({ code, message, details }: T4aError, reader: HintReader = {}): ToolContent[] {
  const isId = code === 'terminal_not_found' && details.closest !== undefined;
  const { host } = reader;
  const closest = isId && host !== undefined ? `${host}/${details.closest}` : details.closest;
  const given =
    pastHint(code, reader.id) ?? details.hint ?? (host === undefined ? undefined : hintForCode(code, reader.id));
  const hint = given === undefined ? undefined : toolHint(given, reader);
  const lines = [
    `${message} (${code})`,
    ...(closest === undefined || hint?.includes(closest) === true ? [] : [`Closest: ${closest}`]),
    ...(hint === undefined ? [] : [`Hint: ${hint}`]),
  ];
  return [{ type: 'text', text: lines.join('\n') }];
}

/** The handle of a look, where a terminal is meant. */
function pastHint(code: string, id: unknown): string | undefined {
  const [handle, terminal] = (code === 'invalid_field' && typeof id === 'string' && /^(\w[\w.-]*)@\d+$/.exec(id)) || [];
  return handle === undefined ? undefined : `"${handle}" is a screen of the past: act on "${terminal}".`;
}

/** A film may have a picture of each frame. */
function pictureBlocks(reply: object, bytes: Uint8Array): ToolContent[] {
  const { frames } = reply as Partial<Reply<'film'>>;
  const apart = frames?.filter(({ len }) => len !== undefined) ?? [];
  if (apart.length === 0) return [pictureBlock(reply, bytes)];
  return apart.map(({ offset = 0, len = 0 }) => pictureBlock(reply, bytes.subarray(offset, offset + len)));
}

/** Formats that are text (SVG, HTML) are no image to a vision model. */
function pictureBlock(reply: object, bytes: Uint8Array): ToolContent {
  const { format } = reply as { format?: string };
  const mimeType = MIME_TYPES[format ?? 'png'];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mimeType === undefined) return { type: 'text', text: shortened(buffer.toString('utf8')) };
  return { type: 'image', mimeType, data: buffer.toString('base64') };
}

/** Words for entries. Text behind the colon is the program's. */
function entriesWords({ profile, entries, next, more }: Reply<'entries'>): string {
  if (profile === null) return 'The terminal has no rules; one that is created with "rules": "generic" has.';
  const lines = entries.map(({ kind, open, data }) => `${kind}${open ? ' (open)' : ''}: ${JSON.stringify(data)}`);
  return [`next: ${next}${more ? ' (more follow)' : ''}`, ...lines].join('\n');
}

/** Hosts without a whole list are named last. */
function listWords({ terminals, unreachable = [], aliases = [] }: Reply<'list'>, reader: ContentReader): string {
  const { own, asked = {} } = reader;
  const isOfAll = asked['where'] === undefined && asked['owner'] === undefined;
  const silent = [
    ...unreachable.map(({ host, error }) => oneLine(`${host}: ${error}`)),
    ...aliases.map(({ host, of }) => oneLine(`${host}: Its daemon says that it is the one of ${of}.`)),
  ];
  return [
    terminals.map((terminal) => terminalLine(terminal, own)).join('\n') ||
      (isOfAll ? 'No terminals.' : 'No terminal fits.'),
    ...silent,
  ].join('\n');
}

/** Text on one line: what a program or another host has chosen makes no line of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ');
}

function terminalLine(terminal: Reply<'list'>['terminals'][number], own: string | undefined): string {
  const { owner } = terminal;
  const { id, alive, exit_code: code, signal, cols, rows, idle_ms: idleMs, foreground, cmd } = terminal;
  const title = titleThatWasSet(terminal);
  const state = alive ? `running ${foreground ?? ''}`.trimEnd() : `ended (${signal ?? code ?? codeWords(null)})`;
  const named = title === '' ? '' : `, title ${JSON.stringify(title)}`;
  const made = owner === undefined ? '' : `, made by ${owner === own ? 'you' : owner}`;
  return oneLine(`${id}: ${cmd.join(' ')}: ${state}, ${cols}x${rows}, idle for ${formatSpan(idleMs)}${made}${named}`);
}

function waitWords(reply: Reply<'wait'>): string {
  return [waitVerdict(reply), ...reply.tail].join('\n');
}

/** `matched: "ready" after 20 ms`, `matched: exit code 1 (make) after 532 ms`, `matched: ssh probably waits for input (raw) after 4000 ms`. */
function waitVerdict(reply: Omit<Reply<'wait'>, 'len'>): string {
  const { match, awaiting_input: reader } = reply;
  const waiting = reader === undefined ? undefined : oneLine(waitingWords(reader));
  const what = match === undefined ? (endWords(reply) ?? waiting) : JSON.stringify(match.text);
  const beside = [match !== undefined && reader?.certain === false ? waiting : undefined, reply.warning];
  const after = beside.flatMap((words) => (words === undefined ? [] : [`. ${words}`])).join('');
  return `${reply.outcome}${what === undefined ? '' : `: ${what}`} after ${reply.elapsed_ms} ms${after}`;
}

/** The words of the person in quotation marks: t4a's own come before them. */
function askWords({ ask, outcome, answer, note, by, person, watchers }: Reply<'ask'>): string {
  const own = person === false ? ' in your client, not known to be by a person' : undefined;
  const who = own ?? (by === null ? '' : ` by ${by}`);
  const given = answer === undefined ? '' : `: ${JSON.stringify(answer)}`;
  const noted = note === undefined ? '' : `\nNote: ${JSON.stringify(note)}`;
  if (outcome !== 'open') return `Question ${ask}: ${outcome}${who}${given}${noted}`;
  const seen = watchers === 0 ? ' No client watches the terminal now.' : '';
  return `Question ${ask}: open.${seen} Call again with resume ${ask} to wait on.`;
}

/** Words for a plain reply. Those about the picture are in the picture, and what is masked has its own. */
function plainWords(reply: object): string {
  const { len: _len, data: _data, tokens: _tokens, masked: _masked, ...fields } = reply as Record<string, unknown>;
  return Object.keys(fields).length === 0 ? 'ok' : JSON.stringify(fields);
}

/** @param call that reads the rest, behind a colon */
function shortened(text: string, call = '', most = MAX_TEXT_LENGTH): string {
  if (text.length <= most) return text;
  const half = most / 2;
  return `${text.slice(0, half)}\n… ${text.length - most} characters left out${call} …\n${text.slice(-half)}`;
}
