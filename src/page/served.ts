/**
 * Requests of a page that `t4a web` answers itself, beside those of the protocol: they name recordings by numbers of the
 * server's own, never by paths. Types for both sides.
 */

export interface ListedRecording {
  /** Names it in {@link ServedRequests.web_open}. */
  readonly recording: string;
  /** Of its file, without the folder. */
  readonly name: string;
  readonly title: string | null;
  readonly terminal: string | null;
  readonly started_at: number | null;
  readonly size: number;
  readonly live: boolean;
}

export interface OpenedRecording {
  /** A terminal that is not alive. It is closed by `web_close`, or with the connection. */
  readonly id: string;
  readonly duration_ms: number;
  /** False: the file was cut off, and what was whole is shown. */
  readonly complete: boolean;
}

/** By command: fields and reply. */
export interface ServedRequests {
  readonly web_recordings: {
    readonly fields: object;
    readonly reply: { readonly recordings: readonly ListedRecording[] };
  };
  readonly web_open: { readonly fields: { readonly recording: string }; readonly reply: OpenedRecording };
  readonly web_close: { readonly fields: { readonly id: string }; readonly reply: object };
  /** Parts of a file in their order, in base64: the first has `size` and `name`, the answer to the last is that of `web_open`. */
  readonly web_upload: {
    readonly fields: { readonly part: string; readonly name?: string; readonly size?: number };
    readonly reply: Partial<OpenedRecording>;
  };
  /** The bytes of a GIF follow. */
  readonly web_film: { readonly fields: { readonly id: string }; readonly reply: { readonly len: number } };
}

/** Of a file that is dropped on the page. */
export const MAX_UPLOAD_BYTES = 16 * 1024 * 1024;
/** A message of a page has 64 KB, and base64 takes a third more. */
export const UPLOAD_PART_BYTES = 45_000;
