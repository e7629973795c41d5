/** Messages of vtr.proto, as far as they are read and made: names as in the file. */

export interface Session {
  readonly name: string;
  readonly status: 'SESSION_STATUS_RUNNING' | 'SESSION_STATUS_EXITED';
  readonly cols: number;
  readonly rows: number;
  readonly exit_code?: number;
  readonly created_at: Timestamp;
  readonly exited_at?: Timestamp;
}

export interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

export type Duration = Timestamp;

export interface ScreenCell {
  readonly char: string;
  readonly fg_color: number;
  readonly bg_color: number;
  readonly attributes: number;
}

export interface ScreenMessage {
  readonly name: string;
  readonly cols: number;
  readonly rows: number;
  readonly cursor_x: number;
  readonly cursor_y: number;
  readonly screen_rows: readonly { readonly cells: readonly ScreenCell[] }[];
}

export interface SubscribeEvent {
  readonly screen_update?: { readonly screen: ScreenMessage };
  readonly raw_output?: Uint8Array;
  readonly session_exited?: { readonly exit_code: number };
}

/** The fields of all requests; proto3 fills absent ones with 0, "" and false, and leaves messages null. */
export interface Request {
  readonly name: string;
  readonly command: string;
  readonly working_dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
  readonly signal: string;
  readonly text: string;
  readonly key: string;
  readonly data: Uint8Array;
  readonly pattern: string;
  readonly context_before: number;
  readonly context_after: number;
  readonly max_matches: number;
  readonly timeout: Duration | null;
  readonly idle_duration: Duration | null;
  readonly include_screen_updates: boolean;
  readonly include_raw_output: boolean;
}

export function timestamp(ms: number): Timestamp {
  const seconds = Math.floor(ms / 1000);
  return { seconds, nanos: Math.round((ms - seconds * 1000) * 1e6) };
}

/** @returns undefined for an absent one */
export function millisecondsOf(duration: Duration | null): number | undefined {
  return duration === null ? undefined : duration.seconds * 1000 + Math.ceil(duration.nanos / 1e6);
}
