/** What an export gives: the file, and facts of it. */
export interface Exported {
  readonly chunks: readonly Uint8Array[];
  readonly durationMs: number;
  /** Secrets. Absent: none are looked for. */
  readonly masked?: number;
  /** Of films. */
  readonly frames?: number;
  readonly width?: number;
  readonly height?: number;
}
