/** What clients ask of hosts that mean harm, and what of the answers must not be. */
import { linkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Client } from '../../src/client/index.js';
import { DAEMON_EVENTS, EVENTS } from '../../src/protocol/events.js';
import { RawConnection } from '../../test/support/raw.js';
import type { Random } from '../support/random.js';
import type { Failures } from '../support/report.js';
import { FORGED } from './hostile-host.js';

/** The longest of a route that does not answer, and some time. */
const ANSWERED_MS = 40_000;

export interface Round {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cli: string;
  readonly client: Client;
  readonly random: Random;
  readonly failures: Failures;
}

const REQUESTS: readonly object[] = [
  { cmd: 'list' },
  { cmd: 'ping' },
  { cmd: 'asks' },
  { cmd: 'triggers' },
  { cmd: 'recordings' },
  { cmd: 'text', id: 'a', wait: { until: { text: 'x' }, timeout_ms: 100 } },
  { cmd: 'status', id: 'a' },
  { cmd: 'screenshot', id: 'a' },
  { cmd: 'output', id: 'a' },
  { cmd: 'watch', id: 'a' },
  { cmd: 'type', id: 'a', text: 'x', observe: { text: true } },
  { cmd: 'run', command: 'true' },
  { cmd: 'create', name: 'made', cmd_args: ['cat'] },
  { cmd: 'create', name: 'made', cmd_args: ['cat'], tied: true },
  { cmd: 'kill', id: 'a' },
];

/** Each is answered once: those to a silent host by the cancelling of them. */
export async function requests({ dir, random, failures }: Round): Promise<void> {
  const connection = new RawConnection(path.join(dir, 'fleet'));
  if (random.chance(0.3)) await connection.request({ cmd: 'restrict', reach: 'use', person: false });
  const count = 1 + random.below(30);
  const asked = Array.from({ length: count }, (_, req) => ({
    ...random.pick(REQUESTS),
    req,
    host: random.pick(['box', 'swapped']),
  }));
  connection.write(asked.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const giveUp = setTimeout(() => {
    for (let req = 0; req < count; req++) connection.write(`{"cmd":"cancel","of":${req}}\n`);
  }, 3000);
  const late = setTimeout(() => {
    failures.add('a request through the gateway was not answered');
    connection.close();
  }, ANSWERED_MS);
  const open = new Set(asked.map(({ req }) => req));
  try {
    while (open.size > 0) {
      const { header } = await connection.reply();
      if (header['req'] === undefined) continue;
      if (!open.delete(header['req'] as number))
        failures.add(`a second answer: ${JSON.stringify(header).slice(0, 300)}`);
      checkWords(header, failures);
    }
  } catch (error) {
    if (!failures.list.includes('a request through the gateway was not answered'))
      failures.add(`a connection to the gateway: ${String(error).slice(0, 300)}`);
  }
  clearTimeout(giveUp);
  clearTimeout(late);
  connection.close();
}

function checkWords(header: Readonly<Record<string, unknown>>, failures: Failures): void {
  const parts = [header, header['wait'], header['observed']].filter(
    (part) => typeof part === 'object' && part !== null,
  );
  for (const part of parts as Record<string, unknown>[]) {
    if (JSON.stringify(part['hint'] ?? '').includes(FORGED))
      failures.add(`a forged hint: ${JSON.stringify(header).slice(0, 300)}`);
    for (const field of ['error', 'warning']) {
      const words = part[field];
      if (words === undefined) continue;
      const isQuoted = typeof words === 'string' && words.length < 700 && !/[\p{Cc}\p{Cf}\u2028]/u.test(words);
      if (!isQuoted) failures.add(`words of a host as they are: ${JSON.stringify(words).slice(0, 300)}`);
    }
  }
}

const KNOWN: Readonly<Record<string, { readonly fields: z.ZodRawShape }>> = { ...EVENTS, ...DAEMON_EVENTS };
const SCHEMAS = new Map(Object.entries(KNOWN).map(([type, { fields }]) => [type, z.object(fields).partial().loose()]));

/** Of words that may be longer lists in a newer daemon the type alone counts. */
function isOfItsType(event: Readonly<Record<string, unknown>>): boolean {
  const { success, error } = SCHEMAS.get(String(event['event']))?.safeParse(event) ?? {};
  return (
    success !== false ||
    (error?.issues ?? []).every(({ code }) =>
      ['invalid_value', 'invalid_format', 'too_big', 'custom', 'invalid_key'].includes(code),
    )
  );
}

export async function events({ dir, random, failures }: Round): Promise<void> {
  const connection = new RawConnection(path.join(dir, 'fleet'));
  connection.write(
    random.chance(0.5) ? '{"cmd":"events"}\n' : `{"cmd":"events","host":"${random.pick(['box', 'swapped'])}"}\n`,
  );
  // Some are never read.
  if (random.chance(0.7)) {
    const end = setTimeout(() => connection.close(), 300 + random.below(1500));
    try {
      for (;;) {
        const line = (await connection.line()).toString();
        const event = JSON.parse(line) as Record<string, unknown>;
        if (event['ok'] === false) continue;
        if (typeof event['event'] !== 'string' || typeof event['host'] !== 'string' || !isOfItsType(event))
          failures.add(`an event: ${line.slice(0, 300)}`);
        if (line.length > 300_000) failures.add(`an event of ${line.length}`);
        checkWords(event, failures);
      }
    } catch {
      // It was closed.
    }
    clearTimeout(end);
  }
  connection.close();
}

const COMMANDS: readonly (readonly string[])[] = [
  ['list', '--all'],
  ['list', '--all', '--long'],
  ['list', '--on', 'box'],
  ['list', '--on', 'swapped', '--json'],
  ['text', 'box/a'],
  ['status', 'box/a'],
  ['asks', '--on', 'box'],
  ['triggers', 'box/a'],
  ['recordings', '--on', 'swapped'],
  ['ping', '--on', 'box'],
  ['kill', 'box/a'],
  ['events', '--on', 'box'],
  ['events', '--all'],
  ['output', 'box/a'],
  ['config', '--on', 'box'],
  ['stats', '--on', 'box'],
  ['hosts'],
];

/** Text, line ends and colours. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const HARMLESS = /^(?:[^\p{Cc}\p{Cf}\u2028\u2029]|[\r\n\t]|\x1b\[[\d;]*m)*$/u;

/** In a terminal of the daemon, whose output is what a person's terminal would get. */
export async function commands({ env, cli, client, random, failures }: Round): Promise<void> {
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      const args = random.pick(COMMANDS);
      const { id } = await client.call('create', {
        cmd_args: [process.execPath, cli, ...args],
        env: { ...env },
        cols: 200,
      });
      const reply = await client.call('wait', {
        id,
        until: { exit: true },
        timeout_ms: args[0] === 'events' ? 1500 : 4000,
        tail: 0,
      });
      if (reply.outcome === 'timeout') await client.call('kill', { id, signal: 'INT' });
      const { bytes = new Uint8Array() } = await client.call('output', { id, since: 0, max_bytes: 1024 * 1024 });
      const text = Buffer.from(bytes)
        .toString('utf8')
        .replace(/\uFFFD$/, '');
      if (!HARMLESS.test(text))
        failures.add(
          `t4a ${args.join(' ')} has written ${JSON.stringify(/.{0,40}(?:[\p{Cc}\p{Cf}\u2028\u2029](?!\[[\d;]*m)).{0,40}/u.exec(text.replaceAll(/[\r\n\t]/g, ''))?.[0])}`,
        );
      if (/^ *hint:.*forged/im.test(text))
        failures.add(`t4a ${args.join(' ')} has a forged hint: ${JSON.stringify(text.slice(0, 400))}`);
      await client.call('kill', { id, grace_ms: 0 });
    }),
  );
}

