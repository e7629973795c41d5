/** The page of markdown that shows the evidence: for the folder on GitHub, and for a comment. */
import type { Reply } from '../../protocol/registry.js';

export interface EvidenceFacts {
  readonly title: string;
  readonly status: Pick<
    Reply<'status'>,
    'id' | 'cmd' | 'alive' | 'exit_code' | 'signal' | 'created_at' | 'cols' | 'rows'
  >;
  readonly commands: Reply<'commands'>['commands'];
  readonly transcript: string;
  /** Undefined if there is none. */
  readonly film: { readonly name: string; readonly isPart: boolean } | undefined;
  readonly filmReason: string | undefined;
  readonly isWhole: boolean;
  /** Secrets. Undefined if none were looked for. */
  readonly masked: number | undefined;
  /** Names of those whose values are secrets. */
  readonly variables: readonly string[];
}

/** Lines of the transcript that a page shows: a comment has 65,536 characters. */
const MAX_LINES = 120;
const MAX_CHARACTERS = 24_000;
const MAX_COMMANDS = 50;

/** @param clean masks the secrets of a text; what is written so that markdown shows it is not searched any more */
export function evidencePage(facts: EvidenceFacts, clean: (given: string) => string): string {
  const { title, film, filmReason, isWhole, transcript } = facts;
  const parts = [
    `# ${text(clean(title))}`,
    commandTable(facts, clean),
    isWhole ? undefined : 'There is no history: this is what the terminal held at last.',
    film === undefined ? `There is no film: ${text(clean(filmReason ?? ''))}` : filmLines(film),
    '## Last screen\n\n![Last screen](last.png)',
    `## Transcript\n\n${fenced(endOf(clean(transcript)))}\n\nAll of it: [transcript.txt](transcript.txt)`,
    maskedLines(facts),
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

/** The command that makes the page has another environment than the daemon and the program. */
function maskedLines({ masked, variables }: EvidenceFacts): string {
  if (masked === undefined) return 'No secrets were looked for.';
  const values = ` Of ${codeOf(variables.join(', '))}, values that the maker of this page did not have may stand here.`;
  return `Secrets that were masked: ${masked}.${variables.length === 0 ? '' : values}`;
}

function filmLines({ name, isPart }: NonNullable<EvidenceFacts['film']>): string {
  const heading = isPart ? '## Film of the last minute' : '## Film';
  // A page shows no video that lies beside it.
  return `${heading}\n\n${name.endsWith('.gif') ? `![Film](${name})` : `[${name}](${name})`}`;
}

function commandTable({ status, commands }: EvidenceFacts, clean: (given: string) => string): string {
  const shown = commands.slice(-MAX_COMMANDS);
  const rows =
    shown.length > 0
      ? shown.map(({ command, running, code, started_at: startedAt, duration_ms: ms }) => [
          codeOf(clean(command ?? '(unknown)')),
          running ? 'runs' : (code ?? 'unknown'),
          startedAt === null ? '' : new Date(startedAt).toISOString(),
          ms === null ? '' : `${(ms / 1000).toFixed(1)} s`,
        ])
      : [[codeOf(clean(status.cmd.join(' '))), endOfProgram(status), new Date(status.created_at).toISOString(), '']];
  const left = commands.length - shown.length;
  const table = [['Command', 'Status', 'Started', 'Took'], ['---', '---', '---', '---'], ...rows];
  const note = left === 0 ? '' : `\n\n${left} earlier commands are left out.`;
  return `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}${note}`;
}

function endOfProgram({ alive, exit_code: code, signal }: EvidenceFacts['status']): string {
  if (alive) return 'runs';
  return signal ?? String(code);
}

/** Nothing of it is markdown or HTML. */
function text(given: string): string {
  return given
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]<>()#+!|~&-]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function codeOf(given: string): string {
  const escaped = given
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[&<>|`*_[\]\\~]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<code>${escaped}</code>`;
}

/** The fence is longer than any in the text. */
function fenced(given: string): string {
  const longest = Math.max(2, ...(given.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${given}\n${fence}`;
}

function endOf(transcript: string): string {
  const lines = transcript.trimEnd().split('\n');
  let shown = lines.slice(-MAX_LINES).join('\n');
  if (shown.length > MAX_CHARACTERS) shown = shown.slice(-MAX_CHARACTERS);
  const left = lines.length - shown.split('\n').length;
  return left > 0 ? `… ${left} lines before these …\n${shown}` : shown;
}
