import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { takeTurn, type TurnParams, waitAndObserve } from '../../../src/features/reading/turn.js';
import { waitShape } from '../../../src/protocol/conditions.js';
import { type ObserveParams, observeShape } from '../../../src/protocol/observation.js';
import { defaultPicture } from '../../../src/protocol/picture.js';

import { ownTerminal, print } from '../../support/own-terminal.js';
import { FakeClock } from '../../../src/base/clock.js';
import { openRig } from '../../support/rig.js';
import { testCall } from '../../support/test-call.js';

const CALL = testCall();

const observe = (fields: z.input<z.ZodObject<typeof observeShape>>): ObserveParams =>
  z.strictObject(observeShape).parse(fields);
const wait = (fields: z.input<z.ZodObject<typeof waitShape>>) => z.strictObject(waitShape).parse(fields);

function started() {
  const daemon = openRig({ clock: new FakeClock() }).daemon;
  const terminal = ownTerminal({ clock: daemon.options.clock, maxWaits: 1 });
  /** A turn whose act prints this. */
  const take = (params: TurnParams, text = '', call = CALL) =>
    takeTurn(
      daemon.core,
      terminal,
      params,
      { input: 'x', act: async () => ({ acted: await print(terminal, text) }) },
      call,
    );
  return { daemon, terminal, take };
}

describe('a turn without a wait', () => {
  test('acts, and returns the result', async () => {
    expect(await started().take({}, 'text')).toEqual({ reply: { acted: undefined } });
  });

  test('observes after the act', async () => {
    const { terminal, take } = started();
    const { reply, bytes } = await take({ observe: observe({ text: true, cursor: true }) }, ' a  \n\nb');
    expect(reply).toEqual({
      acted: undefined,
      inputs: 0,
      observed: { rev: terminal.screen.rev, lines: [' a', '', 'b'], cursor: { row: 2, col: 1, visible: true } },
    });
    expect(bytes).toBeUndefined();
  });

  test('observes once all arrived output is on the screen', async () => {
    const { daemon, terminal } = started();
    const act = async () => {
      terminal.screen.write(Buffer.from('arrived'));
      return {};
    };
    const params = { observe: observe({ text: true }) };
    const { reply } = await takeTurn(daemon.core, terminal, params, { input: '', act }, CALL);
    expect(reply.observed?.lines).toEqual(['arrived']);
  });

  test.each([
    [{}, {}],
    [{ text: true }, { lines: ['2', '3', '4', '5'] }],
    [{ text: {} }, { lines: ['2', '3', '4', '5'] }],
    [{ text: { region: 'all' } }, { lines: ['0', '1', '2', '3', '4', '5'] }],
    [{ cursor: true }, { cursor: { row: 4, col: 0, visible: true } }],
  ] as const)('looks at what is asked for: %j', async (fields, expected) => {
    const { terminal, take } = started();
    const { reply } = await take({ observe: observe(fields) }, '0\n1\n2\n3\n4\n5\n');
    expect(reply.observed).toEqual({ rev: terminal.screen.rev, ...expected });
  });

  test.each([true, { scale: 100 }])('draws a picture of the observed screen: %j', async (screenshot) => {
    const { reply, bytes } = await started().take({ observe: observe({ screenshot }) }, 'text');
    const cellWidth = screenshot === true ? 8 : 10;
    expect(reply).toMatchObject({
      observed: {},
      format: 'png',
      width: 20 * cellWidth,
      height: 5 * 2 * cellWidth,
      cell_width: cellWidth,
    });
    for (const name of ['rev', 'cols', 'rows']) expect(reply).not.toHaveProperty(name);
    expect(
      Buffer.concat(bytes ?? [])
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  });
});

describe('a turn with a wait', () => {
  test('sees later changes at once, and nothing earlier', async () => {
    const { terminal, take } = started();
    await print(terminal, 'prompt\n');
    const { reply } = await take({ wait: wait({ until: { text: 'prompt' } }) }, 'another prompt');
    expect(reply).toMatchObject({ acted: undefined, wait: { outcome: 'matched', match: { row: 1, col: 8 } } });
    expect(reply.observed).toBeUndefined();
  });

  test('observes the screen at the instant at which the wait ended', async () => {
    const { terminal, take } = started();
    const seen = await take({ wait: wait({ until: { text: 'one' } }), observe: observe({ text: true }) }, 'one');
    await print(terminal, ' two');
    expect(seen.reply.observed?.lines).toEqual(['one']);
  });

  test('is refused before the act', async () => {
    const { daemon, terminal } = started();
    let hasActed = false;
    const act = async () => ({ acted: (hasActed = true) });
    const params = { wait: wait({ until: { regex: '(' } }) };
    await expect(takeTurn(daemon.core, terminal, params, { input: '', act }, CALL)).rejects.toThrow();
    expect(hasActed).toBe(false);
  });

  test('ends with a failed act, and leaves no wait', async () => {
    const { daemon, terminal, take } = started();
    const params = { wait: wait({ until: { text: 'never' } }) };
    const act = () => Promise.reject(new Error('no act'));
    await expect(takeTurn(daemon.core, terminal, params, { input: '', act }, CALL)).rejects.toThrow('no act');
    await turn();
    expect(await take({ wait: wait({ until: { text: 'one' } }) }, 'one')).toMatchObject({
      reply: { wait: { outcome: 'matched' } },
    });
  });

  test('ends when its caller disconnects', async () => {
    const { take } = started();
    const controller = new AbortController();
    const waiting = take({ wait: wait({ until: { text: 'never' } }) }, '', { ...CALL, signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });
});

describe('the next picture', () => {
  const small = { ...defaultPicture(), scale: 50 };

  test.each(['turn', 'wait'])('is drawn ahead when a %s has ended without one', async (how) => {
    const { daemon, terminal, take } = started();
    daemon.core.looks.prefetch.asked(terminal, small);
    const params = { wait: wait({ until: { text: 'one' } }) };
    if (how === 'turn') await take(params, 'one');
    else {
      await print(terminal, 'one');
      await waitAndObserve(daemon.core, terminal, params.wait, undefined, CALL);
    }
    const drawn = daemon.core.looks.prefetch.drawn(terminal);
    expect(drawn).toBeDefined();
    await drawn;
  });

  test.each(['turn', 'wait'])('is not drawn ahead when a %s has ended with one', async (how) => {
    const { daemon, terminal, take } = started();
    daemon.core.looks.prefetch.asked(terminal, small);
    const params = { wait: wait({ until: { text: 'one' } }), observe: observe({ screenshot: { scale: 50 } }) };
    if (how === 'turn') await take(params, 'one');
    else {
      await print(terminal, 'one');
      const { bytes } = await waitAndObserve(daemon.core, terminal, params.wait, params.observe, CALL);
      expect(bytes).toBeDefined();
    }
    expect(daemon.core.looks.prefetch.drawn(terminal)).toBeUndefined();
  });
});

test('a wait by itself counts true conditions', async () => {
  const { daemon, terminal } = started();
  await print(terminal, 'prompt');
  const params = wait({ until: { text: 'prompt' } });
  const { wait: outcome, reply } = await waitAndObserve(daemon.core, terminal, params, observe({ text: true }), CALL);
  expect(outcome.outcome).toBe('matched');
  expect(reply.observed?.lines).toEqual(['prompt']);
});
