/** What a terminal does, and whether it needs a person, is the same at every door: lists, the crew and its tools, the rail, the page, calls. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { membersNeeds as railNeeds } from '../../src/tty/crew/needs.js';
import { EventStream } from '../../src/client/event-stream.js';
import { listCrew } from '../../src/crew/entry.js';
import { type ListedTerminal, Members } from '../../src/crew/members.js';
import { type Call, Notifier } from '../../src/features/triggers/notifier.js';
import { needsOf as pageNeeds, stateOf } from '../../src/page/state.js';
import type { PublishedEvent } from '../../src/protocol/events.js';
import { callAs, type CrewCall } from '../support/crew-tools.js';
import { agentsOfFile, FAKE_AGENT, type FakeAgents } from '../support/fake-agent.js';
import { runsOf } from '../support/trial.js';

const withAgent = agentsOfFile();

interface Doors {
  readonly fake: FakeAgents;
  readonly id: string;
  readonly call: CrewCall;
  /** What the person was called for since the last look, and what the last event says. */
  readonly called: () => readonly Call['what'][];
  readonly lastNeed: () => string | null;
}

let made = 0;

async function doors(argv: readonly string[], more: object = {}): Promise<Doors> {
  const fake = await withAgent();
  const id = `truth-${++made}`;
  const labels = { 'crew.session': id, 'crew.kind': 'agent', 'crew.name': id };
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const calls: Call['what'][] = [];
  let need: string | null = null;
  const clock = new FakeClock();
  const rule = { on: ['ask', 'waiting', 'failed'], command: ['true'], format: 'text' } as const;
  const notifier = new Notifier({
    clock,
    rules: () => [{ ...rule, on: [...rule.on], command: [...rule.command] }],
    find: () => undefined,
    answersRun: () => false,
    send: ({ what }) => Promise.resolve(void calls.push(what)),
    warn: (message) => expect.fail(message),
  });
  const stream = new EventStream(fake.socketPath, { types: ['doing', 'exit'] }, end.signal, () => ({}));
  await stream.subscribed;
  void (async () => {
    for await (const event of stream) {
      if ((event as unknown as { terminal?: string }).terminal !== id) continue;
      clock.advance(100_000);
      if (event.event === 'doing') need = (event as unknown as { needs_you: string | null }).needs_you;
      notifier.take(event as unknown as PublishedEvent);
    }
  })().catch(() => {});
  await fake.client.call('create', { name: id, cmd_args: [...argv], labels, ...more });
  const called = (): readonly Call['what'][] => calls.splice(0);
  return { fake, id, call: callAs(fake, id), called, lastNeed: () => need };
}

const CHIPS = {
  working: 'busy',
  waiting: 'waits',
  idle: 'ready',
  done: 'done',
  error: 'failed',
  unknown: 'unknown',
  exited: 'failed',
};

async function listed({ fake, id }: Doors): Promise<ListedTerminal> {
  const { terminals } = await fake.client.call('list', { where: { id: [id] } });
  return terminals[0] as ListedTerminal;
}

function stateIn(table: string, id: string): string | undefined {
  const [head = '', ...rows] = table.split('\n');
  const row = rows.find((line) => line.startsWith(`${id} `));
  return row?.split(/ {2,}/)[head.split(/ {2,}/).indexOf('STATE')];
}

/** A guess changes by time alone: all doors are compared between two equal lists. */
async function agree(at: Doors): Promise<NonNullable<ListedTerminal['doing']>> {
  const { fake, id, call } = at;
  for (;;) {
    const terminal = await listed(at);
    const where = await fake.client.call('list', { where: { needs_you: true, id: [id] } });
    const { processes } = (await call('list_processes')) as { processes: Record<string, unknown>[] };
    const status = await call('get_process_status', { process_id: id });
    const crew = (await listCrew(fake.client)).find(({ member }) => member.id === id);
    const table = stateIn((await fake.run('list')).stdout, id);
    const { doing } = await listed(at);
    const said = (of: typeof doing): string => JSON.stringify([of?.is, of?.needs_you, of?.sure]);
    if (doing === undefined || said(doing) !== said(terminal.doing)) continue;
    const { is, kind, needs_you: need, sure } = doing;
    const members = new Members([terminal], 1e15).all;
    const rail = railNeeds({ members, asks: [], questionOf: () => '' });
    const page = pageNeeds([{ name: 'local', asks: [], terminals: [terminal] }]);
    const tool = processes.find((one) => one['process_id'] === id);
    const asks = is === 'waiting';
    const word = asks && kind !== null && kind !== 'line' && sure ? kind : is;
    // An end is listed by its signal, and on the page as a failure.
    const shown = is === 'exited' ? 'SIGKILL' : sure || is === 'unknown' ? word : `probably ${is}`;
    expect({
      where: where.terminals.length,
      tool: [tool?.['state'], tool?.['needs_you']],
      status: [status['state'], status['question'] !== undefined],
      crew: [crew?.member.state, crew?.member.need, crew?.question !== undefined],
      table,
      rail: rail.length,
      page: page.map(({ what }) => what),
      chip: stateOf({ isOpen: true }, terminal),
    }).toEqual({
      where: need === null ? 0 : 1,
      tool: [is, need],
      status: [is, asks],
      crew: [is, need, asks],
      table: shown,
      rail: need === null ? 0 : 1,
      page: need === null ? [] : [need === 'error' ? 'failed' : 'waits'],
      // The page and the command line have one word.
      chip: { kind: CHIPS[is], word: shown },
    });
    return doing;
  }
}

