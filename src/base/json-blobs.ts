/**
 * Values as JSON with blobs beside it: lists of bytes and words are blobs, maps and sets are lists, and what is undefined stays so. Only what this
 * product writes itself is read.
 */

export interface WithBlobs {
  readonly json: string;
  readonly blobs: readonly Uint8Array[];
}

const MAP = '$map';
const SET = '$set';
const BYTES = '$bytes';
const WORDS = '$words';
const UNDEFINED = '$undefined';

export function encodeWithBlobs(value: unknown): WithBlobs {
  const blobs: Uint8Array[] = [];
  const json = JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key: string): unknown {
    const each = this[key];
    if (each === undefined) return { [UNDEFINED]: true };
    if (each instanceof Map) return { [MAP]: [...each] };
    if (each instanceof Set) return { [SET]: [...each] };
    if (each instanceof Uint32Array) {
      blobs.push(new Uint8Array(each.buffer, each.byteOffset, each.byteLength));
      return { [WORDS]: blobs.length - 1 };
    }
    if (each instanceof Uint8Array) {
      blobs.push(each);
      return { [BYTES]: blobs.length - 1 };
    }
    return typeof each === 'object' && each !== null ? withoutBuffers(each) : each;
  });
  return { json, blobs };
}

/** `JSON.stringify` makes a Buffer a list of numbers before the function above sees it. */
function withoutBuffers(value: object): object {
  if (Array.isArray(value)) return value.some(isBuffer) ? value.map(viewOf) : value;
  if (!Object.values(value).some(isBuffer)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, viewOf(each)]));
}

function isBuffer(value: unknown): value is Buffer {
  return Buffer.isBuffer(value);
}

/** The same bytes, if it is a Buffer. */
function viewOf(value: unknown): unknown {
  return isBuffer(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : value;
}

export function decodeWithBlobs({ json, blobs }: WithBlobs): unknown {
  const blob = (index: unknown): Uint8Array => {
    const found = blobs[Number(index)];
    if (found === undefined) throw new Error(`There is no blob ${String(index)} of ${blobs.length}.`);
    return found;
  };
  return decoded(JSON.parse(json), blob);
}

type BlobAt = (index: unknown) => Uint8Array;

/** Changes the value in place: `JSON.parse` with a function takes thirty times as long for a list of ten thousand numbers. */
function decoded(value: unknown, blob: BlobAt): unknown {
  if (!isObject(value)) return value;
  const tagged = value as Record<string, unknown>;
  if (UNDEFINED in tagged) return undefined;
  if (BYTES in tagged) return blob(tagged[BYTES]);
  if (WORDS in tagged) return wordsOf(blob(tagged[WORDS]));
  if (SET in tagged) return new Set(decoded(tagged[SET], blob) as unknown[]);
  if (MAP in tagged) return new Map(decoded(tagged[MAP], blob) as [unknown, unknown][]);
  // Names of a list of numbers would be ten thousand strings.
  if (Array.isArray(value) && !value.some(isObject)) return value;
  for (const [key, each] of Object.entries(tagged)) {
    const other = decoded(each, blob);
    if (other === each) continue;
    if (other === undefined) delete tagged[key];
    else tagged[key] = other;
  }
  return value;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** A copy: words begin at a multiple of four. */
function wordsOf(blob: Uint8Array): Uint32Array {
  const bytes = new Uint8Array(blob.length);
  bytes.set(blob);
  return new Uint32Array(bytes.buffer);
}
