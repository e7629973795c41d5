import { describe, expect, test } from 'vitest';
import { withoutCallingAgent } from '../../src/base/calling-agents.js';
import { callersPlace } from '../../src/client/callers-place.js';
import { childEnvironment } from '../../src/terminal/launching/child-environment.js';

const MARKERS = [
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_CHILD_NOTES_DIR',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_ENTRYPOINT',
  'CODEX_CI',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'AI_AGENT',
  'GEMINI_CLI',
  'OPENCODE',
  'CURSOR_AGENT',
];
const SETTINGS = {
  CLAUDE_CODE_USE_BEDROCK: '1',
  CLAUDE_CODE_MAX_OUTPUT_TOKENS: '9',
  ANTHROPIC_API_KEY: 'k',
  CODEX_HOME: '/c',
  CURSOR_API_KEY: 'k',
  GEMINI_API_KEY: 'k',
  OPENCODE_CONFIG: '/o',
};
const PIPE = { NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat', GH_PAGER: 'cat', GIT_EDITOR: 'true', FORCE_COLOR: '0' };
const OWN = { PAGER: 'less -R', GIT_PAGER: 'delta', GIT_EDITOR: 'vim', FORCE_COLOR: '3' };
const FACTS = { id: 't1', term: 'xterm', termProgram: 't4a', socketPath: '/s', lcCtype: '' };

describe.each(MARKERS)('beside %s', (name) => {
  test('what described the pipe of the agent goes with it, and settings stay', () => {
    expect(withoutCallingAgent({ [name]: '1', ...SETTINGS, ...PIPE })).toEqual(SETTINGS);
  });

  test('a pager and an editor of a person stay', () => {
    expect(withoutCallingAgent({ [name]: '1', ...OWN })).toEqual(OWN);
  });
});

test('without an agent nothing is left out', () => {
  const env = { ...SETTINGS, ...PIPE };
  expect(withoutCallingAgent(env)).toEqual(env);
});

test('neither the caller nor the daemon hands them on, unless it is asked for', () => {
  const env = { CLAUDECODE: '1', NO_COLOR: '1', HOME: '/h' };
  expect(callersPlace('/', env).env).toEqual({ HOME: '/h' });
  expect(callersPlace('/', env, {}, true).env).toEqual(env);
  expect(callersPlace('/', env, { NO_COLOR: '1' }).env).toEqual({ HOME: '/h', NO_COLOR: '1' });
  expect(childEnvironment(env, {}, FACTS, '/')).not.toHaveProperty('NO_COLOR');
  expect(childEnvironment(env, {}, FACTS, '/', true)).toMatchObject(env);
});
