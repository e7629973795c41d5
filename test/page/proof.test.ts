/** What the page sends to a server before that has proved that it has the page's key. */
import { expect, test } from 'vitest';
import { admitted } from '../../src/page/proof.js';
import { pageWords, serverWords } from '../../src/page/greeting.js';
import { hmac } from '../../src/page/sha256.js';

const GRANT = { key_id: 'id', key: '5e'.repeat(32) };

/** A server that answers the first words of the page with these. */
function answeredWith(proofOf: (nonce: string) => unknown) {
  const sent: Record<string, unknown>[] = [];
  const socket = {
    onopen: () => {},
    onmessage: (_event: { data: string }) => {},
    onclose: (_event: { code: number }) => {},
    close: () => {},
    send: (text: string) => void sent.push(JSON.parse(text) as Record<string, unknown>),
  };
  const welcome = admitted(socket as unknown as WebSocket, GRANT);
  socket.onopen();
  socket.onmessage({ data: JSON.stringify({ proof: proofOf(String(sent[0]?.['nonce'])), nonce: 'theirs' }) });
  return { sent, socket, welcome };
}

test.each([
  ['none', () => undefined],
  ['that of another key', (nonce: string) => hmac('00'.repeat(32), serverWords(nonce))],
  ['that of another nonce', () => hmac(GRANT.key, serverWords('n1'))],
  ['the words of the page', (nonce: string) => hmac(GRANT.key, pageWords(nonce))],
])('a server that has not the key gets no proof of it, nor anything else: %s', async (_what, proofOf) => {
  const { sent, welcome } = answeredWith(proofOf);
  await expect(welcome).rejects.toThrow();
  expect(sent).toEqual([{ key_id: GRANT.key_id, nonce: expect.stringMatching(/^[\da-f]{16,}$/) as string }]);
});

test('a server that has the key gets the proof of the page, and not the key', async () => {
  const { sent, socket, welcome } = answeredWith((nonce) => hmac(GRANT.key, serverWords(nonce)));
  expect(sent[1]).toEqual({ proof: hmac(GRANT.key, pageWords('theirs')) });
  socket.onmessage({ data: '{"ready":true}' });
  expect(await welcome).toEqual({ ready: true });
  expect(JSON.stringify(sent)).not.toContain(GRANT.key);
});
