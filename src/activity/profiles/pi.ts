/** Rules for pi (0.73): its box, work, and failures of its model. It asks nothing. In the form of a rules file. */
export const PI = {
  version: 1,
  profiles: [
    {
      id: 'pi',
      match: { command_regex: '(?:^|/)pi$' },
      rules: [
        // Its text begins in the first column. The folder follows.
        {
          id: 'composer',
          on: 'box',
          start: '^─{10,}',
          steps: [
            { match: '^(?P<text>(?:[^─].*)?)$', repeat: true },
            { match: '^─{10,}' },
            { match: '^[~/]', ahead: true },
          ],
          max_lines: 200,
          emit: { kind: 'composer' },
        },
        {
          id: 'working',
          on: 'region',
          region: { left: 3, right: 30 },
          start: '^(?P<text>Working\\.\\.\\.)',
          emit: { kind: 'working', key: 'working' },
        },
        // The last thing that was said: a further prompt stands between it and the box.
        {
          id: 'failed',
          on: 'region',
          start: '^ (?P<text>Error: .*)$',
          steps: [
            { match: '^ \\S.*$', optional: true, repeat: true },
            { match: '^$', optional: true, repeat: true },
            { match: '^─{10,}' },
          ],
          min_confidence: 1,
          emit: { kind: 'failed', key: 'failed' },
        },
      ],
    },
  ],
};
