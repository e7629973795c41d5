/** Rules for Gemini CLI (0.61): messages, commands, questions for permission, work. In the form of a rules file. */
export const GEMINI = {
  version: 1,
  profiles: [
    {
      id: 'gemini',
      match: { command_regex: '(?:^|/)gemini(?:\\.js)?$' },
      rules: [
        // What was sent before has the same frame, without the footer. The cursor is left in a row below.
        {
          id: 'composer',
          on: 'box',
          opens_menu: '(?:^|\\s)@\\S*$',
          start: '^▄{10,}$',
          steps: [
            { match: '^ [>!*](?: (?P<text>.*))?$' },
            { match: '^(?:   (?P<text>.*))?$', optional: true, repeat: true },
            { match: '^▀{10,}$' },
            // The column of the mode of vim has no heading, so that the first one begins further right.
            { match: '^(?: [^\\s\\x{2800}-\\x{28FF}]| {8,}[a-z/])', ahead: true },
          ],
          max_lines: 200,
          cursor: false,
          hint: "^(?:Type your message(?: or @path/to/file)?|Press 'Esc' for NORMAL mode\\.|Press 'i' for INSERT mode\\.)$",
          emit: { kind: 'composer' },
        },
        // Questions of the first run. Each has the choice that Enter would take.
        {
          id: 'first-login',
          on: 'region',
          start: '^│ \\? Get started +│$',
          steps: [
            { match: '^│ +│$', optional: true, repeat: true },
            { match: '^│ +(?P<question>How would you like to authenticate .*?) *│$' },
            { match: '^ ?│ +(?:[^●\\s│].*)?│$', optional: true, repeat: true },
            { match: '^ ?│ +● \\d+\\. \\S.*│$' },
          ],
          min_confidence: 1,
          emit: { kind: 'question', data: { about: 'login' } },
        },
        {
          id: 'first-trust',
          on: 'region',
          start: '^ ?│ +(?P<question>Do you trust .*\\?) +│$',
          steps: [
            { match: '^ ?│ +(?:[^●\\s│].*)?│$', optional: true, repeat: true },
            { match: '^ ?│ +● \\d+\\. \\S.*│$' },
          ],
          min_confidence: 1,
          emit: { kind: 'question', data: { about: 'trust' } },
        },
        {
          id: 'permission',
          on: 'region',
          start: '^│ \\? (?P<tool>\\S+) +(?P<input>\\S.*?) *│$',
          steps: [
            { match: '^│ [╭│╰].*│$', optional: true, repeat: true },
            { match: '^│ (?P<question>Allow execution of .*\\?) *│$' },
          ],
          min_confidence: 1,
          emit: { kind: 'permission_request' },
        },
        {
          id: 'permission-tool',
          on: 'region',
          start: '^│ \\? (?P<tool>\\S+) +(?P<input>\\S.*?) *│$',
          steps: [
            { match: '^│ (?:[^AD].*)?│$', optional: true, repeat: true },
            { match: '^│ (?P<question>(?:Allow|Apply|Do you want) .*\\?) *│$' },
          ],
          min_confidence: 1,
          emit: { kind: 'permission_request', confidence: 0.9 },
        },
        // Without the spinner and the seconds, which would be a version each.
        {
          id: 'working',
          on: 'region',
          region: { left: 3, right: 30 },
          start: '^\\S.* \\(esc to cancel',
          emit: { kind: 'working', key: 'working' },
        },
        {
          id: 'user',
          start: '^ > (?P<text>\\S.*)$',
          // Below the line that is being typed there is the footer.
          steps: [
            { match: '^ {3}\\S.*$', optional: true, repeat: true },
            { match: '^▀+$' },
            { match: '^(?:[✦╭│ℹ✕].*)?$', ahead: true },
          ],
          min_confidence: 1,
          emit: { kind: 'user_message' },
        },
        {
          id: 'tool',
          start: '^│ (?P<mark>[✓✗x-]) +(?P<tool>\\S+) (?P<input>.*?) *│$',
          steps: [
            { match: '^│ +│$', optional: true },
            { match: '^│ (?P<result>\\S.*?) *│$', optional: true },
            { match: '^│.*│$', optional: true, repeat: true },
            { match: '^╰─+╯$' },
          ],
          min_confidence: 1,
          emit: { kind: 'tool_call' },
        },
        { id: 'agent', start: '^✦ \\S.*$', continue: '^(?: {2,5}\\S.*)?$', emit: { kind: 'agent_message' } },
        { id: 'cancelled', start: '^ℹ Request cancelled', emit: { kind: 'turn_end' } },
      ],
    },
  ],
};
