/** The raw output of real programs, by offset. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Random } from '../../trials/support/random.js';
import { connect } from '../../src/client/client.js';
import { OUTPUT_RING_BYTES } from '../../src/protocol/limits.js';
import { useCommandLine } from '../support/cli-daemon.js';
import { RawConnection, rawRequest, type RawReply } from '../support/raw.js';
import { request } from '../support/daemon.js';

const cli = useCommandLine();
const LONG_MS = 60_000;

const ask = (fields: object): Promise<RawReply> => rawRequest(cli.daemon.socketPath, { cmd: 'output', ...fields });

/** A program whose output the line discipline leaves as it is. */
async function start(script: string, wait: object = { until: { exit: true } }): Promise<string> {
  const cmdArgs = ['sh', '-c', `stty raw -echo; exec "$0" -e '${script}'`, process.execPath];
  const { id } = await request(cli.daemon, { cmd: 'create', cmd_args: cmdArgs, wait });
  return String(id);
}

async function withoutHistory<T>(act: () => Promise<T>): Promise<T> {
  const { history_bytes: bytes } = await request(cli.daemon, { cmd: 'config' });
  await request(cli.daemon, { cmd: 'config', history_bytes: 0 });
  try {
    return await act();
  } finally {
    await request(cli.daemon, { cmd: 'config', history_bytes: bytes });
  }
}

const BYTES = Buffer.from(Array.from({ length: 3 * 256 }, (_, at) => at % 256));
const binary = (): Promise<string> =>
  start('process.stdout.write(Buffer.from(Array.from({length: 768}, (_, at) => at % 256)))');

/** Prints a bell and all that it reads, and ends with a `q`. */
const echo = (): Promise<string> =>
  start(
    'process.stdin.on("data", (d) => process.stdout.write(d, () => d == "q" && process.exit(3))); console.log("\\u0007")',
    {
      until: { event: 'bell' },
    },
  );

it('reading in pieces gives every byte that the program has printed', async () => {
  const id = await binary();
  const pieces: Buffer[] = [];
  for (let since = 0; ;) {
    const { header, bytes } = await ask({ id, since, max_bytes: 100 });
    expect(header).toMatchObject({ ok: true, first: since, next: since + bytes.length, len: bytes.length });
    pieces.push(bytes);
    since += bytes.length;
    expect(header['ended']).toBe(since === BYTES.length);
    if (header['ended'] === true) break;
  }
  expect(Buffer.concat(pieces)).toEqual(BYTES);
  expect((await ask({ id, since: 700 })).bytes).toEqual(BYTES.subarray(700));
  const { header, bytes } = await ask({ id, inline: true });
  expect([header['len'], bytes.length, Buffer.from(String(header['data']), 'base64')]).toEqual([0, 0, BYTES]);
});

it('a flood leaves its last mebibyte, and an offset below it names the first that is kept', async () => {
  const extra = 300_000;
  const length = OUTPUT_RING_BYTES + extra;
  const id = await withoutHistory(() => start(`process.stdout.write(Buffer.alloc(${length - 3}, "x") + "END")`));
  const { header } = await ask({ id, since: extra - 1 });
  expect(header).toMatchObject({ ok: false, code: 'offset_gone', field: 'since', first: extra });
  expect(header['error']).toContain(String(extra));
  const all = await ask({ id, max_bytes: OUTPUT_RING_BYTES });
  expect(all.header).toMatchObject({ first: extra, next: length, ended: true });
  expect(all.bytes.equals(Buffer.from(`${'x'.repeat(OUTPUT_RING_BYTES - 3)}END`))).toBe(true);
  await using client = await connect({ socketPath: cli.daemon.socketPath });
  await expect(client.call('output', { id, since: 0 })).rejects.toMatchObject({ details: { first: extra } });
  const { per_terminal: weights } = await request(cli.daemon, { cmd: 'stats', terminals: true });
  const weight = (weights as { id: string; memory_bytes: number }[]).find((one) => one.id === id);
  expect(weight?.memory_bytes).toBeGreaterThan(OUTPUT_RING_BYTES);
});

it('the program of a streamed run waits for its reader, once what is unread reaches its bound', async () => {
  const length = 5_000_000;
  const run = 'unread';
  const command = `yes | head -c ${length} | tr -d '\\n'`;
  const running = request(cli.daemon, { cmd: 'run', command, stream: run });
  const { header } = await ask({ run, wait_ms: 10_000, max_bytes: 1 });
  const { id, next } = header;
  const printed = async (): Promise<number> => Number((await ask({ id, max_bytes: OUTPUT_RING_BYTES })).header['next']);
  // A reader of the terminal is none of the stream. Output that has stood through some answers stands still.
  for (let before = -1, now = 0; now < 262_144 || now !== before;) {
    before = now;
    for (let i = 0; i < 10; i++) now = await printed();
    expect(now).toBeLessThanOrEqual(524_288 + 262_144);
  }
  // The stream ends with the reply of the run, once all of it is read.
  let since = Number(next);
  while (since < length / 2) {
    const part = await ask({ run, since, wait_ms: 10_000, max_bytes: 1_000_000 });
    expect(part.header).toMatchObject({ ok: true, first: since });
    since = Number(part.header['next']);
  }
  expect(since).toBe(length / 2);
  expect(await running).toMatchObject({ outcome: 'exited', exit_code: 0 });
});

