/**
 * Descriptions in the small schemas of the default profile, where those of the protocol say more than a model needs there. A field
 * whose name says all has none.
 */

/** Words by the path of the field, with `*` for any tool. */
const SMALL_WORDS: Readonly<Record<string, string>> = {
  '*.id': '',
  '*.cwd': '',
  '*.timeout_ms': '',
  '*.max_tokens': 'Budget of the image.',
  'create.cols': '',
  'create.rows': '',
  'create.command': 'Shell command.',
  'create.cmd_args': '',
  'create.name': 'Its id.',
  'create.rules': 'For `entries`: "generic".',
  'run.id': 'Default: a new terminal.',
  'run.command': '',
  'run.max_lines': 'Default: 60, half of them the last.',
  'kill.id': '',
  'kill.signal': 'Such as "INT".',
  'ask.id': 'Terminal that it is about.',
  'ask.question': '',
  'ask.kind': '',
  'ask.choices': '',
  'ask.resume': 'Number of an open question.',
  'screenshot.region': 'Only this part; from row 0, column 0.',
  'screenshot.region.row': '',
  'screenshot.region.col': '',
  'screenshot.region.rows': '',
  'screenshot.region.cols': '',
  'text.region': 'Default: the viewport.',
  'text.last': 'The last lines, scrollback included.',
  'text.from_line': 'Number of the first line, as in what was left out.',
  'text.max_lines': 'With `from_line`.',
  'text.changed': 'Only the rows that differ from your last look.',
  'film.from': 'Such as "-30s". Default: your last input.',
  'entries.since': 'The `next` of a reply.',
  'type.text': '',
  'type.submit': '',
  'type.secret': 'Typed only while a program reads without echo; never logged.',
  'press.keys': '',
};

/** @param path of a field, without its tool */
export function smallWords(tool: string, path: string): string | undefined {
  return SMALL_WORDS[`${tool}.${path}`] ?? SMALL_WORDS[`*.${path}`];
}

export const SMALL_WORD_PATHS: readonly string[] = Object.keys(SMALL_WORDS);
