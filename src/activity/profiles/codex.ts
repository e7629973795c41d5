/** Rules for OpenAI Codex (0.169): messages, commands, questions for permission, work, ends of turns. In the form of a rules file. */
export const CODEX = {
  version: 1,
  profiles: [
    {
      id: 'codex',
      match: { command_regex: '(?:^|/)codex(?:\\.js)?$' },
      rules: [
        // The sign of what was sent before is dim. A choice has the cursor elsewhere.
        {
          id: 'composer',
          on: 'box',
          opens_menu: '(?:^|\\s)[@$]\\S*$',
          opens_shell: '^!',
          start: '^›(?: (?P<text>.*))?$',
          steps: [
            { match: '^(?:  (?P<text>.*))?$', optional: true, repeat: true },
            { match: '^$' },
            { match: '^  \\S.*$' },
            { match: '^  \\S.*$', optional: true },
            { match: '^  \\S.*$', optional: true },
          ],
          max_lines: 200,
          emit: { kind: 'composer' },
        },
        {
          id: 'composer-alone',
          on: 'box',
          opens_menu: '(?:^|\\s)[@$]\\S*$',
          opens_shell: '^!',
          start: '^›(?: (?P<text>.*))?$',
          steps: [{ match: '^  (?P<text>\\S.*)$', optional: true, repeat: true }],
          max_lines: 200,
          emit: { kind: 'composer' },
        },
        // Questions of the first run. Each has the choice that Enter would take.
        {
          id: 'first-login',
          on: 'region',
          start: '^  (?P<question>Choose how you want to use Codex\\.)$',
          steps: [
            { match: '^$', optional: true, repeat: true },
            { match: '^(?:  [^\\s].*| {3,}\\S.*)?$', optional: true, repeat: true },
            { match: '^> \\d\\. \\S.*$' },
          ],
          min_confidence: 1,
          emit: { kind: 'question', data: { about: 'login' } },
        },
        {
          id: 'first-trust',
          on: 'region',
          start: '^  (?P<question>Trust this folder\\?) .*$',
          steps: [
            { match: '^(?:  [^\\s].*| {3,}\\S.*)?$', optional: true, repeat: true },
            { match: '^› \\d\\. \\S.*$' },
          ],
          min_confidence: 1,
          emit: { kind: 'question', data: { about: 'trust' } },
        },
        {
          id: 'choice',
          on: 'region',
          start: '^[›>] (?P<choice>\\d\\. \\S.*)$',
          steps: [
            { match: '^(?:  [^\\s].*| {3,}\\S.*)?$', optional: true, repeat: true },
            { match: '^  (?P<question>enter continue · .*|Press enter to (?:continue|confirm).*)$' },
          ],
          min_confidence: 1,
          emit: { kind: 'question', confidence: 0.9, data: { about: 'choice' } },
        },
        {
          id: 'permission',
          on: 'region',
          start: '^  (?P<question>Would you like to run the following command\\?)$',
          steps: [
            { match: '^(?:  (?:Reason: (?P<reason>.*)|[^$ ].*))?$', optional: true, repeat: true },
            { match: '^  \\$ (?P<input>.*)$' },
          ],
          min_confidence: 1,
          emit: { kind: 'permission_request', data: { tool: 'command' } },
        },
        {
          id: 'permission-question',
          on: 'region',
          start: '^  (?P<question>Would you like to .*\\?)$',
          emit: { kind: 'permission_request', confidence: 0.9 },
        },
        // Without its dot, which blinks, and its seconds, which would be a version each.
        {
          id: 'working',
          on: 'region',
          region: { left: 2, right: 11 },
          start: '^Working \\($',
          emit: { kind: 'working', key: 'working' },
        },
        {
          id: 'user',
          start: '^› (?P<text>\\S.*)$',
          // Below the line that is being typed, and below a choice, there is at most one blank one.
          steps: [{ match: '^  \\S.*$', optional: true, repeat: true }, { match: '^$' }, { match: '^$' }],
          min_confidence: 1,
          emit: { kind: 'user_message' },
        },
        {
          id: 'command',
          start: '^• (?:Ran|Exited \\(status (?P<status>\\d+)\\)) (?P<input>.*)$',
          steps: [
            { match: '^  │ .*$', optional: true, repeat: true },
            { match: '^  └ (?P<result>.*)$' },
            { match: '^ {4}\\S.*$', optional: true, repeat: true },
          ],
          min_confidence: 1,
          emit: { kind: 'tool_call', data: { tool: 'command' }, numbers: ['status'] },
        },
        { id: 'turn', start: '^  Worked for (?P<took>\\S+)(?: .*)?$', emit: { kind: 'turn_end' } },
        { id: 'interrupted', start: '^■ Conversation interrupted', emit: { kind: 'turn_end' } },
        {
          id: 'agent',
          // Anything but "Running …" and "Working (…": those are there for as long as they last.
          start:
            '^• (?:[^RW\\s]|R[^u]|Ru[^n]|Run[^n]|Runn[^i]|Runni[^n]|Runnin[^g]|W[^o]|Wo[^r]|Wor[^k]|Work[^i]|Worki[^n]|Workin[^g]|Working [^(])',
          continue: '^(?:  .*)?$',
          emit: { kind: 'agent_message' },
        },
      ],
    },
  ],
};
