/** Result of an export: the file, and facts of it. */
export interface Exported {
  readonly chunks: readonly Uint8Array[];
  readonly durationMs: number;
  /** Secrets. Absent: none are looked for. */
  readonly masked?: number;
  /** Frames of a film. */
  readonly frames?: number;
  readonly width?: number;
  readonly height?: number;
}
