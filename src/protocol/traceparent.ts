/**
 * The trace that a request belongs to, as W3C Trace Context (https://www.w3.org/TR/trace-context/) writes it. Its receivers
 * ignore what is malformed, so no request fails for its trace.
 */
const PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?=-|$)/;

/** Length of version 00, and of the part of every later version that is like it. */
const LENGTH = 55;

/** @returns undefined if it is malformed */
export function readTraceparent(value: unknown): string | undefined {
  if (typeof value !== 'string' || !PARENT.test(value)) return undefined;
  return value.length > LENGTH && value.startsWith('00') ? undefined : value.slice(0, LENGTH);
}
