/** What the tools of the crew type, to agents that put up a question at any instant between ready and Enter, and that misbehave otherwise. */
import { expect, test } from 'vitest';
import { BOX_AGENT, boxLog, type Logged, UNSEEN_MS } from '../support/box-agent.js';
import { callAs, type CrewReply, spawned } from '../support/crew-tools.js';
import { agentsOfFile, type FakeAgents } from '../support/fake-agent.js';
import { runsOf } from '../support/trial.js';

const withAgent = agentsOfFile();

/**
 * After the agent has drawn its box, and after it has read the text. The suite has those that come before the text is shown; the
 * others are of a trial (npm run trials -- deliveries): on a busy machine an Enter is on its way for longer than they allow.
 */
const INSTANTS: readonly (readonly string[])[] = [
  ...runsOf({ suite: [0], trial: [0, 80, 160, 240, 320, 480] }).map((ms) => ['ask=start', `ask-after=${ms}`]),
  ...runsOf({ suite: [0], trial: [0, 25, 50, 75, 100, 150] }).map((ms) => ['ask=paste', `ask-after=${ms}`]),
].flatMap((args) => [args, [...args, 'alt']]);

const AT_ONCE = 4;

interface Agent {
  readonly args: readonly string[];
  readonly id: string;
  readonly file: string;
}

interface Seen {
  readonly args: readonly string[];
  readonly claim: unknown;
  readonly prompts: readonly string[];
  readonly answers: readonly Logged[];
}

/** Each agent of the list, some at a time. @param act resolves with what it claims */
async function each<T>(list: readonly T[], act: (one: T, i: number) => Promise<Seen>): Promise<readonly Seen[]> {
  const left = [...list.entries()];
  const seen: Seen[] = [];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) seen.push(await act(next[1], next[0]));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return seen;
}

/** A child of `fake-1`. */
async function child(fake: FakeAgents, args: readonly string[], i: number): Promise<Agent> {
  const id = `box-${i}`;
  const file = fake.dir.join(`${id}.log`);
  await fake.client.call('create', {
    cmd_args: [process.execPath, BOX_AGENT, ...args],
    name: id,
    parent: 'fake-1',
    rules: 'claude',
    env: { BOX_AGENT_LOG: file },
    labels: { 'crew.session': 'fake-1', 'crew.kind': 'agent' },
  });
  return { args, id, file };
}

/** What is on its way is read before Ctrl+C, by which the agent ends. */
async function ended({ client }: FakeAgents, { args, id, file }: Agent, claim: unknown): Promise<Seen> {
  await client.call('send', { id, input: '\u0003', wait: { until: { exit: true } } });
  const log = boxLog(file);
  return {
    args,
    claim,
    prompts: log.flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt])),
    answers: log.filter(({ answered }) => answered === true),
  };
}

const asked = async ({ file }: Agent): Promise<void> =>
  expect.poll(() => boxLog(file).some((one) => one.asked === true), { timeout: 20_000 }).toBe(true);

/** What is wrong with it, in words. */
function faultsOf({ args, claim, prompts, answers }: Seen): string[] {
  const words = [
    ...(answers.some(({ sinceAskMs = 0 }) => sinceAskMs >= UNSEEN_MS) ? ['a question was answered'] : []),
    ...(claim === 'submitted' && prompts.length === 0 ? ['a submission that was none'] : []),
    ...(claim === 'question' && prompts.length > 0 && args.includes('ask=paste') ? ['submitted all the same'] : []),
    ...(prompts.length > 1 ? ['submitted twice'] : []),
  ];
  return words.map((word) => `${word}: ${args.join(' ')} (${String(claim)})`);
}

/** Of a result of spawn_agent and send_message, or of their error. */
function claimOf(reply: CrewReply): unknown {
  return reply['delivered'] ?? (reply['error'] as { delivered?: unknown } | undefined)?.delivered ?? reply;
}

function expectNoneAnswered(seen: readonly Seen[]): void {
  expect(seen.flatMap(faultsOf)).toEqual([]);
  expect(seen).toHaveLength(INSTANTS.length);
  expect(seen.filter(({ claim }) => claim === 'question').length).toBeGreaterThan(2);
}

