/**
 * A keyframe as bytes, in memory only: the words of all lines, and before them all else. Words are copied only where they are not
 * one block: those of a large screen take longer to copy than to find.
 */
import { deserialize, serialize } from 'node:v8';
import { packLine, type PackedLine, unpackLines, wordsOf } from '../vt/rows/frozen-lines.js';
import type { Keyframe } from '../vt/readable-screen.js';

type FrozenBuffer = Keyframe['state']['emulator']['normal'];

interface KeyframeHead {
  /** Keyframe whose buffers have no lines. */
  readonly keyframe: Keyframe;
  readonly normal: readonly PackedLine[];
  readonly alt: readonly PackedLine[];
}

/** Parts that are the bytes of a keyframe, one behind the other. */
export type KeyframeParts = readonly [head: Uint8Array, words: Uint8Array];

export function keyframeParts(keyframe: Keyframe): KeyframeParts {
  const { normal, alt } = keyframe.state.emulator;
  const head: KeyframeHead = {
    keyframe: withLines(keyframe, [], []),
    normal: normal.lines.map(packLine),
    alt: alt.lines.map(packLine),
  };
  const words = wordsOf([...normal.lines, ...alt.lines]);
  return [headBytes(head), new Uint8Array(words.buffer)];
}

/** Bytes of a head. The length is first; as a whole it takes full words. */
function headBytes(head: KeyframeHead): Uint8Array {
  const bytes = serialize(head);
  const framed = new Uint8Array(roundedUp(LENGTH_BYTES + bytes.length));
  new DataView(framed.buffer).setUint32(0, bytes.length);
  framed.set(bytes, LENGTH_BYTES);
  return framed;
}

const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;
const LENGTH_BYTES = 4;

function roundedUp(bytes: number): number {
  return Math.ceil(bytes / WORD_BYTES) * WORD_BYTES;
}

/** @param bytes the parts, one behind the other */
export function keyframeOf(bytes: Uint8Array): Keyframe {
  const headLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const headEnd = roundedUp(LENGTH_BYTES + headLength);
  return keyframeOfParts([bytes.subarray(0, headEnd), bytes.subarray(headEnd)]);
}

/** Keyframe of its parts. Lines are views of the words. */
export function keyframeOfParts([head, wordBytes]: KeyframeParts): Keyframe {
  const headLength = new DataView(head.buffer, head.byteOffset).getUint32(0);
  const packed = deserialize(head.subarray(LENGTH_BYTES, LENGTH_BYTES + headLength)) as KeyframeHead;
  const aligned = wordBytes.byteOffset % WORD_BYTES === 0 ? wordBytes : wordBytes.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / WORD_BYTES);
  const lines = unpackLines(packed.normal, words);
  const others = unpackLines(packed.alt, words.subarray(lines.taken));
  return withLines(packed.keyframe, lines.lines, others.lines);
}

function withLines(keyframe: Keyframe, normal: FrozenBuffer['lines'], alt: FrozenBuffer['lines']): Keyframe {
  const { emulator } = keyframe.state;
  const buffers = { normal: { ...emulator.normal, lines: normal }, alt: { ...emulator.alt, lines: alt } };
  return { ...keyframe, state: { ...keyframe.state, emulator: { ...emulator, ...buffers } } };
}
