/** A call of a tool by a model, and the request that it becomes. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { T4aError } from '../../src/protocol/errors.js';
import { called } from './called.js';

describe('a call', () => {
  test('becomes a request, with or without the prefix in its name', async () => {
    const { signal } = new AbortController();
    const request = ['press', { id: 't1', keys: ['Tab'] }, { signal }];
    for (const name of ['press', 't4a_press']) {
      expect(await called(name, { id: 't1', keys: ['Tab'] }, { signal })).toEqual({
        requests: [request],
        isError: false,
        text: 'ok',
      });
    }
    expect((await called('debug', { id: 't1' })).requests).toEqual([['debug', { id: 't1' }, { signal: undefined }]]);
  });

  test('of text trims the ends of lines by default', async () => {
    const answer = (): object => ({ lines: ['a'] });
    expect((await called('text', { id: 'a' }, {}, answer)).requests[0]?.[1]).toMatchObject({ trim: true });
    expect((await called('text', { id: 'a', trim: false }, {}, answer)).requests[0]?.[1]).toMatchObject({
      trim: false,
    });
  });

  test('of ask waits 50 s at most: clients of MCP give up after 60 s', async () => {
    const answer = (): object => ({ ask: 1, outcome: 'open', by: null });
    const sent = async (input: object) =>
      (await called('ask', { question: 'q', ...input }, {}, answer)).requests[0]?.[1] as { timeout_ms: unknown };
    expect((await sent({})).timeout_ms).toBe(50_000);
    expect((await sent({ timeout_ms: 60_000 })).timeout_ms).toBe(50_000);
    expect((await sent({ timeout_ms: 10 })).timeout_ms).toBe(10);
  });

  test('with a picture in its reply returns the picture', async () => {
    const answer = (): object => ({ bytes: Buffer.from('picture'), format: 'png' });
    expect((await called('press', { id: 't1', keys: ['a'] }, {}, answer)).text).toBe(
      `${Buffer.from('picture').toString('base64')}\n{"format":"png"}`,
    );
  });

  test('that fails returns an error for the model, but a defect is thrown', async () => {
    const failing = (error: Error) => () => {
      throw error;
    };
    expect(await called('list', {}, {}, failing(new T4aError('terminal_not_found', 'Gone.')))).toMatchObject({
      isError: true,
      text: 'Gone. (terminal_not_found)',
    });
    await expect(called('list', {}, {}, failing(new RangeError('a defect')))).rejects.toThrow(RangeError);
  });
});

describe('a tool', () => {
  test('that does not exist is refused with the closest name', async () => {
    expect(await called('t4a_txet')).toEqual({
      requests: [],
      isError: true,
      text: 'There is no tool "t4a_txet". (unknown_cmd)\nHint: Did you mean "text"?',
    });
    expect((await called('send_keys')).text).toContain('Did you mean "press"?');
    expect((await called('bash', { command: 'ls' })).text).toContain('Did you mean "run"?');
    expect((await called('xyzzy')).text).toMatch(/\(unknown_cmd\)\nHint: One of: create, /);
  });

  test('outside the profile is refused', async () => {
    const answer = (): object => ({ matches: [], total: 0 });
    const input = { id: 't1', pattern: 'x' };
    expect((await called('grep', input, { profile: 'full' }, answer)).isError).toBe(false);
    for (const profile of ['default', undefined] as const)
      expect((await called('grep', input, { profile }, answer)).isError).toBe(true);
  });

  test.each(['events', 'schema', 'shutdown', 'config'])('does not exist for %s', async (name) => {
    expect(await called(name)).toMatchObject({ requests: [], isError: true });
  });

  test('that is not among those that are named is refused, and one that no list may have is an error of the caller', async () => {
    const tools = ['press', 'mouse'];
    const { requests, isError, text } = await called('grep', { id: 't1', pattern: 'x' }, { tools });
    expect({ requests, isError, text }).toEqual({
      requests: [],
      isError: true,
      text: 'There is no tool "grep". (unknown_cmd)\nHint: One of: press, mouse.',
    });
    const clicked = await called(
      't4a_mouse',
      { id: 't1', action: 'click', on_text: 'OK' },
      { profile: 'default', tools },
    );
    expect(clicked.requests).toMatchObject([
      ['mouse', { action: 'click', on_text: 'OK', wait: { until: { settled_ms: 300 } }, observe: { text: true } }, {}],
    ]);
    await expect(called('press', {}, { tools: ['presss'] })).rejects.toThrow('There is no tool "presss"');
    await expect(called('press', {}, { tools, allow: 'read' })).rejects.toThrow('needs the reach "use"');
  });

  test('has no field that allows a secret to be shown', async () => {
    expect(await called('type', { id: 't1', text: 'x', even_if_shown: false })).toMatchObject({
      requests: [],
      isError: true,
      text: expect.stringContaining('The tool "type" has no field "even_if_shown". (unknown_field)'),
    });
  });
});

describe('a program', () => {
  const RAN = (): object => ({ outcome: 'exited', exit_code: 0, signal: null, lines: [], omitted_lines: 0 });
  const sent = async (name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> =>
    (await called(name, input, {}, RAN)).requests[0]?.[1] as Record<string, unknown>;

  test.each(['create', 'run'])(
    "of %s starts in the caller's directory, with the caller's environment",
    async (name) => {
      callersEnvironmentIs({ npm_command: 'test', PATH: '/project/node_modules/.bin:/own/bin', T4A_TEST_OWN: 'own' });
      const { cwd, env, inherit_env, ...rest } = await sent(name, { command: 'ls' });
      expect([cwd, inherit_env, rest]).toEqual([process.cwd(), false, { command: 'ls' }]);
      expect(env).toMatchObject({ PATH: '/project/node_modules/.bin:/own/bin', T4A_TEST_OWN: 'own' });
    },
  );

  test.each(['create', 'run'])("of %s has the environment from before npx, if that is the caller's", async (name) => {
    callersEnvironmentIs({ npm_command: 'exec', PATH: '/project/node_modules/.bin:/own/bin', T4A_TEST_OWN: 'own' });
    const { env } = await sent(name, { command: 'ls' });
    expect(env).toMatchObject({ PATH: '/own/bin', T4A_TEST_OWN: 'own' });
    expect(env).not.toHaveProperty('npm_command');
  });

  test('starts in another directory, with other variables, if the call sets them', async () => {
    const { cwd, env } = await sent('run', { command: 'ls', cwd: 'sub', env: { PATH: 'p', A: '1' } });
    expect(cwd).toBe(`${process.cwd()}/sub`);
    expect(env).toMatchObject({ PATH: 'p', A: '1' });
  });

  test.each<[string, Record<string, unknown>]>([
    ['run', { id: 't1', command: 'ls' }],
    ['run', { inherit_env: false, command: 'ls' }],
    ['create', { inherit_env: false }],
    ['press', { id: 't1', keys: ['a'] }],
  ])('of %s with %j is sent unchanged', async (name, input) => {
    expect(await sent(name, input)).toEqual(input);
  });
});

/** Set by the test: its own environment depends on whether npx, npm or a person has started it. */
function callersEnvironmentIs(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test.each([
  ['wait', { id: 'a', for: 'exit', timeout_ms: 120_000 }, { until: { exit: true }, timeout_ms: 50_000 }],
  [
    'type',
    { id: 'a', text: 'make', wait: { for: 'done', timeout_ms: 120_000 } },
    { wait: { until: { done: true }, timeout_ms: 50_000 } },
  ],
  ['run', { command: 'make', timeout_ms: 120_000 }, { timeout_ms: 50_000 }],
  ['run', { command: 'make', wait: { for: 'done', timeout_ms: 120_000 } }, { timeout_ms: 50_000 }],
])('%s waits no longer than its client does, and says so', async (name, input, expected) => {
  const options = { profile: 'default', runDeadlineMs: 50_000 } as const;
  const answer = (): object => ({ lines: [], tail: [], omitted_lines: 0 });
  const { requests, text } = await called(name, input, options, answer);
  expect(requests[0]?.[1]).toMatchObject(expected);
  expect(text).toContain('Your 120 s were cut to 50: call again to wait on.');
  const patient = await called(name, JSON.parse(JSON.stringify(input).replace('120000', '4000')), options, answer);
  expect(JSON.stringify(patient.requests[0]?.[1])).toContain('"timeout_ms":4000');
  expect(patient.text).not.toContain('were cut');
});

test.each<[object, string]>([
  [{ alow: 'read' }, '"alow" is no option of "callTool".'],
  [{ profile: 'nope' }, '"profile" is "nope": one of default, full.'],
  [{ allow: 'admin' }, '"allow" is "admin": one of read, use, create.'],
  [{ tools: 'list' }, '"tools" is no list of names.'],
])('the options %j are refused', async (options, message) => {
  await expect(called('list', {}, options)).rejects.toMatchObject({ code: 'usage', message });
});
