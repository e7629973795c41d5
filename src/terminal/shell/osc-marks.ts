/**
 * Marks of prompts and commands, in the three dialects of shells, as one vocabulary. Parsing only: what the marks mean
 * together is in mark-transitions.ts.
 *
 * OSC 133: https://gitlab.freedesktop.org/Per_Bothner/specifications/blob/master/proposals/semantic-prompts.md, with
 * the `cmdline` and `cmdline_url` options of kitty and fish. OSC 633: VS Code's shell integration. OSC 7777: t4a's own,
 * `done;CODE` for any prompt hook and `shell;NAME` from the scripts that t4a injects, or `shell;NAME;off=REASON` if a
 * script cannot mark anything.
 */
import { ownCopy } from '../../base/own-copy.js';
import type { OscSequence } from '../../events/osc-notices.js';
import { decodePercent } from '../../events/percent.js';

export type ShellMark =
  /** `dropsTabs`: of what is pasted. */
  | { readonly mark: 'shell'; readonly name: string; readonly off: string | undefined; readonly dropsTabs?: true }
  | { readonly mark: 'prompt_start' }
  | {
      readonly mark: 'input_start';
      /** The shell itself has put text on its command line. */
      readonly holdsText?: boolean;
      /** The prompt follows. */
      readonly isEarly?: boolean;
    }
  | { readonly mark: 'command_line'; readonly command: string }
  /** `isExpected`: the mark has no command, and this is the line that was typed. */
  | { readonly mark: 'command_start'; readonly command: string | undefined; readonly isExpected?: boolean }
  | {
      readonly mark: 'command_done';
      readonly code: number | null;
      /** Its start could not be marked. */
      readonly isAlone?: boolean;
      /** Before a shell's first prompt: nothing was typed yet. */
      readonly isFirst?: boolean;
    }
  /** A line that the shell could not read as a command. */
  | {
      readonly mark: 'line_refused';
      readonly code: number | null;
      /** It is still on the command line. */
      readonly isKept: boolean;
    };

export interface SourcedMark {
  /** The speaker: the dialect, and the `aid` option if there is one (one shell process). */
  readonly source: string;
  readonly mark: ShellMark;
}

/** Source of marks of OSC 133 that do not name their shell. */
export const OSC_133 = '133';

/** Source of marks of OSC 7777. */
export const T4A = '7777';

/** The injected scripts name their process; most others do not. */
export function hasAid(source: string): boolean {
  return source.startsWith(`${OSC_133};`);
}

/** Code units kept of a command line; a longer one ends in an ellipsis. */
export const MAX_COMMAND_LENGTH = 4096;

/** Longest name of a shell, and longest `aid`. */
const MAX_NAME_LENGTH = 64;
/** Longest reason why a script cannot mark anything. */
const MAX_REASON_LENGTH = 200;

type ParseFields = (fields: readonly string[]) => ShellMark | undefined;

const promptStart: ParseFields = () => ({ mark: 'prompt_start' });
const inputStart: ParseFields = () => ({ mark: 'input_start' });

/** `held` and `early` are of the injected scripts. */
const ownInputStart: ParseFields = (options) => ({
  mark: 'input_start',
  ...(options.includes('held') ? { holdsText: true } : {}),
  ...(options.includes('early') ? { isEarly: true } : {}),
});
const commandDone: ParseFields = ([code]) => ({ mark: 'command_done', code: parseExitCode(code) });

/** `refused`, `kept` and `alone` are of the injected scripts. */
const commandDoneOrRefused: ParseFields = ([field, ...options]) => {
  const code = parseExitCode(field);
  if (!options.includes('refused')) {
    return { mark: 'command_done', code, ...(options.includes('alone') ? { isAlone: true } : {}) };
  }
  return { mark: 'line_refused', code, isKept: options.includes('kept') };
};

const DIALECTS: Readonly<Record<number, Readonly<Record<string, ParseFields>>>> = {
  133: {
    A: promptStart,
    B: ownInputStart,
    C: (options) => ({ mark: 'command_start', command: commandOption(options) }),
    D: commandDoneOrRefused,
  },
  633: {
    A: promptStart,
    B: inputStart,
    C: () => ({ mark: 'command_start', command: undefined }),
    D: commandDone,
    E: ([command]) =>
      command === undefined ? undefined : { mark: 'command_line', command: clip(unescape633(command)) },
  },
  7777: {
    done: commandDone,
    shell: ([name, ...options]) =>
      name === undefined
        ? undefined
        : {
            mark: 'shell',
            name: ownCopy(name.slice(0, MAX_NAME_LENGTH)),
            off: reasonOf(options),
            ...(options.includes('tabs=dropped') ? { dropsTabs: true } : {}),
          },
  },
};

export function parseShellMark({ code, data }: OscSequence): SourcedMark | undefined {
  const dialect = DIALECTS[code];
  if (dialect === undefined) return undefined;
  const [letter = '', ...fields] = data.split(';');
  const mark = Object.hasOwn(dialect, letter) ? dialect[letter]?.(fields) : undefined;
  if (mark === undefined) return undefined;
  const aid = code === 133 ? option(fields, 'aid') : undefined;
  return { source: aid === undefined ? String(code) : ownCopy(`${code};${aid.slice(0, MAX_NAME_LENGTH)}`), mark };
}

/** Shells report 0..255; Windows-born ones more. Anything else is as good as no code. */
function parseExitCode(field: string | undefined): number | null {
  return field !== undefined && /^-?\d{1,10}$/.test(field) ? Number(field) : null;
}

function commandOption(options: readonly string[]): string | undefined {
  const encoded = option(options, 'cmdline_url');
  if (encoded !== undefined) return clip(decodePercent(encoded));
  // `printf %q` leaves semicolons in, so a quoted command line takes all that follows it.
  const quotedAt = options.findIndex((field) => field.startsWith('cmdline='));
  if (quotedAt === -1) return undefined;
  return clip(unquoteShellWord(options.slice(quotedAt).join(';').slice('cmdline='.length)));
}

function reasonOf(options: readonly string[]): string | undefined {
  const reason = option(options, 'off');
  return reason === undefined ? undefined : ownCopy(reason.slice(0, MAX_REASON_LENGTH));
}

function option(fields: readonly string[], name: string): string | undefined {
  const prefix = `${name}=`;
  return fields.find((field) => field.startsWith(prefix))?.slice(prefix.length);
}

/** VS Code escapes backslash, semicolon and controls as `\\` and `\xHH`. */
function unescape633(text: string): string {
  return text.replaceAll(/\\(?:\\|x([0-9A-Fa-f]{2}))/g, (_, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** What `printf %q` writes: backslashes before single characters, or one `$'…'` word, in which octal escapes are bytes. */
function unquoteShellWord(word: string): string {
  const ansi = /^\$'(.*)'$/s.exec(word)?.[1];
  if (ansi === undefined) return word.replaceAll(/\\(.)/gs, '$1');
  const percents = ansi
    .replaceAll('%', '%25')
    .replaceAll(/\\(?:([0-7]{1,3})|(.))/gs, (_, octal: string | undefined, char: string | undefined) =>
      octal === undefined
        ? (ANSI_C_ESCAPES[char ?? ''] ?? char ?? '')
        : `%${Number.parseInt(octal, 8).toString(16).padStart(2, '0').slice(-2)}`,
    );
  return decodePercent(percents);
}

const ANSI_C_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function clip(command: string): string {
  return ownCopy(command.length <= MAX_COMMAND_LENGTH ? command : `${command.slice(0, MAX_COMMAND_LENGTH - 1)}…`);
}