async function trustedBox(fake: FakeAgents, name: string, args: readonly string[]): Promise<string> {
  const file = fake.dir.join(`${name}.log`);
  const argv = [process.execPath, BOX_AGENT, ...args];
  fake.preset('agents', `${name}.json`, { name, argv, rules: 'claude', env: { BOX_AGENT_LOG: file } });
  expect(await fake.run('crew', 'trust', name)).toMatchObject({ status: 0 });
  return file;
}

test('a question at any instant is not answered by the first prompt of spawn_agent', async () => {
  const fake = await withAgent();
  const seen = await each(INSTANTS, async (args, i) => {
    const name = `asks${i}`;
    const file = await trustedBox(fake, name, args);
    // Each is an orchestrator of its own: there is a limit of starts a minute.
    const call = callAs(fake, undefined, true);
    const reply = await call('spawn_agent', { agent: name, agent_instructions: 'fix it' });
    const agent = { args, id: `${name}-1`, file };
    await asked(agent);
    return ended(fake, agent, claimOf(reply));
  });
  expectNoneAnswered(seen);
});

test('a question at any instant is not answered by send_message', async () => {
  const fake = await spawned(await withAgent());
  const call = callAs(fake, 'fake-1');
  const seen = await each(INSTANTS, async (args, i) => {
    const agent = await child(fake, args, i);
    const reply = await call('send_message', { target_process_id: agent.id, message: 'fix it' });
    await asked(agent);
    return ended(fake, agent, claimOf(reply));
  });
  expectNoneAnswered(seen);
});

test('a question at any instant is not answered by a timer', async () => {
  const fake = await spawned(await withAgent());
  const seen = await each(INSTANTS, async (args, i) => {
    const agent = await child(fake, args, i);
    const call = callAs(fake, agent.id);
    await call('timer_wait', { seconds: 0.1 });
    const state = async (): Promise<string> =>
      ((await call('timer_list'))['timers'] as { state: string }[])[0]?.state ?? 'submitted';
    await expect.poll(state).not.toBe('armed');
    await asked(agent);
    // Deliveries to one terminal are made one after the other: that of the timer has been.
    const { outcome } = await fake.client.call('deliver', { id: agent.id, text: 'another' });
    expect(outcome).toBe('question');
    const end = await state();
    return ended(fake, agent, end === 'submitted' ? end : 'question');
  });
  expectNoneAnswered(seen);
});

const LINES = Array.from({ length: 40 }, (_, i) => `line ${i} of the prompt`).join('\n');
const LONGEST = `${'some text\n'.repeat(6553)}the end`.slice(-64 * 1024);

test.each<[string, readonly string[], string, string, readonly string[]]>([
  ['that swallows Enter twice', ['mute=2'], 'fix it', 'submitted', ['fix it']],
  ['that swallows each Enter', ['mute=all'], 'fix it', 'not_submitted', []],
  ['that starts silently, and late', ['start=1500'], 'fix it', 'submitted', ['fix it']],
  ['that draws for ever', ['spin'], 'fix it', 'submitted', ['fix it']],
  ['that prints its prompt twice', ['twice'], 'fix it', 'submitted', ['fix it']],
  ['that shows a marker of a paste', ['marker'], LINES, 'submitted', [LINES]],
  ['that takes a prompt of 64 KiB', [], LONGEST, 'submitted', [LONGEST]],
  ['that is sent controls', [], 'a\u001b[2J\u0007b\u0003', 'submitted', ['a[2Jb']],
  ['that ends at the paste', ['exit=paste'], 'fix it', 'exited', []],
])('spawn_agent of one %s says what came of the prompt', async (_what, args, text, outcome, prompts) => {
  const fake = await withAgent();
  const file = await trustedBox(fake, 'box', args);
  const call = callAs(fake, undefined, true);
  const reply = await call('spawn_agent', { agent: 'box', agent_instructions: text });
  expect(claimOf(reply)).toBe(outcome);
  // Behind an Enter without a proof the prompt may arrive later.
  const codes: Readonly<Record<string, string>> = { not_submitted: 'delivery_unknown', exited: 'not_delivered' };
  expect((reply['error'] as { code: string } | undefined)?.code).toBe(codes[outcome]);
  // What was not delivered is kept, for a look at its screen.
  const { process_id: id } = (reply['error'] ?? reply) as { process_id: string };
  expect(await call('list_processes')).toMatchObject({ processes: [{ process_id: id }] });
  expect(boxLog(file).flatMap(({ prompt }) => (prompt === undefined ? [] : [prompt]))).toEqual(prompts);
});