const REPORTS = [
  'state=working:app=x',
  'state=blocked:kind=permission:app=x',
  `state=blocked:kind=question:msg=${Buffer.from('which one').toString('base64')}`,
  'state=blocked:kind=auth',
  'state=blocked',
  'state=idle',
  'state=done',
  'state=error',
  'state=clear',
].map((report) => `\\e]7501;${report}\\a`);
const PROGRESS = ['1;40', '3;0', '2;40', '4;40', '0;0'].map((state) => `\\e]9;4;${state}\\a`);
const SIGNALS = [...REPORTS, ...PROGRESS];

test('for any signals all doors say the same at each step', { timeout: 600_000 }, async () => {
  const signals = fc.array(fc.constantFrom(...SIGNALS), { minLength: 1, maxLength: 6 });
  const property = fc.asyncProperty(signals, async (all) => {
    const { dir } = await withAgent();
    const pipe = dir.join('pipe');
    execFileSync('mkfifo', [pipe]);
    const at = await doors(['sh', '-c', `exec cat <> '${pipe}'`]);
    let before: string | null = null;
    for (const [i, signal] of all.entries()) {
      at.called();
      writeFileSync(pipe, `${signal.replaceAll('\\e', '\x1b').replaceAll('\\a', '\x07')}step-${i};`);
      await at.fake.client.call('wait', { id: at.id, until: { text: `step-${i};` } });
      const { needs_you: need } = await agree(at);
      await vi.waitFor(() => expect(at.lastNeed()).toBe(need), { timeout: 20_000 });
      const called = at.called();
      if (need === null) expect(called).toEqual([]);
      else if (before === null) expect(called).toEqual([need === 'error' ? 'failed' : 'waiting']);
      before = need;
    }
    await at.fake.client.call('kill', { id: at.id, signal: 'KILL' });
    await at.fake.client.call('wait', { id: at.id, until: { exit: true } });
    expect(await agree(at)).toMatchObject({ is: 'exited', needs_you: null });
  });
  await fc.assert(property, { seed: 7501, numRuns: runsOf({ suite: 2, trial: 60 }), endOnFailure: true });
});

test('a program that reads a line needs a person at every door, until it has it', async () => {
  const at = await doors(['sh', '-c', 'printf "Name? "; read x; exec sleep 1000']);
  await at.fake.client.call('wait', { id: at.id, until: { doing: 'waiting:line' } });
  expect(await agree(at)).toMatchObject({ is: 'waiting', kind: 'line', needs_you: 'line', sure: true });
  await vi.waitFor(() => expect(at.called()).toEqual(['waiting']), { timeout: 20_000 });
  await at.fake.client.call('type', { id: at.id, text: 'pat', submit: true });
  await at.fake.client.call('wait', { id: at.id, until: { doing: ['working', 'idle', 'unknown'] } });
  expect((await agree(at)).needs_you).toBeNull();
});

test('a dialogue that rules have read needs a person at every door, with its words and its entry', async () => {
  const at = await doors([process.execPath, FAKE_AGENT, 'ask'], {
    rules: 'claude',
    env: { FAKE_AGENT_LOG: '/dev/null' },
  });
  await at.fake.client.call('wait', { id: at.id, until: { doing: 'waiting' } });
  expect(await agree(at)).toMatchObject({ is: 'waiting', source: 'rules' });
  expect(await at.call('get_process_status', { process_id: at.id })).toMatchObject({
    question: { text: 'Do you want to trust this folder?', entry: expect.stringMatching(/@/) as string },
  });
  await at.fake.client.call('press', { id: at.id, keys: ['Enter'] });
  await at.fake.client.call('wait', { id: at.id, until: { doing: ['idle', 'working', 'unknown'] } });
  expect((await agree(at)).needs_you).toBeNull();
});
