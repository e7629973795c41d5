/** Rules for opencode (1.18): messages, commands, questions for permission, work, ends of turns. In the form of a rules file. */
export const OPENCODE = {
  version: 1,
  profiles: [
    {
      id: 'opencode',
      match: { command_regex: '(?:^|/)opencode(?:\\.exe)?$' },
      rules: [
        // Its last row but one names the mode and the model.
        {
          id: 'composer',
          on: 'box',
          opens_menu: '(?:^|\\s)@\\S*$',
          start: '^ +┃$',
          steps: [
            { match: '^ +┃(?:  (?P<text>.*))?$', repeat: true },
            { match: '^ +┃$' },
            { match: '^ +┃  \\S.*$' },
            { match: '^ +╹▀{10,}' },
          ],
          max_lines: 200,
          hint: '^Ask anything…(?: .*)?$',
          emit: { kind: 'composer' },
        },
        // A window over the rest, with the key that closes it: a provider, its key, a model. It asks nothing at its first run.
        {
          id: 'window',
          on: 'region',
          start: '^ {6,}(?P<question>[A-Z][^ ]*(?: [^ ]+)*) {6,}esc$',
          emit: { kind: 'question', confidence: 0.9 },
        },
        {
          id: 'permission',
          on: 'region',
          start: '^  ┃  △ (?P<question>Permission required)$',
          steps: [
            { match: '^  ┃ +# (?P<tool>\\S.*)$' },
            { match: '^  ┃$', optional: true, repeat: true },
            { match: '^  ┃ +(?:\\$ )?(?P<input>\\S.*)$' },
          ],
          min_confidence: 1,
          fallback: 'permission-question',
          emit: { kind: 'permission_request' },
        },
        {
          id: 'permission-question',
          on: 'region',
          start: '^  ┃  △ (?P<question>\\S.*)$',
          emit: { kind: 'permission_request', confidence: 0.9 },
        },
        // Without its bar, each frame of which would be a version.
        {
          id: 'working',
          on: 'region',
          region: { top: -3, left: 11, right: 30 },
          start: '^ *esc (?:again to )?interrupt *$',
          emit: { kind: 'working', key: 'working' },
        },
        {
          id: 'command',
          start: '^  ┃  \\$ (?P<input>.*)$',
          steps: [
            { match: '^  ┃$' },
            { match: '^  ┃  (?P<result>\\S.*)$' },
            { match: '^  ┃(?:  .*)?$', optional: true, repeat: true },
          ],
          min_confidence: 1,
          emit: { kind: 'tool_call', data: { tool: 'command' } },
        },
        {
          id: 'user',
          // A box of its own. That of the line being typed has further rows, and that of a command begins otherwise.
          start: '^  ┃$',
          steps: [
            { match: '^  ┃  (?P<text>[^$△\\s\\x{2800}-\\x{28FF}].*)$' },
            { match: '^  ┃  \\S.*$', optional: true, repeat: true },
            { match: '^  ┃$' },
            { match: '^$' },
          ],
          min_confidence: 1,
          // All boxes begin with the same row.
          emit: { kind: 'user_message', key: '{text}' },
        },
        {
          id: 'turn',
          start: '^     ▣  (?P<mode>\\S+) · (?P<model>.*) · (?P<took>\\d\\S*(?: \\d\\S*)*)$',
          emit: { kind: 'turn_end' },
        },
        {
          id: 'agent',
          start: '^     [^\\s▣$~].*$',
          // Each of its lines begins as a message does.
          steps: [{ match: '^(?:     [^▣$~].*)?$', optional: true, repeat: true }],
          max_lines: 200,
          emit: { kind: 'agent_message' },
        },
      ],
    },
  ],
};
