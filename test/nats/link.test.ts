/** Links over a real server: streams of bytes with windows, which end when a message is lost or a side has gone. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { NatsLink } from '../../src/nats/link.js';
import { presenceIn } from '../../src/nats/presence.js';
import { requestRefusal } from '../../src/nats/refused-requests.js';
import { Replies } from '../../src/nats/replies.js';
import { isReplySubject, newToken } from '../../src/nats/subjects.js';
import { natsServer, type NatsServer } from '../support/nats.js';
import { ofFile } from '../support/of-file.js';
import { itNeeds } from '../support/programs.js';

const it = itNeeds('nats-server');
const server = ofFile((atEnd) => natsServer({}, atEnd));

interface Pair {
  readonly near: NatsLink;
  readonly far: NatsLink;
  readonly nats: readonly [NatsConnection, NatsConnection];
  /** Messages on their way to `far` that are to be dropped. */
  readonly drop: { next: number };
  readonly server: NatsServer;
}

async function pair(everyMs?: number): Promise<Pair> {
  const running = await server();
  const nats = [await running.client(), await running.client()] as const;
  const [a, b] = [`_INBOX.a.${newToken()}`, `_INBOX.b.${newToken()}`];
  const near = new NatsLink({ nats: nats[0], to: b, from: a, everyMs });
  const far = new NatsLink({ nats: nats[1], to: a, from: b, everyMs });
  const drop = { next: 0 };
  nats[0].subscribe(a, { callback: (_error, message) => near.receive(message) });
  nats[1].subscribe(b, { callback: (_error, message) => void (drop.next-- > 0 || far.receive(message)) });
  await Promise.all(nats.map((one) => one.flush()));
  return { near, far, nats, drop, server: running };
}

const errorOf = async (link: NatsLink): Promise<string> => ((await once(link, 'error')) as [Error])[0].message;

it('bytes in chunks of any size arrive in their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 700_000 }), { minLength: 1, maxLength: 8 }), async (sizes) => {
      const { near, far, nats } = await pair();
      const sent = Buffer.concat(sizes.map((size, i) => Buffer.alloc(size, i)));
      let at = 0;
      for (const size of sizes) near.write(sent.subarray(at, (at += size)));
      near.end();
      const got: Buffer[] = [];
      for await (const chunk of far) got.push(chunk as Buffer);
      expect(Buffer.concat(got).equals(sent)).toBe(true);
      await Promise.all(nats.map((one) => one.close()));
    }),
    { numRuns: 8 },
  );
});

it('sixty-four mebibytes arrive whole', async () => {
  const { near, far } = await pair();
  const sent = Buffer.alloc(64 * 1024 * 1024, 'some bytes');
  near.end(sent);
  const got: Buffer[] = [];
  for await (const chunk of far) got.push(chunk as Buffer);
  expect(Buffer.concat(got).equals(sent)).toBe(true);
});

it('bytes beyond a window of unread ones stay with their sender', async () => {
  const { near, far, nats } = await pair();
  const part = Buffer.alloc(256 * 1024);
  let taken = 0;
  for (let i = 0; i < 64; i++) near.write(part, () => taken++);
  await expect.poll(() => far.readableLength).toBe(4 * part.length);
  await Promise.all(nats.map((one) => one.flush()));
  expect([taken, far.readableLength]).toEqual([4, 4 * part.length]);
  far.resume();
  await expect.poll(() => taken).toBe(64);
});

it('a lost message ends both sides, and nothing behind it is read', async () => {
  const { near, far, drop } = await pair();
  const got: string[] = [];
  far.on('data', (chunk: Buffer) => got.push(chunk.toString()));
  near.resume();
  near.write('one ');
  await expect.poll(() => got.length).toBe(1);
  drop.next = 1;
  const ends = Promise.all([errorOf(near), errorOf(far)]);
  near.write('two ');
  near.write('three');
  expect(await ends).toEqual(['message 1 was lost on the way', 'message 1 was lost on the way']);
  expect(got).toEqual(['one ']);
});

it('an asker that has vanished is noticed by its next sign of life, without an answer', async () => {
  const { near, far, nats } = await pair(100);
  near.resume();
  far.resume();
  const end = errorOf(far);
  // Without a word.
  await nats[0].close();
  expect(await end).toBe('the other side has gone');
});

it('a side that is silent is given up', async () => {
  const { near, far, drop } = await pair(40);
  near.resume();
  far.resume();
  drop.next = Number.POSITIVE_INFINITY;
  expect(await errorOf(far)).toBe('the other side is silent');
});

