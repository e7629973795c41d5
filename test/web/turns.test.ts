/** What is refused costs other pages one turn of the event loop for each message, however many come in one piece. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { enter, servedForFile, serverInProcess, type TestSocket, trade } from './served.js';

const shared = servedForFile();

/** What a socket reads at once is as large. */
const IN_ONE_PIECE = 60_000;

/** Frames that would be written one by one otherwise. */
function inOnePiece({ socket }: TestSocket, send: () => void): void {
  const { _socket: raw } = socket as unknown as { _socket: { cork(): void; uncork(): void } };
  raw.cork();
  send();
  raw.uncork();
}

/** Counts calls of all sockets of the process, in each turn of its event loop. */
function mostInOneTurn(method: 'send' | 'pong', isCounted: (content: string) => boolean): () => number {
  let [most, ofTurn] = [0, 0];
  const real = WebSocket.prototype[method] as (...args: unknown[]) => void;
  const spied = vi.spyOn(WebSocket.prototype, method).mockImplementation(function (
    this: WebSocket,
    ...args: unknown[]
  ) {
    if (isCounted(String(args[0]))) {
      if (ofTurn++ === 0) setImmediate(() => (ofTurn = 0));
      most = Math.max(most, ofTurn);
    }
    return real.apply(this, args);
  });
  onTestFinished(() => spied.mockRestore());
  return () => most;
}

async function page(): Promise<TestSocket> {
  const { client } = await shared();
  const { origin, keys } = await serverInProcess(client.socketPath);
  const [socket] = await enter(origin, await trade(origin, keys.newCode()));
  return socket;
}

const FILE = { cmd: 'open', path: '/x', req: 1 };

test.each<[string, readonly object[]]>([
  ['requests that name files', [FILE]],
  ['raw bytes', [{ cmd: 'send', input_base64: 'eA==', req: 1 }]],
  ['streams of their own', [{ cmd: 'events', req: 1 }]],
  // The page is slowed by the first ones: the others have come by the time that it is no more.
  ['refused requests behind others', [...Array.from({ length: 70 }, () => ({ cmd: 'ping', req: 0 })), FILE]],
])('of a flood of %s one is answered in each turn', async (_, messages) => {
  const flooding = await page();
  const texts = messages.map((message) => JSON.stringify(message));
  const last = texts.at(-1) ?? '';
  while (texts.reduce((bytes, text) => bytes + text.length + 8, 0) < IN_ONE_PIECE) texts.push(last);
  const most = mostInOneTurn('send', (content) => content.includes('"not_allowed"'));
  inOnePiece(flooding, () => texts.forEach((text) => flooding.socket.send(text)));
  const answers: object[] = [];
  while (answers.length < texts.length) answers.push(await flooding.next());
  expect(answers.filter((one) => (one as { ok: boolean }).ok)).toHaveLength(messages.length - 1);
  expect(most()).toBe(1);
});

test('of a flood of signs of life one is answered in each turn', async () => {
  const flooding = await page();
  const count = 5000;
  const most = mostInOneTurn('pong', () => true);
  const answered = new Promise<void>((resolve) => {
    let pongs = 0;
    flooding.socket.on('pong', () => ++pongs === count && resolve());
  });
  inOnePiece(flooding, () => {
    for (let i = 0; i < count; i++) flooding.socket.ping();
  });
  await answered;
  expect(most()).toBe(1);
});

test('refusals that a page does not read wait in the page, and then come in their order', async () => {
  const { client } = await shared();
  const { origin, keys } = await serverInProcess(client.socketPath);
  const grant = await trade(origin, keys.newCode());
  const [[deaf], [other]] = await Promise.all([enter(origin, grant), enter(origin, grant)]);
  const [count, padding] = [1000, 'x'.repeat(50_000)];
  let sent = 0;
  mostInOneTurn('send', (content) => content.includes('"not_allowed"') && ++sent > 0);
  deaf.socket.pause();
  for (let req = 0; req < count; req++) await deaf.say({ cmd: 'open', path: '/x', req: `${req} ${padding}` });
  for (let [unchanged, before] = [0, -1]; unchanged < 50;) {
    await other.ask('list');
    unchanged = sent === before ? unchanged + 1 : 0;
    before = sent;
  }
  // Of 50 MB: 4 MiB of the server, and what the system keeps of both sockets.
  expect(sent).toBeLessThan(count / 2);
  deaf.socket.resume();
  for (let req = 0; req < count; req++) {
    const { req: of } = await deaf.next<{ req: string }>();
    expect(of.slice(0, of.indexOf(' '))).toBe(String(req));
  }
});
