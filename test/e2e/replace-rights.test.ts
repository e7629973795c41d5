/** Nobody has more rights after another daemon has taken the place of one than before: through no door, and none that was taken back. */
import { existsSync } from 'node:fs';
import { expect, it, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/client.js';
import type { Door } from '../support/authority.js';
import { gatewayDoor, guestDoor, natsDoor, natsRequestDoor, pageDoor } from '../support/doors.js';
import { itNeeds } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { replaceable } from '../support/replaceable.js';
import type { Rights } from '../support/rights.js';
import { tempDir } from '../support/temp-dir.js';
import { callToolDoor, mcpDoor, servedToolsDoor, stdioDoor } from '../support/tool-doors.js';
import type { Client } from '../../src/client/index.js';
import type { AtEnd, Kept } from '../support/of-file.js';

const RIGHTS: Rights = { allow: 'read', profile: 'full', isHeld: false, isTrusted: false, revision: '2025-06-18' };

/** What stays where its daemon is replaced. */
const OF_ALL: readonly string[] = [
  'gateway',
  'NATS, a link',
  'NATS, one message',
  'page',
  'page of a link to one terminal',
];

type Open = (client: Client, rights: Rights, kept: Kept, n: number) => Promise<Door>;

const DOORS: readonly (readonly [string, Open, string?])[] = [
  ['t4a stdio', stdioDoor],
  ['callTool', callToolDoor],
  ['tools --serve', servedToolsDoor],
  ['t4a mcp', mcpDoor],
  ['gateway', gatewayDoor],
  ['NATS, a link', (client, rights, kept) => natsDoor(client, rights, kept, 1), 'nats-server'],
  ['NATS, one message', natsRequestDoor, 'nats-server'],
  ['page', pageDoor],
  ['page of a link to one terminal', guestDoor],
];

/** What the doors of one test share. */
function keptInTest(): Kept {
  const kept = new Map<string, Promise<unknown>>();
  return <T>(name: string, make: (atEnd: AtEnd) => Promise<T>) => {
    const made = (kept.get(name) as Promise<T> | undefined) ?? make(onTestFinished);
    kept.set(name, made);
    return made;
  };
}

for (const [name, open, needs] of DOORS) {
  const inDoor = needs === undefined ? it : itNeeds(needs);
  const isOfAll = OF_ALL.includes(name);
  inDoor(`who may only look through ${name} may do no more behind the daemon that has taken over`, async () => {
    const { daemon, ask, replace } = await replaceable();
    const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
    const { path } = tempDir();
    await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] });
    const kept = keptInTest();
    const door = await open(client, RIGHTS, kept, 0);
    await door.about?.('a');
    expect(JSON.stringify(await door.call('list', {}, 1))).toContain('a');
    const pid = await replace();
    // Programs that answer one caller end with its connection, or go on: what is behind the new one is asked by both.
    const after = await connect({ socketPath: daemon.socketPath, autoStart: false });
    const again = await open(after, RIGHTS, isOfAll ? kept : keptInTest(), 0);
    await again.about?.('a');
    const asked = Array.from({ length: 24 }, (_, n) => CALLS(`${path}/made-${n}`)[n % 4] as readonly [string, object]);
    for (const [n, [cmd, input]] of asked.entries()) void door.call(cmd, input, n + 2).catch(() => {});
    const answers: unknown[] = [];
    for (const [n, [cmd, input]] of asked.entries()) answers.push(await again.call(cmd, input, n + 2));
    expect(answers).toHaveLength(asked.length);
    expect(JSON.stringify(await again.call('list', {}, 1))).toContain('a');
    expect(asked.filter((_, n) => existsSync(`${path}/made-${n}`))).toEqual([]);
    expect(await ask({ cmd: 'status', id: 'a' })).toMatchObject({ alive: true, inputs: 0 });
    expect((await ask({ cmd: 'list' }))['terminals']).toHaveLength(1);
    expect((await ask({ cmd: 'ping' }))['pid']).toBe(pid);
    for (const one of [client, after]) await one.close();
  });
}

test('who may only look through a client of the library may do no more behind the daemon that has taken over', async () => {
  const { daemon, ask, replace } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] });
  await using client = await connect({ socketPath: daemon.socketPath, autoStart: false, reach: 'read' });
  const refused = { code: 'not_allowed' };
  await expect(client.call('type', { id: 'a', text: 'x' })).rejects.toMatchObject(refused);
  const pid = await replace();
  expect((await client.call('ping', {})).pid).toBe(pid);
  await expect(client.call('type', { id: 'a', text: 'x' })).rejects.toMatchObject(refused);
  expect(await ask({ cmd: 'status', id: 'a' })).toMatchObject({ inputs: 0 });
});

const CALLS = (file: string) =>
  [
    ['create', { cmd_args: ['touch', file] }],
    ['type', { id: 'a', text: 'x' }],
    ['kill', { id: 'a' }],
    ['run', { cmd_args: ['touch', file] }],
  ] as const;

test('what was taken back while another daemon takes over does not come back with it', async () => {
  const { ask, replace } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] });
  const made: number[] = [];
  for (let n = 0; n < 60; n++) {
    const { trigger } = await ask({ cmd: 'trigger', id: 'a', when: { text: `n${n}` }, do: [{ notify: 'x' }] });
    made.push(trigger as number);
  }
  const asks: number[] = [];
  for (let n = 0; n < 4; n++) asks.push((await ask({ cmd: 'ask', question: 'q?', timeout_ms: 0 }))['ask'] as number);
  let isOver = false;
  const replaced = replace().finally(() => (isOver = true));
  const ended: number[] = [];
  const withdrawn: number[] = [];
  for (const trigger of made) {
    const isLast = isOver;
    if ((await ask({ cmd: 'untrigger', trigger }).catch(() => ({ ok: false })))['ok'] === true) ended.push(trigger);
    const open = asks.shift();
    if (open !== undefined && (await ask({ cmd: 'ask', withdraw: open }).catch(() => ({ ok: false })))['ok'] === true)
      withdrawn.push(open);
    if (isLast) break;
  }
  await replaced;
  expect(ended.length).toBeGreaterThan(0);
  const { triggers } = (await ask({ cmd: 'triggers' })) as unknown as { triggers: { trigger: number }[] };
  expect(triggers.map(({ trigger }) => trigger)).toEqual(made.filter((trigger) => !ended.includes(trigger)));
  const left = (await ask({ cmd: 'asks' })) as unknown as { asks: { ask: number }[] };
  expect(left.asks.filter(({ ask: open }) => withdrawn.includes(open))).toEqual([]);
});

test('what was done while another daemon takes over, to its last instant, is done behind it', async () => {
  const { daemon, ask, replace } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] });
  const answered = new Map<string, number>();
  /** One after the other, without a pause between, until the connection ends. */
  const counting = async (name: string): Promise<void> => {
    const raw = new RawConnection(daemon.socketPath);
    for (let n = 1; ; n++) {
      const done = await raw.request({ cmd: 'label', id: 'a', set: { [name]: String(n) } }).catch(() => undefined);
      if (done?.header['ok'] !== true) return;
      answered.set(name, n);
    }
  };
  const names = ['one', 'two', 'three'];
  const counted = names.map(counting);
  await expect.poll(() => names.every((name) => (answered.get(name) ?? 0) > 10)).toBe(true);
  await replace();
  await Promise.all(counted);
  const { labels } = (await ask({ cmd: 'status', id: 'a' })) as { labels: Record<string, string> };
  for (const [name, n] of answered) {
    // One more may have been done without an answer.
    expect([n, n + 1], name).toContain(Number(labels[name]));
  }
});
