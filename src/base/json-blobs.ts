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
    // As it is: a Buffer says that it is something else in JSON.
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
    return each;
  });
  return { json, blobs };
}

export function decodeWithBlobs({ json, blobs }: WithBlobs): unknown {
  const blob = (index: unknown): Uint8Array => {
    const found = blobs[Number(index)];
    if (found === undefined) throw new Error(`There is no blob ${String(index)} of ${blobs.length}.`);
    return found;
  };
  return JSON.parse(json, (_key, each: unknown) => {
    if (typeof each !== 'object' || each === null) return each;
    const tagged = each as Readonly<Record<string, unknown>>;
    if (UNDEFINED in tagged) return undefined;
    if (SET in tagged) return new Set(tagged[SET] as unknown[]);
    if (MAP in tagged) return new Map(tagged[MAP] as [unknown, unknown][]);
    if (BYTES in tagged) return blob(tagged[BYTES]);
    // A copy: words begin at a multiple of four.
    if (WORDS in tagged) return new Uint32Array(Uint8Array.from(blob(tagged[WORDS])).buffer);
    return each;
  });
}
