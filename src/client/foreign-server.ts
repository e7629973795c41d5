/** Kind of a server that listens on a socket in place of a daemon, by what it sends first. */

/** A server of HTTP/2 begins with SETTINGS (RFC 9113, 3.4): a frame of type 4 on stream 0, of up to 21 settings here. */
const SETTINGS = /^\0\0[\0-\x7e]\x04\0\0\0\0\0/; // oxlint-disable-line no-control-regex -- of the frame

/** The rest of a sentence that names the socket: a coordinator of vtr has such a one. */
const SPEAKS_GRPC = "speaks gRPC, not t4a's wire, as a coordinator of vtr does";

/** @param start what came in place of a reply */
export function grpcWords(start: string): string | undefined {
  return SETTINGS.test(start) ? SPEAKS_GRPC : undefined;
}

export function whyForeign(start: string): string {
  const words = grpcWords(start);
  return words === undefined ? `the answer is not from t4a (${JSON.stringify(start)})` : `what listens there ${words}`;
}
