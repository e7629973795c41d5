/** When a question is answered, on a clock that stands still. */
import { expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import type { Core } from '../../../src/features/core.js';
import { watch } from '../../../src/features/people/watch.js';
import { controlOf } from '../../../src/features/people/terminal-control.js';
import { presenceOf } from '../../../src/terminal/presence.js';
import { COMMANDS, type Reply } from '../../../src/protocol/registry.js';
import { ownTerminal, print } from '../../support/own-terminal.js';
import { EncodedReply } from '../../../src/rpc/encoded-fields.js';
import { testCall } from '../../support/test-call.js';

type Frame = Reply<'watch'>;

function watched() {
  const clock = new FakeClock();
  const terminal = ownTerminal({ clock });
  const handler = watch({ terminals: { find: () => terminal } } as unknown as Core);
  const ask = async (fields: object = {}, signal?: AbortSignal): Promise<Frame> => {
    const params = COMMANDS.watch.params.parse({ id: 't1', ...fields });
    const reply = await handler(params, testCall(signal === undefined ? {} : { signal }));
    if (reply instanceof EncodedReply) throw new Error('the frame is a large one');
    return reply;
  };
  return { clock, terminal, ask };
}

const since = ({ rev, state }: Frame): object => ({ since: rev, state });

test('half of a synchronized update is held until its end', async () => {
  const { terminal, ask } = watched();
  const first = await ask();
  const waiting = ask(since(first));
  await print(terminal, '\x1b[?2026hone');
  await print(terminal, ' two\x1b[?2026l');
  expect((await waiting).drawn).toEqual([{ row: 0, runs: [['one two']] }]);
});

test('a synchronized update that does not end is shown as it stands', async () => {
  const { clock, terminal, ask } = watched();
  const waiting = ask(since(await ask()));
  await print(terminal, '\x1b[?2026hone');
  clock.advance(150);
  expect((await waiting).drawn).toEqual([{ row: 0, runs: [['one']] }]);
});

test('the title, a bell and colors of the program are a new state, without a row', async () => {
  const { terminal, ask } = watched();
  let frame = await ask();
  for (const [output, fields] of [
    ['\x1b]2;name\x07', { title: 'name' }],
    ['\x07', { bells: 1 }],
    ['\x1b[?1h', { modes: { application_cursor: true } }],
    ['\x1b]11;#102030\x07\x1b]4;1;#ff0000\x07', { colors: { background: '#102030', palette: { 1: '#ff0000' } } }],
  ] as const) {
    const waiting = ask(since(frame));
    await print(terminal, output);
    const next = await waiting;
    expect(next).toMatchObject({ ...fields, copied: [], drawn: [] });
    expect(next.state).toBeGreaterThan(frame.state);
    expect(next.complete).toBeUndefined();
    frame = next;
  }
});

test('the deadline and the end of the call leave no timer', async () => {
  const { clock, terminal, ask } = watched();
  await print(terminal, 'x');
  clock.advance(5000);
  const first = await ask();
  const { pendingTimers } = clock;
  const leaving = new AbortController();
  const left = ask(since(first), leaving.signal);
  expect(clock.pendingTimers).toBe(pendingTimers + 1);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  expect(clock.pendingTimers).toBe(pendingTimers);
  const atDeadline = ask({ ...since(first), timeout_ms: 1000 });
  clock.advance(1000);
  expect(await atDeadline).toMatchObject({ rev: first.rev, state: first.state, copied: [], drawn: [] });
  expect(clock.pendingTimers).toBe(pendingTimers);
});

test('control and the number of watchers are state, and wake the others', async () => {
  const { terminal, ask } = watched();
  const gone: (() => void)[] = [];
  const connection = {
    onGone(listener: () => void) {
      gone.push(listener);
      return { dispose: () => {} };
    },
  };
  const first = await ask();
  expect(first).toMatchObject({ control: null, watchers: 1, asks: [] });
  const joined = ask(since(first));
  const handler = watch({ terminals: { find: () => terminal } } as unknown as Core);
  const other = await handler(COMMANDS.watch.params.parse({ id: 't1' }), testCall({ connection }));
  expect(other).toMatchObject({ complete: true, watchers: 2 });
  const second = await joined;
  expect(second).toMatchObject({ watchers: 2, copied: [], drawn: [] });
  expect(second.complete).toBeUndefined();

  const left = ask(since(second));
  gone[0]?.();
  const third = await left;
  expect(third).toMatchObject({ watchers: 1 });

  const taken = ask(since(third));
  const claim = { person: true, reason: 'look', force: false, waits: true, leaseMs: undefined };
  controlOf(terminal).take({ kind: 'take', as: 'ada', ...claim });
  const fourth = await taken;
  expect(fourth).toMatchObject({ control: { as: 'ada', person: true, reason: 'look', requests: [] } });
  const asked = ask(since(fourth));
  controlOf(terminal).take({ kind: 'take', as: 'claude', ...claim, person: false });
  expect(await asked).toMatchObject({ control: { as: 'ada', requests: ['claude'] } });
});

test('a watcher that has stopped asking counts for ten seconds more', async () => {
  const { clock, ask, terminal } = watched();
  await ask();
  clock.advance(10_000);
  expect(presenceOf(terminal).watchers).toBe(1);
  clock.advance(1);
  expect(presenceOf(terminal).watchers).toBe(0);
});