it('the history has what came before the last mebibyte, byte for byte, valid text or not', async () => {
  const random = new Random(7);
  const line = (): number[] => Array.from({ length: 60 }, () => 0x20 + random.below(0xe0));
  const text = Buffer.concat(
    Array.from({ length: 50_000 }, () => Buffer.from([...line(), 0x1b, 0x5b, 0x6d, 0x0d, 0x0a])),
  );
  const file = path.join(path.dirname(cli.daemon.socketPath), 'bytes');
  await writeFile(file, text);
  const cmdArgs = ['sh', '-c', 'stty raw -echo; exec cat "$0"', file];
  const { id } = await request(cli.daemon, { cmd: 'create', cmd_args: cmdArgs, wait: { until: { exit: true } } });
  const pieces: Buffer[] = [];
  for (let since = 0; since < text.length;) {
    const { header, bytes } = await ask({ id, since, max_bytes: 700_000 });
    expect(header).toMatchObject({
      ok: true,
      first: since,
      next: since + bytes.length,
      ended: since + bytes.length === text.length,
    });
    pieces.push(bytes);
    since += bytes.length;
  }
  expect(Buffer.concat(pieces).equals(text)).toBe(true);
  const { header } = await ask({ id, max_bytes: 1 });
  expect(header).toMatchObject({ first: text.length - OUTPUT_RING_BYTES });
  await request(cli.daemon, { cmd: 'forget', id });
  expect((await ask({ id, since: 5 })).header).toMatchObject({ code: 'offset_gone', first: text.length });
});

it('a wait ends with the first byte at its offset, and with the end of the process', async () => {
  const id = await echo();
  const end = Number((await ask({ id })).header['next']);
  const connection = new RawConnection(cli.daemon.socketPath);
  for (const since of [end, end + 2]) {
    connection.write(`${JSON.stringify({ cmd: 'output', id, since, wait_ms: LONG_MS, req: since })}\n`);
  }
  await request(cli.daemon, { cmd: 'send', id, input: 'ab' });
  const first = await connection.reply();
  expect(first.header).toMatchObject({ req: end, first: end, ended: false });
  expect('ab'.startsWith(first.bytes.toString())).toBe(true);
  await request(cli.daemon, { cmd: 'send', id, input: 'q' });
  const second = await connection.reply();
  expect(second.header).toMatchObject({ req: end + 2, next: end + 3 });
  expect(second.bytes.toString()).toBe('q');
  const last = await connection.request({ cmd: 'output', id, since: end + 3, wait_ms: LONG_MS });
  expect(last.header).toMatchObject({ first: end + 3, next: end + 3, len: 0, ended: true });
  connection.close();
});

it('a wait without output replies empty, and is cancelled', async () => {
  const id = await echo();
  expect((await ask({ id, since: 1000, wait_ms: 1 })).header).toMatchObject({ next: 1000, len: 0, ended: false });
  const connection = new RawConnection(cli.daemon.socketPath);
  connection.write(`${JSON.stringify({ cmd: 'output', id, since: 1000, wait_ms: LONG_MS, req: 1 })}\n`);
  connection.write('{"cmd":"cancel","of":1,"req":2}\n');
  const replies = [await connection.reply(), await connection.reply()].map(({ header }) => header);
  expect(replies.find(({ req }) => req === 1)).toMatchObject({ ok: false, code: 'cancelled' });
  expect(replies.find(({ req }) => req === 2)).toMatchObject({ ok: true });
  connection.close();
});

it.each([
  [{ since: -1 }, 'invalid_field'],
  [{ since: 1.5 }, 'invalid_field'],
  [{ max_bytes: 0 }, 'invalid_field'],
  [{ max_bytes: OUTPUT_RING_BYTES + 1 }, 'invalid_field'],
  [{ wait_ms: -1 }, 'invalid_field'],
  [{ id: 'nobody' }, 'terminal_not_found'],
])('refuses %j', async (fields, code) => {
  expect((await ask({ id: await binary(), ...fields })).header).toMatchObject({ ok: false, code });
});

it('the command line prints the bytes as they are, or with --json a reply that has them', async () => {
  const id = await binary();
  const { status, bytes, stderr } = await cli.t4a(['output', id, '--since', '2', '--max-bytes', '400']);
  expect([status, stderr, bytes]).toEqual([0, '', BYTES.subarray(2, 402)]);
  const reply = await cli.reply(['output', id, '--since', '760', '--json']);
  expect(reply).toMatchObject({ next: 768, ended: true, data: BYTES.subarray(760).toString('base64') });
});

it('--follow prints all output until the program has ended, in pieces of any size', async () => {
  const id = await echo();
  const following = cli.t4a(['output', id, '--follow', '--max-bytes', '3']);
  await request(cli.daemon, { cmd: 'send', id, input: 'one two three' });
  await request(cli.daemon, { cmd: 'wait', id, until: { text: 'three' } });
  await request(cli.daemon, { cmd: 'send', id, input: 'q' });
  expect(await following).toMatchObject({ status: 0, stdout: '\x07\none two threeq', stderr: '' });
  const refused = await cli.t4a(['output', id, '--follow', '--json']);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toContain('--follow');
});