/** What a swapped route reaches must never be the daemon of this user: its terminals would be typed into, and more be made. */
export async function swaps({ dir, random, failures }: Round): Promise<void> {
  const place = path.join(dir, 'x', 't4a.sock');
  const next = path.join(dir, 'x', 'next');
  const swap = (put: () => void): void => {
    rmSync(next, { recursive: true, force: true, maxRetries: 5 });
    put();
    renameSync(next, place);
  };
  const links = [
    () => linkSync(path.join(dir, 'evil'), next),
    () => linkSync(path.join(dir, 's'), next),
    () => symlinkSync(path.join(dir, 's'), next),
    () => symlinkSync(path.join(dir, 'fleet'), next),
    () => linkSync(path.join(dir, 'fleet'), next),
    () => writeFileSync(next, 'no socket'),
  ];
  const connections = Array.from({ length: 8 }, () => new RawConnection(path.join(dir, 'fleet')));
  const asking = connections.map(async (connection, i) => {
    try {
      for (let n = 0; n < 6; n++) {
        // Of a connection of its own, so that each opens the route anew.
        connection.write(
          `{"cmd":"create","req":1,"name":"swapped${i}-${n}","cmd_args":["cat"],"host":"swapped","tied":true}\n`,
        );
        connection.write('{"cmd":"type","req":2,"id":"swapped/own1","text":"reached"}\n');
        connection.write('{"cmd":"kill","req":3,"id":"swapped/own2"}\n');
        await new Promise((resolve) => setTimeout(resolve, 30));
        connection.write('{"cmd":"cancel","of":1}\n{"cmd":"cancel","of":2}\n{"cmd":"cancel","of":3}\n');
      }
    } finally {
      connection.close();
    }
  });
  for (let n = 0; n < 60; n++) {
    swap(random.pick(links));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(asking);
  swap(() => linkSync(path.join(dir, 'evil'), next));
  const own = new RawConnection(path.join(dir, 's'));
  const { header } = await own.request({ cmd: 'text', id: 'own1' });
  own.close();
  if (JSON.stringify(header).includes('reached')) failures.add('a swapped route has typed into a terminal here');
}
