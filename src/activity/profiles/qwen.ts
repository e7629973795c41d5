/** Rules for Qwen Code (0.15): its box, questions for permission, work, and failures of its model. In the form of a rules file. */
export const QWEN = {
  version: 1,
  profiles: [
    {
      id: 'qwen',
      match: { command_regex: '(?:^|/)qwen(?:\\.js)?$' },
      rules: [
        // The cursor is left in a row below. What was sent before is indented.
        {
          id: 'composer',
          on: 'box',
          start: '^─{10,}',
          steps: [
            { match: '^[>!*](?: (?P<text>.*))?$' },
            { match: '^(?:  (?P<text>.*))?$', optional: true, repeat: true },
            { match: '^─{10,}' },
          ],
          max_lines: 200,
          cursor: false,
          hint: '^Type your message(?: or @path/to/file)?$',
          emit: { kind: 'composer' },
        },
        {
          id: 'permission',
          on: 'region',
          start: '^  │ \\? +(?P<tool>\\S+) +(?P<input>\\S.*?)(?: ←)? *│$',
          steps: [
            { match: '^  │ (?:[^AD›●].*)?│$', optional: true, repeat: true },
            { match: '^  │ (?P<question>(?:Allow|Apply|Do you want) .*\\?) *│$' },
            { match: '^  │.*│$', optional: true, repeat: true },
            { match: '^  ╰─+╯$' },
          ],
          min_confidence: 1,
          emit: { kind: 'permission_request' },
        },
        // Without the spinner and the seconds, which would be a version each.
        {
          id: 'working',
          on: 'region',
          region: { left: 4 },
          start: '^(?P<text>\\S[^(]*[^( ]) +\\(.*esc to cancel\\)$',
          emit: { kind: 'working', key: 'working' },
        },
        {
          id: 'failed',
          on: 'region',
          start: '^  ✕ (?P<text>\\S.*)$',
          steps: [
            { match: '^ {3,}\\S.*$', optional: true, repeat: true },
            { match: '^$', optional: true, repeat: true },
            { match: '^─{10,}' },
          ],
          min_confidence: 1,
          emit: { kind: 'failed', key: 'failed' },
        },
        {
          id: 'user',
          start: '^  > (?P<text>\\S.*)$',
          steps: [{ match: '^ {4}\\S.*$', optional: true, repeat: true }, { match: '^$' }],
          min_confidence: 1,
          emit: { kind: 'user_message' },
        },
        { id: 'agent', start: '^  ✦ \\S.*$', continue: '^(?: {4,}\\S.*)?$', emit: { kind: 'agent_message' } },
      ],
    },
  ],
};
