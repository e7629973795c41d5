/** Rules for Claude Code (2.1.197 and 2.1.332): messages, calls of tools, questions for permission, ends of turns. In the form of a rules file. */
export const CLAUDE = {
  version: 1,
  profiles: [
    {
      id: 'claude',
      match: { command_regex: '(?:^|/)claude$' },
      rules: [
        // Between two lines; what was sent before has none above it.
        {
          id: 'composer',
          on: 'box',
          opens_shell: '^!',
          start: '^─{10,}',
          steps: [
            { match: '^❯(?: (?P<text>.*))?$' },
            { match: '^(?:  (?P<text>.*))?$', optional: true, repeat: true },
            { match: '^─{10,}' },
          ],
          max_lines: 200,
          emit: { kind: 'composer' },
        },
        // Questions of the first run. Each ends with the choice that Enter would take.
        {
          id: 'first-theme',
          on: 'region',
          start: '^ (?P<question>Choose the text style .*)$',
          steps: [
            { match: '^(?: {1,2}[^\\s❯].*)?$', optional: true, repeat: true },
            { match: '^ {3,}\\S.*$', optional: true, repeat: true },
            { match: '^ {1,2}❯ \\S.*$' },
          ],
          min_confidence: 1,
          emit: { kind: 'question', data: { about: 'theme' } },
        },
        {
          id: 'first-login',
          on: 'region',
          start: '^ (?P<question>Select login method:)$',
          steps: [
            { match: '^(?: {1,2}[^\\s❯].*)?$', optional: true, repeat: true },
            { match: '^ {3,}\\S.*$', optional: true, repeat: true },
            { match: '^ {1,2}❯ \\S.*$' },
          ],
          min_confidence: 1,
          emit: { kind: 'question', data: { about: 'login' } },
        },
        {
          id: 'first-key',
          on: 'region',
          start: '^  Detected a custom API key in your environment$',
          steps: [
            { match: '^$', optional: true },
            { match: '^  ANTHROPIC_API_KEY: .*$' },
            { match: '^$', optional: true },
            { match: '^  (?P<question>Do you want to use this API key\\?)$' },
            { match: '^(?: {1,2}[^\\s❯].*)?$', optional: true, repeat: true },
            { match: '^ {3,}\\S.*$', optional: true, repeat: true },
            { match: '^ {1,2}❯ \\S.*$' },
          ],
          min_confidence: 1,
          emit: { kind: 'question', data: { about: 'login' } },
        },
        {
          id: 'first-trust',
          on: 'region',
          start: '^ Accessing workspace:$',
          steps: [
            { match: '^$', optional: true },
            { match: '^ (?P<directory>\\S.*)$' },
            { match: '^$', optional: true },
            { match: '^ (?P<question>Quick safety check: .*)$' },
            { match: '^(?: {1,2}[^\\s❯].*)?$', optional: true, repeat: true },
            { match: '^ {3,}\\S.*$', optional: true, repeat: true },
            { match: '^ {1,2}❯ \\S.*$' },
          ],
          min_confidence: 1,
          emit: { kind: 'question', data: { about: 'trust' } },
        },
        {
          id: 'first-bypass',
          on: 'region',
          start: '^  (?P<question>WARNING: Claude Code running in .*)$',
          steps: [
            { match: '^(?: {1,2}[^\\s❯].*)?$', optional: true, repeat: true },
            { match: '^ {3,}\\S.*$', optional: true, repeat: true },
            { match: '^ {1,2}❯ \\S.*$' },
          ],
          min_confidence: 1,
          emit: { kind: 'question', data: { about: 'trust' } },
        },
        {
          id: 'choice',
          on: 'region',
          start: '^ {1,2}❯ (?P<choice>\\S.*)$',
          steps: [
            { match: '^ {3,}\\S.*$', optional: true, repeat: true },
            { match: '^$' },
            { match: '^ {1,2}(?P<question>Enter to confirm · .*)$' },
          ],
          min_confidence: 1,
          emit: { kind: 'question', confidence: 0.9, data: { about: 'choice' } },
        },
        {
          id: 'permission',
          on: 'region',
          start: '^ (?P<tool>[A-Z][\\w ]*\\S)$',
          steps: [
            { match: '^$' },
            { match: '^ {2,}(?P<input>\\S.*)$' },
            { match: '^(?: {2,}.*)?$', optional: true, repeat: true },
            { match: '^ (?P<question>Do you want .*\\?)$' },
          ],
          min_confidence: 1,
          emit: { kind: 'permission_request' },
        },
        // Of 2.1.332: hints and a description, then the command between two rows of dashes.
        {
          id: 'permission-framed',
          on: 'region',
          start: '^ (?P<tool>[A-Z][\\w ]*command)$',
          steps: [
            { match: '^ [^\\s╌].*$', optional: true, repeat: true },
            { match: '^╌{10,}$' },
            { match: '^ (?P<input>\\S.*)$' },
            { match: '^(?: .*)?$', optional: true, repeat: true },
            { match: '^╌{10,}$' },
            { match: '^ (?P<question>Do you want .*\\?)$' },
          ],
          min_confidence: 1,
          emit: { kind: 'permission_request' },
        },
        {
          id: 'permission-question',
          on: 'region',
          start: '^ (?P<question>Do you want .*\\?)$',
          emit: { kind: 'permission_request', confidence: 0.9 },
        },
        // Its text is without the seconds and tokens, which would be a version each.
        {
          id: 'working',
          on: 'region',
          start: '^[·✢✳✶✻✽*] (?P<text>\\S[^…]*…)(?: \\(.*)?$',
          emit: { kind: 'working', key: 'working' },
        },
        {
          id: 'user',
          start: '^❯ (?P<text>\\S.*)$',
          // Not the line that is being typed, which has a rule below it.
          steps: [{ match: '^  \\S.*$', optional: true, repeat: true }, { match: '^$' }],
          min_confidence: 1,
          emit: { kind: 'user_message' },
        },
        {
          id: 'tool',
          // Once it has a result: until then it is a request for permission, or "Waiting…".
          start: '^● (?P<tool>[A-Z]\\w*)\\((?P<input>.*?)\\)?$',
          steps: [
            { match: '^ {4,}\\S.*$', optional: true, repeat: true },
            { match: '^  ⎿[ \\x{A0}]*(?P<result>(?:[^W \\x{A0}]|W[^a]).*)$' },
            { match: '^ {4,}\\S.*$', optional: true, repeat: true },
          ],
          min_confidence: 1,
          emit: { kind: 'tool_call' },
        },
        // A call that was folded to a row, with a dot that blinks while it lasts: refused, done, and not finished yet.
        {
          id: 'folded-refused',
          start: '^[● ] (?P<summary>Did not run \\d+ calls?)(?: \\(.*)?$',
          steps: [
            { match: '^  ⎿[ \\x{A0}]*\\$ (?P<input>.*)$', optional: true },
            { match: '^ {4,}\\S.*$', optional: true, repeat: true },
            { match: '^  ⎿[ \\x{A0}]*(?P<result>[^\\s\\x{A0}$].*)$', optional: true },
            { match: '^ {4,}\\S.*$', optional: true, repeat: true },
          ],
          emit: { kind: 'tool_call' },
        },
        {
          id: 'folded-call',
          start:
            '^[● ] (?P<result>(?:Ran \\d+ shell command|Read \\d+ file|Searched for \\d+ pattern|Listed \\d+ director)[^.!?:;]*)$',
          emit: { kind: 'tool_call' },
        },
        {
          id: 'folded-open',
          start: '^[● ] \\S.*$',
          steps: [
            { match: '^  ⎿[ \\x{A0}]*\\S.*$' },
            { match: '^(?:  ⎿.*| {4,}\\S.*)$', optional: true, repeat: true },
          ],
          min_confidence: 1,
          emit: { kind: 'none' },
        },
        {
          id: 'agent',
          start: '^● [^\\s(]+(?: .*)?$',
          continue: '^(?:  .*)?$',
          emit: { kind: 'agent_message' },
        },
        { id: 'turn', start: '^[✻✢✳✶✽] \\S+ for (?P<took>\\d.*?)(?: · done .*)?$', emit: { kind: 'turn_end' } },
      ],
    },
  ],
};