it('signs of life keep a link without traffic', async () => {
  const { near, far } = await pair(150);
  far.resume();
  near.resume();
  // Three intervals are too many without them.
  await delay(1000);
  expect([near.destroyed, far.destroyed]).toEqual([false, false]);
});

it('a sender that heeds no window is cut off', async () => {
  const { far } = await pair();
  const end = errorOf(far);
  const data = new Uint8Array(512 * 1024);
  for (let seq = 0; seq < 5; seq++) {
    const given = { hasError: false, get: (name: string) => (name === 'T4a-Seq' ? String(seq) : '') };
    far.receive({ data, headers: given } as unknown as Msg);
  }
  expect(await end).toBe('it sends more than is read');
});

test('a line of ours is put between two replies, and never into the bytes of one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 7 }), (at, step) => {
      const bytes = Buffer.from('{"ok":true,"req":1,"len":9}\n{"\n}\n\n\n\n\n{"ok":true,"req":2}\n');
      const replies = new Replies();
      let out = '';
      replies.on('data', (chunk: Buffer) => (out += chunk.toString('latin1')));
      let isIn = false;
      for (let i = 0; i < bytes.length; i += step) {
        if (i >= at && !isIn) {
          replies.insert('OURS\n');
          isIn = true;
        }
        replies.write(bytes.subarray(i, i + step));
      }
      if (!isIn) replies.insert('OURS\n');
      replies.end();
      for (let chunk: unknown; (chunk = replies.read()) !== null;) out += (chunk as Buffer).toString('latin1');
      expect(out.replace('OURS\n', '')).toBe(bytes.toString('latin1'));
      expect([0, 37, bytes.length]).toContain(out.indexOf('OURS'));
    }),
  );
});

test.each([
  ['{"cmd":"type","id":"a","text":"x","secret":true,"req":7}', true],
  ['{"cmd":"send","secret":1}', true],
  ['{"cmd":"send","\\u0073ecret":true}', true],
  ['{"cmd":"ask","kind":"secret","id":"a"}', true],
  ['{"cmd":"type","text":"my secret"}', false],
  ['{"cmd":"type","text":"x","secret":false}', false],
  ['{"cmd":"type","secret":', true],
  ['null secret', true],
  ['\uFEFF{"cmd":"type","text":"x","secret":true}', true],
  ['\uFEFF{"cmd":"type","text":"x"}', false],
  ['{"cmd":"type","text":"x","secret":false,"secret":true}', true],
  ['{"cmd":"type","text":"x","secret":true,"s\\u0065cret":false}', false],
  ['{"cmd":"type","text":"x","secret":true}}', true],
])('%s is a secret, or no request, and refused: %s', (line, isRefused) => {
  expect(requestRefusal(Buffer.from(line)) !== undefined).toBe(isRefused);
});

test.each([
  ['_INBOX.UABC.abcdefghijklmnopqrstuv', true],
  ['_INBOX.UABC.abcdefghijklmnopqrstuv.XYZ', true],
  ['_INBOX.wWqF2Vc7Zs3nB1xYkL0mPq.Ab3dE9xZ', true],
  ['_INBOX.wWqF2Vc7Zs3nB1xYkL0mP.Ab3dE9xZ', false],
  ['t4a.farm.host.web1', false],
  ['_INBOX.>', false],
  ['_INBOX.*.abcdefghijklmnopqrstuv', false],
  ['_INBOX.a.b', false],
  ['$SYS.REQ.SERVER.PING', false],
  ['$JS.API.STREAM.DELETE.x', false],
])('an agent answers to %s: %s', (subject, answers) => {
  expect(isReplySubject(subject)).toBe(answers);
});

test('anything but presence is none, and what is not a text of its kind is left out', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const found = presenceIn(Buffer.from(text));
      if (found !== undefined) expect(found.host).toMatch(/^[\w-]+$/);
    }),
  );
  const presence = {
    host: 'web1',
    address: 'x',
    instance: 'i',
    version: '1',
    allow: 'read',
    labels: { a: 'b', c: 1, d: 'e\n' },
    terminals: 1,
    room: 2,
    joined_ms: 3,
  };
  const read = (fields: object) => presenceIn(Buffer.from(JSON.stringify({ ...presence, ...fields })));
  expect(read({})).toEqual({ ...presence, labels: { a: 'b' } });
  for (const wrong of [
    { host: 'a.b' },
    { address: '>' },
    { allow: 'admin' },
    { terminals: -1 },
    { room: 'x' },
    { instance: 'a b' },
    { version: 'x'.repeat(200) },
  ]) {
    expect(read(wrong)).toBe(undefined);
  }
});
