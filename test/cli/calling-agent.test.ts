/** What a program sees of the agent from within which it was started: it prints its own environment. */
import { expect, test } from 'vitest';
import { AGENT_NAMES } from '../../src/base/calling-agents.js';
import { useCliDaemon } from '../support/cli-daemon.js';
import { request } from '../support/daemon.js';

/** Each row of the table, with `ANY` as the rest of a name. */
const MARKERS = Object.fromEntries(AGENT_NAMES.map((name) => [name.replace('*', 'ANY'), 'of-the-agent']));
const PIPE = { NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat', GIT_EDITOR: 'true', TERM: 'dumb' };
const OWN = { CLAUDE_CODE_USE_BEDROCK: '1', GEMINI_API_KEY: 'own', LESS: '-R' };

/** Of the daemon, too: an agent may have started it. */
const cli = useCliDaemon({ ...MARKERS, ...PIPE });

function seen(lines: readonly string[]): Record<string, string> {
  const all = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  const meant = new Set([...Object.keys(MARKERS), ...Object.keys(PIPE), ...Object.keys(OWN)]);
  return Object.fromEntries(all.filter(([name]) => meant.has(name)));
}

const env = { ...MARKERS, ...PIPE, ...OWN };
const TERM = 'xterm-256color';

test('a program of run has no marker of the table and nothing of the pipe, and the settings of a person', async () => {
  const stdout = await cli.output(['run', '--', 'env'], { env });
  expect(seen(stdout.split('\n'))).toEqual({ ...OWN, TERM });
});

test('a program of create has none either, and an agent that starts within is one of its own', async () => {
  const id =
    (await cli.output(['create', '--rows', '200', '--wait', 'exit', '--', 'env'], { env })).split('\n')[0] ?? '';
  const { lines } = (await cli.reply(['text', id], { env })) as { lines: string[] };
  expect(seen(lines)).toEqual({ ...OWN, TERM });
});

test('a program that inherits the environment of the daemon has none', async () => {
  const { lines } = (await request(cli.daemon, { cmd: 'run', cmd_args: ['env'] })) as { lines: string[] };
  expect(seen(lines)).toEqual({ TERM });
});

test('all come with --keep-agent-env, and one that is named comes with --env', async () => {
  const all = await cli.output(['run', '--keep-agent-env', '--', 'env'], { env });
  // It is of the terminal that is left, too: no terminal of t4a is one of an editor.
  const { CURSOR_TRACE_ID: _ofEditor, ...markers } = MARKERS;
  expect(seen(all.split('\n'))).toMatchObject({ ...markers, ...OWN, NO_COLOR: '1', PAGER: 'cat' });
  const one = await cli.output(['run', '--env', 'CLAUDECODE=1', '--', 'env'], { env });
  expect(seen(one.split('\n'))).toEqual({ ...OWN, CLAUDECODE: '1', TERM });
});
