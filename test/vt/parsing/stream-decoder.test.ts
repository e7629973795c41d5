import { expect, test } from 'vitest';
import { StreamDecoder } from '../../../src/vt/parsing/stream-decoder.js';

const PLAIN = 'plain text\r\n'.repeat(1000);

/** What the emulator is given, as text: it takes bytes of ASCII alone. */
function decoded(decoder: StreamDecoder, ...pieces: readonly (string | Uint8Array)[]): string {
  const given = decoder.decode(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
  return typeof given === 'string' ? given : Buffer.from(given).toString('latin1');
}

test('small pieces become one text', () => {
  expect(new StreamDecoder().decode([Buffer.from('ab'), Buffer.from('é'), Buffer.from('')])).toBe('abé');
  expect(new StreamDecoder().decode([])).toBe('');
});

test('long plain ASCII stays bytes, in one piece or several', () => {
  const decoder = new StreamDecoder();
  const piece = Buffer.from(PLAIN);
  expect(decoder.decode([piece])).toBe(piece);
  const halves = decoder.decode([piece.subarray(0, 5000), piece.subarray(5000)]);
  expect(halves).toBeInstanceOf(Uint8Array);
  expect(Buffer.from(halves).equals(piece)).toBe(true);
  expect(decoder.decode([piece, Buffer.from('é.')])).toBe(`${PLAIN}é.`);
  expect(decoder.decode([piece])).toBe(piece);
});

test('a split character is joined, or becomes U+FFFD if other text follows', () => {
  for (const character of ['é', 'À', '…', '中', '\u{1f600}', '\u{40000}']) {
    const bytes = Buffer.from(character);
    for (let cut = 1; cut < bytes.length; cut++) {
      const whole = new StreamDecoder();
      expect(decoded(whole, PLAIN, bytes.subarray(0, cut))).toBe(PLAIN);
      expect(decoded(whole, bytes.subarray(cut), PLAIN), `${character} cut at ${cut}`).toBe(character + PLAIN);
      const torn = new StreamDecoder();
      expect(decoded(torn, bytes.subarray(0, cut))).toBe('');
      expect(decoded(torn, PLAIN), `${character} torn at ${cut}`).toBe(`\ufffd${PLAIN}`);
      expect(decoded(torn, PLAIN)).toBe(PLAIN);
    }
  }
});

test('a byte order mark is text like any other', () => {
  expect(decoded(new StreamDecoder(), '\ufeffa\ufeff')).toBe('\ufeffa\ufeff');
});
