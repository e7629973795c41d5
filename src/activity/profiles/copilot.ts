/** Rules for GitHub Copilot CLI (1.0): its box, questions for permission, work, and failures of its model. In the form of a rules file. */
export const COPILOT = {
  version: 1,
  profiles: [
    {
      id: 'copilot',
      match: { command_regex: '(?:^|/)copilot$' },
      rules: [
        // What was sent before is indented, and has no lines around it.
        {
          id: 'composer',
          on: 'box',
          start: '^─{10,}',
          steps: [
            { match: '^[❯!](?: (?P<text>.*))?$' },
            { match: '^(?:  (?P<text>.*))?$', optional: true, repeat: true },
            { match: '^─{10,}' },
          ],
          max_lines: 200,
          emit: { kind: 'composer' },
        },
        {
          id: 'permission',
          on: 'region',
          start: '^│ (?P<question>(?:Do you want|Allow|Would you like) .*\\?) *│$',
          steps: [{ match: '^│.*│$', repeat: true }, { match: '^╰─+╯' }],
          min_confidence: 1,
          emit: { kind: 'permission_request' },
        },
        // Without the count of bytes, which would be a version each.
        {
          id: 'working',
          on: 'region',
          region: { top: -1 },
          start: '^ [^\\s❯] (?P<text>\\S[^·]*\\S) · .*esc.* interrupt.*$',
          emit: { kind: 'working', key: 'working' },
        },
        // The last thing that was said: a further prompt stands between it and the box. At the right there may be a scroll bar.
        {
          id: 'failed',
          on: 'region',
          start: '^ ✗ (?P<text>\\S.*?) *┃?$',
          steps: [
            { match: '^ {3,}[^\\s┃].*$', optional: true, repeat: true },
            { match: '^ *┃?$', optional: true, repeat: true },
            { match: '^ [~/].*$' },
            { match: '^─{10,}' },
          ],
          min_confidence: 1,
          emit: { kind: 'failed', key: 'failed' },
        },
      ],
    },
  ],
};
