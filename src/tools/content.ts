/** Replies as blocks for a model: text that is short and says what counts, and pictures. */
import { endWords } from '../protocol/end-words.js';
import type { T4aError } from '../protocol/errors.js';
import type { CommandName, Reply } from '../protocol/registry.js';

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string };

/** About 8,000 tokens: beyond that a model is better served by a part. */
const MAX_TEXT_LENGTH = 32_000;

const MIME_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
};

/** A reply in words; without an entry here, as JSON. */
const WORDS: { readonly [Name in CommandName]?: (reply: Reply<Name>) => string } = {
  run: (reply) => `${runVerdict(reply)}\n${runOutput(reply)}`,
  create: (reply) => `Terminal ${reply.id} (${reply.cols}x${reply.rows}, pid ${reply.pid})`,
  text: (reply) => reply.lines.join('\n').trimEnd() || '(blank)',
  list: (reply) => reply.terminals.map(terminalLine).join('\n') || 'No terminals.',
  screenshot: (reply) =>
    reply.unchanged === true
      ? `Unchanged since revision ${reply.rev}.`
      : `${reply.cols}x${reply.rows} cells, ${reply.width}x${reply.height} pixels, revision ${reply.rev}`,
  entries: entriesWords,
  wait: waitWords,
};

export function contentOf(command: CommandName, reply: object, bytes: Uint8Array | undefined): ToolContent[] {
  // Each is called with the reply of its own command alone.
  const inWords = WORDS[command] as ((reply: object) => string) | undefined;
  const words = inWords?.(reply) ?? plainWords(reply);
  const text = { type: 'text' as const, text: shortened(words) };
  return bytes === undefined ? [text] : [pictureBlock(reply, bytes), text];
}

export function errorContent({ code, message, details }: T4aError): ToolContent[] {
  const { hint, closest } = details;
  const lines = [
    `${message} (${code})`,
    ...(closest === undefined || hint?.includes(closest) === true ? [] : [`Closest: ${closest}`]),
    ...(hint === undefined ? [] : [`Hint: ${hint}`]),
  ];
  return [{ type: 'text', text: lines.join('\n') }];
}

/** Formats that are text (SVG, HTML) are no image to a vision model. */
function pictureBlock(reply: object, bytes: Uint8Array): ToolContent {
  const { format } = reply as { format?: string };
  const mimeType = MIME_TYPES[format ?? 'png'];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mimeType === undefined) return { type: 'text', text: shortened(buffer.toString('utf8')) };
  return { type: 'image', mimeType, data: buffer.toString('base64') };
}

/** What follows the colon is text of the program. */
function entriesWords({ profile, entries, next, more }: Reply<'entries'>): string {
  if (profile === null) return 'The terminal has no rules: create one with "rules": "generic".';
  const lines = entries.map(({ kind, open, data }) => `${kind}${open ? ' (open)' : ''}: ${JSON.stringify(data)}`);
  return [`next: ${next}${more ? ' (more follow)' : ''}`, ...lines].join('\n');
}

function runVerdict({ outcome, exit_code: code, signal, duration_ms: ms, id, n }: Reply<'run'>): string {
  if (outcome === 'not_run') return 'Not run: the shell found an error in the command line, or nothing to run.';
  if (outcome === 'timeout') {
    // Only a command in a given terminal has a number.
    return n === undefined ? `Not ended after ${ms} ms, and was killed.` : `Goes on in terminal ${id} after ${ms} ms.`;
  }
  const ended =
    signal === null ? `Exit code ${code ?? 'unknown'} after ${ms} ms.` : `Ended by ${signal} after ${ms} ms.`;
  return outcome === 'exited' && n !== undefined ? `${ended} The shell of terminal ${id} has ended with it.` : ended;
}

function runOutput({ lines, omitted_lines: omitted }: Reply<'run'>): string {
  if (omitted === 0) return lines.join('\n').trimEnd();
  const head = Math.ceil(lines.length / 2);
  return [...lines.slice(0, head), `… ${omitted} lines left out …`, ...lines.slice(head)].join('\n').trimEnd();
}

function terminalLine(terminal: Reply<'list'>['terminals'][number]): string {
  const { id, alive, exit_code: code, signal, cols, rows, idle_ms: idleMs, foreground, title, cmd } = terminal;
  const state = alive ? `running ${foreground ?? ''}`.trimEnd() : `ended (${signal ?? code})`;
  const named = title === '' ? '' : `, title ${JSON.stringify(title)}`;
  return `${id}: ${cmd.join(' ')}: ${state}, ${cols}x${rows}, ${idleMs} ms idle${named}`;
}

function waitWords(reply: Reply<'wait'>): string {
  return [waitVerdict(reply), ...reply.tail].join('\n');
}

/** `matched: "ready" after 20 ms`, `matched: exit code 1 (make) after 532 ms`. */
function waitVerdict(reply: Omit<Reply<'wait'>, 'len'>): string {
  const what = reply.match === undefined ? endWords(reply) : JSON.stringify(reply.match.text);
  return `${reply.outcome}${what === undefined ? '' : `: ${what}`} after ${reply.elapsed_ms} ms`;
}

/** What concerns the picture is in the picture. */
function plainWords(reply: object): string {
  const { len: _len, data: _data, tokens: _tokens, ...fields } = reply as Record<string, unknown>;
  return Object.keys(fields).length === 0 ? 'ok' : JSON.stringify(fields);
}

function shortened(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const half = MAX_TEXT_LENGTH / 2;
  const cut = text.length - MAX_TEXT_LENGTH;
  return `${text.slice(0, half)}\n… ${cut} characters left out …\n${text.slice(-half)}`;
}
