/** Leases of one terminal, on a clock that the test advances. */
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { controlOf } from '../../../src/features/people/terminal-control.js';
import type { Terminal } from '../../../src/terminal/terminal.js';
import type { TerminalEvent } from '../../../src/protocol/events.js';
import { inputModes } from '../../../src/terminal/input/input-modes.js';
import { itNeeds } from '../../support/programs.js';
import { ownTerminal, untilShown } from '../../support/own-terminal.js';

const LEASE_MS = 60_000;

function started(script: string) {
  const clock = new FakeClock();
  const terminal = ownTerminal({ clock, script });
  const control = controlOf(terminal);
  const take = (as: string, fields: { person?: boolean; leaseMs?: number | undefined } = {}) =>
    control.take({
      kind: 'take',
      as,
      person: false,
      force: false,
      waits: true,
      reason: undefined,
      leaseMs: LEASE_MS,
      ...fields,
    });
  const type = async (text: string, as = 'claude') =>
    terminal.input.take(text.length, (writer) => writer.write(Buffer.from(text)), { cmd: 'send', as });
  return { clock, terminal, control, take, type };
}

function controlEvent(terminal: Terminal): Promise<TerminalEvent> {
  return new Promise((resolve) => {
    const listening = terminal.feed.add({
      onEvent(event) {
        if (event.event !== 'control') return;
        listening.dispose();
        resolve(event);
      },
    });
    onTestFinished(() => listening.dispose());
  });
}

