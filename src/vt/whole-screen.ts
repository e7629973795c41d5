/**
 * A whole screen as plain values: both screens with the scrollback, the numbers and revisions of its lines, what is unfinished and what
 * waits to be parsed. One that is thawed from it goes on as this one would have.
 */
import { decodeWithBlobs, encodeWithBlobs, type WithBlobs } from '../base/json-blobs.js';
import { packLine, type PackedLine, unpackLines, wordsOf } from './rows/frozen-lines.js';
import type { FrozenWrittenRows } from './rows/written-rows.js';
import type { FrozenRevisionsOfBoth, FrozenState } from './screen-state.js';

export interface WholeScreen {
  readonly cols: number;
  readonly rows: number;
  /** Lines kept above the viewport. */
  readonly scrollback: number;
  readonly state: FrozenState;
  /** Lasting number of the oldest line. */
  readonly firstLine: number;
  /** Number of oldest lines that the state lacks, since the other side has these lines. */
  readonly ahead?: number;
  readonly firstAlternateLine: number;
  readonly revisions: FrozenRevisionsOfBoth;
  /** Rows above the last mark of a shell that are watched, if any. */
  readonly watched?: FrozenWrittenRows;
  /** Bytes that bring a parser to where this one is, within a sequence or a character. */
  readonly unfinished: Uint8Array;
  /** Output and changes of size that wait, in their order. */
  readonly waiting: readonly (Uint8Array | { readonly cols: number; readonly rows: number })[];
  readonly parsedBytes: number;
  readonly resizes: number;
}

/** Lines of the normal screen that the other side has. */
export interface AheadOfWhole {
  /** Count of the oldest lines. */
  readonly count: number;
  /** Numbers of links in these lines. */
  readonly links: ReadonlySet<number>;
}

/** Version of the format below. A reader knows its own and the one before. */
const VERSION = 1;

interface Packed extends Omit<WholeScreen, 'state'> {
  readonly version: number;
  /** State whose buffers have no lines. */
  readonly state: FrozenState;
  readonly normal: readonly PackedLine[];
  readonly alt: readonly PackedLine[];
  readonly words: Uint32Array;
}

/** JSON, and the cells as bytes beside it. */
export function encodeWhole({ state, ...whole }: WholeScreen): WithBlobs {
  const { normal, alt } = state.emulator;
  const packed: Packed = {
    version: VERSION,
    ...whole,
    state: withLines(state, [], []),
    normal: normal.lines.map(packLine),
    alt: alt.lines.map(packLine),
    words: wordsOf([...normal.lines, ...alt.lines]),
  };
  return encodeWithBlobs(packed);
}

/**
 * @param before gives the lines that came ahead
 * @throws Error if it is of another version, or lines are missing
 */
export function decodeWhole(encoded: WithBlobs, before?: LinesAbove): WholeScreen {
  const { version, normal, alt, words, state, ...whole } = decodeWithBlobs(encoded) as Packed;
  if (version !== VERSION) throw new Error(`A screen of version ${version} is no screen of version ${VERSION}.`);
  const lines = unpackLines(normal, words);
  const others = unpackLines(alt, words.subarray(lines.taken));
  const { ahead = 0, ...rest } = whole;
  const all = ahead === 0 ? lines.lines : [...(before?.(whole.firstLine, ahead) ?? []), ...lines.lines];
  if (all.length !== ahead + lines.lines.length) throw new Error(`Lines from ${whole.firstLine} on are missing.`);
  return { ...rest, state: withLines(state, all, others.lines) };
}

/** @param first lasting number of the oldest line */
export type LinesAbove = (first: number, count: number) => Lines;

type Lines = FrozenState['emulator']['normal']['lines'];

function withLines(state: FrozenState, normal: Lines, alt: Lines): FrozenState {
  const { emulator } = state;
  const buffers = { normal: { ...emulator.normal, lines: normal }, alt: { ...emulator.alt, lines: alt } };
  return { ...state, emulator: { ...emulator, ...buffers } };
}
