/**
 * A keyframe as bytes, in memory only. The words of all lines are one array: each array of its own would take the serializer
 * longer than its words.
 */
import { deserialize, serialize } from 'node:v8';
import type { Keyframe } from '../vt/readable-screen.js';

type FrozenBuffer = Keyframe['state']['emulator']['normal'];
type FrozenLine = FrozenBuffer['lines'][number];

/** Number of its words; with the other parts of the line, unless it is a plain one. */
type PackedLine = number | readonly [length: number, others: Omit<FrozenLine, 'words'>];

interface PackedKeyframe {
  /** Its buffers have no lines. */
  readonly keyframe: Keyframe;
  readonly normal: readonly PackedLine[];
  readonly alt: readonly PackedLine[];
  /** Of all these lines, in their order. */
  readonly words: Uint32Array;
}

export function keyframeBytes(keyframe: Keyframe): Uint8Array {
  const { normal, alt } = keyframe.state.emulator;
  const words = wordsOf([...normal.lines, ...alt.lines]);
  const packed: PackedKeyframe = {
    keyframe: withLines(keyframe, [], []),
    normal: normal.lines.map(packedLine),
    alt: alt.lines.map(packedLine),
    words,
  };
  return serialize(packed);
}

function wordsOf(lines: readonly FrozenLine[]): Uint32Array {
  const count = lines.reduce((length, line) => length + line.words.length, 0);
  const [first] = lines;
  // Those of one screen are one block, unless the other one has lines, too.
  if (first !== undefined && first.words.buffer.byteLength === 4 * count) return new Uint32Array(first.words.buffer);
  const words = new Uint32Array(count);
  let at = 0;
  for (const line of lines) {
    words.set(line.words, at);
    at += line.words.length;
  }
  return words;
}

/** @param bytes as {@link keyframeBytes} returned them */
export function keyframeOf(bytes: Uint8Array): Keyframe {
  const { keyframe, normal, alt, words } = deserialize(bytes) as PackedKeyframe;
  let at = 0;
  const line = (packed: PackedLine): FrozenLine => {
    const [length, others] = typeof packed === 'number' ? [packed, PLAIN] : packed;
    at += length;
    return { ...others, words: words.subarray(at - length, at) };
  };
  const lines = normal.map(line);
  return withLines(keyframe, lines, alt.map(line));
}

const PLAIN: Omit<FrozenLine, 'words'> = { combined: [], extended: [], wrapped: false, size: 'single' };

function packedLine({ words, ...others }: FrozenLine): PackedLine {
  const { combined, extended, wrapped, size } = others;
  const isPlain = combined.length === 0 && extended.length === 0 && !wrapped && size === 'single';
  return isPlain ? words.length : [words.length, others];
}

function withLines(keyframe: Keyframe, normal: FrozenBuffer['lines'], alt: FrozenBuffer['lines']): Keyframe {
  const { emulator } = keyframe.state;
  const buffers = { normal: { ...emulator.normal, lines: normal }, alt: { ...emulator.alt, lines: alt } };
  return { ...keyframe, state: { ...keyframe.state, emulator: { ...emulator, ...buffers } } };
}
