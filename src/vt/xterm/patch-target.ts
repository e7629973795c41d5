/** The emulator, as far as the patches of the library's handlers use it. */
import type { IFunctionIdentifier } from '@xterm/headless';
import type { Internals, RawBuffer } from './internals.js';

/** Numeric parameters of a sequence; an inner list holds subparameters. */
export type SequenceParams = (number | number[])[];

export interface PatchTarget {
  readonly terminal: { readonly cols: number; readonly rows: number };
  readonly internals: Internals;
  /** The buffer that is shown: the normal one or the alternate one. */
  readonly buffer: RawBuffer;
  /** Handlers return true when no other handler needs the sequence; the one registered last is asked first. */
  onCsi(identifier: IFunctionIdentifier, handler: (params: SequenceParams) => boolean): void;
}
