/** Descriptions in the small schemas of the default profile, where those of the protocol say more than a model needs there. */

/** By the path of the field, with `*` for any tool. */
const SMALL_WORDS: Readonly<Record<string, string>> = {
  '*.id': 'Id or name; "@": the one used last.',
  '*.cwd': 'Working directory. Default: the current one.',
  'create.command': 'Shell command (`sh -c`), in place of `cmd_args`.',
  'run.id': 'Terminal whose shell runs the command ("@": the one used last). Default: a new one.',
  'run.command': 'Shell command; may have several lines.',
  'run.max_lines': 'Lines of output: first and last half. Default: 60.',
  'kill.id': 'One or several; "@": the one used last.',
  'ask.id': 'Terminal that it is about.',
  'screenshot.max_tokens': 'Budget: smaller cells, else only a part around the cursor.',
  'screenshot.region.row': '0-based.',
  'screenshot.region.col': '0-based.',
  'text.region': 'Default: the viewport.',
  'text.last': 'The last lines, scrollback included.',
  'text.from_line': 'Number of the first line, as in what was left out.',
  'text.max_lines': 'With `from_line`.',
  'text.changed': 'Only the rows that differ from your last look.',
  'film.max_tokens': 'Budget of the image.',
  'type.submit': 'Press Enter afterwards.',
  'type.secret':
    'The text is a secret: written only while a program reads without echo, else `would_echo`; never logged.',
  'press.keys': 'In order.',
  'ask.resume': 'Number of an open question to wait for.',
  'wait.until': 'One of these.',
  'wait.until.text': 'Is on the screen, or scrolled by.',
  'wait.until.regex': 'A line matches (RE2).',
  'wait.until.gone': 'Text that is not on the screen.',
  'wait.until.settled_ms': 'The screen has not changed for so long, except periodically.',
  'wait.until.done': 'The shell has finished its last command.',
  'wait.until.exit': 'The program has ended.',
  'wait.until.awaiting_input': 'The program waits for input (of this kind).',
  'wait.until.control': 'No other name has control (free), you have it (mine), you do not (lost).',
  'wait.fail': 'One of these ends the wait as failed.',
  'wait.fail.text': 'As in `until`.',
  'wait.fail.regex': 'As in `until`.',
};

/** @param path of a field, without its tool */
export function smallWords(tool: string, path: string): string | undefined {
  return SMALL_WORDS[`${tool}.${path}`] ?? SMALL_WORDS[`*.${path}`];
}

export const SMALL_WORD_PATHS: readonly string[] = Object.keys(SMALL_WORDS);
