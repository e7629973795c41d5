/** The fixed bounds of the wire. What an owner may change at run time is in commands/config.ts. */

/** A request line, newline included. Room for 1 MiB of input as base64 or \u-escaped JSON (6x), and then some. */
export const MAX_LINE_BYTES = 10 * 1024 * 1024;

/**
 * Values in one request: fields, elements, lists and objects. One that is wrong takes 4 µs and 500 bytes to be refused, so
 * that a line full of them would hold the daemon for 20 s and fill its memory. No program takes as many arguments.
 */
export const MAX_REQUEST_VALUES = 65_536;

/**
 * Fields of all objects in one request, variables of an environment among them. Objects of many names cost ten times as much as
 * lists: 60,000 unknown fields took 200 ms and more to be refused.
 */
export const MAX_REQUEST_FIELDS = 4096;

/**
 * Most fields of the request itself, beside those of objects in it: several times as many as any command has. 4,096 unknown ones
 * took 4 ms.
 */
export const MAX_COMMAND_FIELDS = 256;

/**
 * Bound of the name of a field or a variable, as the line has it: a longer one would be kept and compared whole before it is
 * refused.
 */
export const MAX_FIELD_NAME_BYTES = 256;

/** Levels of lists and objects in a request: ten times as many as any command takes. */
export const MAX_REQUEST_DEPTH = 64;

/** Input of one `send`: far above any paste by hand, far below what could fill the daemon's memory by accident. */
export const MAX_INPUT_BYTES = 1024 * 1024;

/** Last bytes of output that each terminal keeps; they are allocated as they come. */
/** Lines of output in the reply of `run`, at most. */
export const MAX_RUN_LINES = 100_000;

export const OUTPUT_RING_BYTES = 1024 * 1024;

/** Requests of one connection that have not been answered yet. */
export const MAX_REQUESTS_IN_FLIGHT = 256;

/** Names of moments: of a terminal, of a recording that is opened or played. */
export const MAX_MARKERS = 10_000;

/** Longer ones in a recording are cut; a moment of the wire is shorter. */
export const MAX_MARKER_LENGTH = 1024;

/** Grid bounds: a 1000x1000 grid is 16 MB as a snapshot, and no reader needs a larger one. */
/** The emulator needs two columns, for a wide character. */
export const MIN_COLS = 2;
export const MAX_COLS = 1000;
export const MAX_ROWS = 1000;

export const MAX_SCROLLBACK_LINES = 1_000_000;

/** Header lines of replies with raw bytes are padded to a multiple of this (see framing.ts). */
export const HEADER_ALIGNMENT_BYTES = 4096;

export const MAX_NAME_LENGTH = 64;
export const MAX_SCOPE_LENGTH = 64;
/** A terminal's name with its host, "host/name", has at most 256 characters. */
export const MAX_HOST_LENGTH = 256 - 1 - MAX_NAME_LENGTH;
export const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000;

export const PROTOCOL_VERSION = 1;

/** Terminals that one `kill` names. */
export const MAX_KILLED = 1000;

/** Longest time between the signals of `kill`. */
export const MAX_GRACE_MS = 60_000;

/** Bounds of a report of status: characters, and for its texts bytes of UTF-8, too. */
export const STATUS_LIMITS = { path: 128, app: 32, title: 192, msg: 2048 } as const;