/** The same questions to the system as a lease asks before it ends, and after those. */
async function looked(terminal: Terminal): Promise<void> {
  await terminal.detectors.probeInput();
  await terminal.flags();
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

test('the lease of a holder that has died or is frozen ends, and the next in line has control', async () => {
  const { clock, terminal, control, take, type } = started('echo ready; exec sleep 1000');
  await untilShown(terminal, 'ready');
  take('claude');
  take('gpt');
  await type('ls\r');
  clock.advance(LEASE_MS - 1);
  await looked(terminal);
  expect(control.holder).toBe('claude');
  const ended = controlEvent(terminal);
  clock.advance(1);
  expect(await ended).toMatchObject({ holder: 'gpt', was: 'claude', cause: 'expired' });
  // Passed on to a name that does not come: by the time alone.
  const free = controlEvent(terminal);
  clock.advance(LEASE_MS);
  expect(await free).toMatchObject({ holder: null, was: 'gpt', cause: 'expired' });
});

test('input of the holder renews its lease', async () => {
  const { clock, terminal, control, take, type } = started('echo ready; exec sleep 1000');
  await untilShown(terminal, 'ready');
  take('claude');
  for (let i = 0; i < 4; i++) {
    clock.advance(LEASE_MS - 1);
    await type('x\r');
  }
  expect(control.leftMs).toBe(LEASE_MS);
  await expect(type('x\r', 'gpt')).rejects.toMatchObject({ code: 'control_held' });
  expect(control.holder).toBe('claude');
});

test.each(['half a line', '\x1b[200~a\rb\r'])('a lease does not end in %j', async (input) => {
  const { clock, terminal, control, take, type } = started('stty raw -echo; echo ready; exec sleep 1000');
  await untilShown(terminal, 'ready');
  take('claude');
  await type(input);
  clock.advance(10 * LEASE_MS);
  await looked(terminal);
  expect(control.holder).toBe('claude');
  expect(control.leftMs).toBe(0);
  await type(input.startsWith('\x1b') ? '\x1b[201~\r' : '\r');
  const ended = controlEvent(terminal);
  clock.advance(LEASE_MS);
  expect(await ended).toMatchObject({ holder: null, cause: 'expired' });
});

test('a lease of a person does not end in a line for 20 s after the last key, and then does', async () => {
  const { clock, terminal, control, take, type } = started('echo ready; exec sleep 1000');
  await untilShown(terminal, 'ready');
  take('ada', { person: true, leaseMs: 15_000 });
  await type('x', 'ada');
  clock.advance(19_999);
  await looked(terminal);
  expect(control.holder).toBe('ada');
  await type('y', 'ada');
  clock.advance(19_999);
  await looked(terminal);
  expect(control.holder).toBe('ada');
  const ended = controlEvent(terminal);
  clock.advance(1000);
  expect(await ended).toMatchObject({ holder: null, was: 'ada', cause: 'expired' });
});

itNeeds('bash', 'stty')(
  'a lease of a person ends in a line of a shell without marks, and not in its hidden read',
  async () => {
    const { clock, terminal, control, take, type } = started("PS1='ready ' exec bash --norc --noprofile");
    await untilShown(terminal, 'ready');
    await untilRead(terminal);
    take('ada', { person: true, leaseMs: 15_000 });
    await type('read -rsn 2; x', 'ada');
    await untilShown(terminal, 'x');
    const ended = controlEvent(terminal);
    clock.advance(20_000);
    expect(await ended).toMatchObject({ holder: null, was: 'ada', cause: 'expired' });
    take('ada', { person: true, leaseMs: 15_000 });
    await type('\r', 'ada');
    while (inputModes(terminal).bracketedPaste) await looked(terminal);
    await untilRead(terminal);
    clock.advance(600_000);
    await looked(terminal);
    expect(control.holder).toBe('ada');
  },
);

test('a lease of a person does not end in a paste, however long ago the last key was', async () => {
  const { clock, terminal, control, take, type } = started('echo ready; exec sleep 1000');
  await untilShown(terminal, 'ready');
  take('ada', { person: true, leaseMs: 15_000 });
  await type('\x1b[200~a', 'ada');
  clock.advance(600_000);
  await looked(terminal);
  expect(control.holder).toBe('ada');
});

test('a lease does not end while a paste of the holder is on its way', async () => {
  const { clock, terminal, control, take } = started('stty raw -echo; echo ready; exec sleep 1000');
  await untilShown(terminal, 'ready');
  take('claude');
  let finish: (() => void) | undefined;
  const pasting = terminal.input.take(
    1,
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
    { cmd: 'paste', as: 'claude' },
  );
  clock.advance(LEASE_MS);
  await looked(terminal);
  expect(control.holder).toBe('claude');
  finish?.();
  await pasting;
  const ended = controlEvent(terminal);
  clock.advance(LEASE_MS);
  expect(await ended).toMatchObject({ holder: null, cause: 'expired' });
});

itNeeds('stty')('a lease does not end at a prompt that hides what is typed, or may', async () => {
  const script =
    'stty -echo; echo ask; read -r x; stty raw; echo raw; head -c 1 >/dev/null; stty sane; echo line; read -r x';
  const { clock, terminal, control, take, type } = started(script);
  take('claude');
  for (const [prompt, answer] of [
    ['ask', 'x\r'],
    ['raw', '\r'],
  ] as const) {
    await untilShown(terminal, prompt);
    await untilRead(terminal);
    clock.advance(LEASE_MS);
    await looked(terminal);
    expect(control.holder).toBe('claude');
    await type(answer);
  }
  await untilShown(terminal, 'line');
  await untilRead(terminal);
  const ended = controlEvent(terminal);
  clock.advance(LEASE_MS);
  expect(await ended).toMatchObject({ holder: null, was: 'claude', cause: 'expired' });
});

async function untilRead({ detectors }: Terminal): Promise<void> {
  while ((await detectors.probeInput()) === undefined);
}

test('a hold ends ten seconds after its connection, unless its name takes anew', () => {
  const { clock, terminal, control, take } = started('exec sleep 1000');
  let gone: (() => void)[] = [];
  const connection = {
    onGone(listener: () => void) {
      gone.push(listener);
      return { dispose: () => void (gone = gone.filter((other) => other !== listener)) };
    },
  };
  take('ada', { person: true, leaseMs: undefined });
  control.tieTo(connection);
  expect(control.leftMs).toBeUndefined();
  gone[0]?.();
  clock.advance(9999);
  expect(control.leftMs).toBe(1);
  take('ada', { person: true, leaseMs: undefined });
  control.tieTo(connection);
  clock.advance(LEASE_MS);
  expect(control.holder).toBe('ada');
  // Taken anew by its name, without a connection: it does not end with the one that has gone.
  gone.at(-1)?.();
  take('ada', { person: true, leaseMs: undefined });
  clock.advance(LEASE_MS);
  expect(control.holder).toBe('ada');
  control.tieTo(connection);
  const causes: unknown[] = [];
  terminal.feed.add({ onEvent: (event) => void (event.event === 'control' && causes.push(event.cause)) });
  gone.at(-1)?.();
  clock.advance(10_000);
  expect(control.holder).toBeUndefined();
  expect(causes).toEqual(['gone']);
  terminal.remove();
});

test('without a holder input makes nothing new', async () => {
  const terminal = ownTerminal({ script: 'exec sleep 1000' });
  expect(terminal.input.gate).toBeUndefined();
  await terminal.input.take(1, (writer) => writer.write(Buffer.from('x')), { cmd: 'send', as: 'claude' });
  expect(terminal.input.gate).toBeUndefined();
  expect(terminal.input.inputs).toBe(1);
});
