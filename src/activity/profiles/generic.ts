/** Rules for programs of all kinds, in the form of a rules file: test runners, compilers, panics, servers, questions. */
export const GENERIC = {
  version: 1,
  profiles: [
    {
      id: 'generic',
      rules: [
        {
          id: 'python-traceback',
          start: '^\\s*Traceback \\(most recent call last\\):$',
          continue: '^\\s*(?:File "(?P<file>[^"]+)", line (?P<line>\\d+)|\\s{2,}.*$|\\s*$)',
          end: '^(?P<error>[A-Za-z_][\\w.]*(?:Error|Exception|Exit|Interrupt|Warning|Iteration)\\w*)(?:: (?P<message>.*))?$',
          max_lines: 200,
          emit: { kind: 'panic', numbers: ['line'], data: { language: 'python' } },
        },
        {
          id: 'rust-panic',
          start: "^thread '(?P<thread>[^']*)' (?:\\(\\d+\\) )?panicked at (?P<file>[^:]+):(?P<line>\\d+):\\d+:$",
          steps: [{ match: '^(?P<message>.*)$' }],
          emit: { kind: 'panic', numbers: ['line'], data: { language: 'rust' } },
        },
        {
          id: 'go-panic',
          start: '^(?:panic|fatal error): (?P<message>.*)$',
          continue: '^(?:goroutine \\d|\\s+(?P<file>/\\S+\\.go):(?P<line>\\d+)|\\S+\\(.*\\)$|\\[signal |$)',
          emit: { kind: 'panic', numbers: ['line'], data: { language: 'go' } },
        },
        {
          id: 'node-error',
          start: '^(?:Uncaught )?(?P<error>[A-Z]\\w*Error)(?: \\[\\w+\\])?(?:: (?P<message>.*))?$',
          steps: [
            { match: '^\\s+at (?:.* \\()?(?:file://)?(?P<at>[^()]+:\\d+:\\d+)\\)?$' },
            { match: '^\\s+at ', repeat: true, optional: true },
          ],
          min_confidence: 1,
          max_lines: 100,
          emit: { kind: 'panic', data: { language: 'javascript' } },
        },
        {
          id: 'abort',
          start:
            "^(?:(?P<message>Segmentation fault|Aborted|Bus error|Illegal instruction)(?: \\(core dumped\\))?|Assertion failed: .*|.*: Assertion `.*' failed\\.)$",
          emit: { kind: 'panic' },
        },
        {
          id: 'gcc',
          start:
            '^(?P<file>[^\\s:][^:]*):(?P<line>\\d+):(?P<col>\\d+): (?P<level>fatal error|error|warning): (?P<message>.*)$',
          continue: '^\\s+(?:\\d+)? *\\|',
          emit: { kind: 'diagnostic', numbers: ['line', 'col'], data: { tool: 'cc' } },
        },
        {
          id: 'tsc',
          start:
            '^(?P<file>[^\\s(][^(]*)\\((?P<line>\\d+),(?P<col>\\d+)\\): (?P<level>error|warning) (?P<code>TS\\d+): (?P<message>.*)$',
          continue: '^ {2,}\\S',
          emit: { kind: 'diagnostic', numbers: ['line', 'col'], data: { tool: 'tsc' } },
        },
        {
          id: 'tsc-pretty',
          start:
            '^(?P<file>[^\\s:][^:]*):(?P<line>\\d+):(?P<col>\\d+) - (?P<level>error|warning) (?P<code>TS\\d+): (?P<message>.*)$',
          emit: { kind: 'diagnostic', numbers: ['line', 'col'], data: { tool: 'tsc' } },
        },
        {
          id: 'rustc',
          start: '^(?P<level>error|warning)(?:\\[(?P<code>E\\d+)\\])?: (?P<message>.*)$',
          steps: [
            { match: '^\\s*--> (?P<file>[^:]+):(?P<line>\\d+):(?P<col>\\d+)$' },
            { match: '^\\s*(?:\\d+ )?(?:\\||= |\\.\\.\\.)', repeat: true, optional: true },
          ],
          min_confidence: 1,
          emit: { kind: 'diagnostic', numbers: ['line', 'col'], data: { tool: 'rustc' } },
        },
        {
          id: 'go-build',
          start: '^(?P<file>\\S+\\.go):(?P<line>\\d+):(?P<col>\\d+): (?P<message>.*)$',
          emit: { kind: 'diagnostic', numbers: ['line', 'col'], data: { tool: 'go', level: 'error' } },
        },
        {
          id: 'python-syntax',
          start: '^  File "(?P<file>[^"]+)", line (?P<line>\\d+)$',
          continue: '^ {4}',
          end: '^(?P<error>SyntaxError|IndentationError|TabError): (?P<message>.*)$',
          emit: { kind: 'diagnostic', numbers: ['line'], data: { tool: 'python', level: 'error' } },
        },
        {
          id: 'pytest',
          start:
            '^=+ (?:(?P<failed>\\d+) failed(?:, )?)?(?:(?P<passed>\\d+) passed(?:, )?)?(?:(?P<skipped>\\d+) skipped(?:, )?)?[^=]*\\bin [\\d.]+s(?: \\([\\d:]+\\))? =+$',
          emit: { kind: 'test_summary', numbers: ['failed', 'passed', 'skipped'], data: { tool: 'pytest' } },
        },
        // With -q there are no signs around it.
        {
          id: 'pytest-quiet',
          start:
            '^(?P<failed>\\d+) failed(?:, (?P<passed>\\d+) passed)?(?:, (?P<skipped>\\d+) skipped)?(?:, \\d+ [a-z]+)* in [\\d.]+s(?: \\([\\d:]+\\))?$',
          emit: { kind: 'test_summary', numbers: ['failed', 'passed', 'skipped'], data: { tool: 'pytest' } },
        },
        {
          id: 'pytest-quiet-passed',
          start:
            '^(?P<passed>\\d+) passed(?:, (?P<skipped>\\d+) skipped)?(?:, \\d+ [a-z]+)* in [\\d.]+s(?: \\([\\d:]+\\))?$',
          emit: { kind: 'test_summary', numbers: ['passed', 'skipped'], data: { tool: 'pytest' } },
        },
        {
          id: 'unittest',
          start: '^Ran (?P<total>\\d+) tests? in [\\d.]+s$',
          steps: [
            { match: '^$', optional: true },
            {
              match:
                '^(?:(?P<result>OK)|FAILED \\((?:failures=(?P<failed>\\d+))?(?:, )?(?:errors=(?P<errors>\\d+))?.*\\))',
            },
          ],
          emit: { kind: 'test_summary', numbers: ['total', 'failed', 'errors'], data: { tool: 'unittest' } },
        },
        {
          id: 'vitest',
          min_confidence: 1,
          start:
            '^\\s*Test Files\\s+(?:(?P<files_failed>\\d+) failed)?[ |]*(?:(?P<files_passed>\\d+) passed)?.*\\(\\d+\\)$',
          steps: [
            {
              match:
                '^\\s*Tests\\s+(?:(?P<failed>\\d+) failed)?[ |]*(?:(?P<passed>\\d+) passed)?[ |]*(?:(?P<skipped>\\d+) skipped)?.*\\((?P<total>\\d+)\\)$',
            },
            { match: '^\\s*(?:Errors|Type Errors|Snapshots|Start at)\\s', repeat: true, optional: true },
            // The summary of a run that goes on has no parts of the time, and is drawn over.
            { match: '^\\s*Duration\\s+(?P<duration>[\\d.]+m?s) \\(' },
          ],
          emit: {
            kind: 'test_summary',
            numbers: ['files_failed', 'files_passed', 'failed', 'passed', 'skipped', 'total'],
            data: { tool: 'vitest' },
          },
        },
        {
          id: 'jest',
          start:
            '^Tests:\\s+(?:(?P<failed>\\d+) failed, )?(?:(?P<skipped>\\d+) skipped, )?(?:(?P<passed>\\d+) passed, )?(?P<total>\\d+) total$',
          emit: { kind: 'test_summary', numbers: ['failed', 'skipped', 'passed', 'total'], data: { tool: 'jest' } },
        },
        {
          id: 'cargo-test',
          start:
            '^test result: (?P<result>ok|FAILED)\\. (?P<passed>\\d+) passed; (?P<failed>\\d+) failed; (?P<skipped>\\d+) ignored;',
          emit: { kind: 'test_summary', numbers: ['passed', 'failed', 'skipped'], data: { tool: 'cargo' } },
        },
        {
          id: 'go-test',
          start: '^(?P<result>ok|FAIL)\\s+(?P<package>\\S+)\\s+(?:[\\d.]+s|\\(cached\\))$',
          emit: { kind: 'test_summary', data: { tool: 'go' } },
        },
        {
          id: 'tap',
          start: '^(?:#|ℹ) tests (?P<total>\\d+)$',
          steps: [
            { match: '^(?:#|ℹ) suites ', optional: true },
            { match: '^(?:#|ℹ) pass +(?P<passed>\\d+)$' },
            { match: '^(?:#|ℹ) fail +(?P<failed>\\d+)$', optional: true },
            { match: '^(?:#|ℹ) (?:cancelled|skipped|todo) ', repeat: true, optional: true },
            { match: '^(?:#|ℹ) duration_ms ', optional: true },
          ],
          emit: { kind: 'test_summary', numbers: ['total', 'passed', 'failed'], data: { tool: 'tap' } },
        },
        {
          id: 'tap-failure',
          start: '^\\s*not ok \\d+(?: - (?P<name>.*))?$',
          emit: { kind: 'test_failure', data: { tool: 'tap' } },
        },
        {
          id: 'pytest-failure',
          start: '^FAILED (?P<name>\\S+)(?: - (?P<message>.*))?$',
          emit: { kind: 'test_failure', data: { tool: 'pytest' } },
        },
        {
          id: 'vitest-failure',
          start: '^\\s*FAIL  +(?P<name>.+ > .+)$',
          emit: { kind: 'test_failure', data: { tool: 'vitest' } },
        },
        {
          id: 'url',
          start:
            '(?P<url>https?://(?:localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0|\\[::1?\\]):(?P<port>\\d{2,5})[^\\s\\x60"\'<>)]*)',
          emit: { kind: 'url', numbers: ['port'], key: '{url}' },
        },
        {
          id: 'port',
          start:
            '(?i)\\b(?:listening|serving|running|started|available)\\b.*\\b(?:port|on|at)\\b.*?[: ](?P<port>\\d{2,5})\\b',
          emit: { kind: 'url', numbers: ['port'], key: 'port {port}', confidence: 0.7 },
        },
        {
          id: 'progress',
          unfinished: true,
          start: '(?:^|[\\s\\[(|])(?P<percent>\\d{1,3})(?:\\.\\d+)? ?%(?:$|[\\s\\])|])',
          emit: { kind: 'progress', numbers: ['percent'], key: 'progress', confidence: 0.6 },
        },
        {
          id: 'yes-no',
          on: 'region',
          start: '^(?P<text>.*\\S) ?[\\[(](?:[yY](?:es)?/[nN](?:o)?(?:/[^\\])]*)?)[\\])] ?[:?]? *$',
          emit: { kind: 'question', confidence: 0.9 },
        },
      ],
    },
  ],
};
