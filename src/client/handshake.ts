/** Handling of a daemon with another version of the protocol. */
import { VERSION } from '../base/version.js';
import { T4aError } from '../protocol/errors.js';
import { PROTOCOL_VERSION } from '../protocol/limits.js';
import type { Reply } from '../protocol/registry.js';
import { unreachable } from './open-socket.js';

export type Pong = Reply<'ping'>;

/** @throws T4aError `daemon_unreachable` if it is not a daemon of t4a */
export function checkedPong(pong: Pong, socketPath: string): Pong {
  if (Number.isInteger(pong.protocol) && Number.isInteger(pong.pid)) return pong;
  throw unreachable(socketPath, `the answer is not from t4a (${JSON.stringify(pong).slice(0, 60)})`);
}

/** An older daemon without terminals: replacing it loses nothing. */
export function isReplaceable(pong: Pong): boolean {
  return pong.protocol < PROTOCOL_VERSION && pong.terminals === 0;
}

export function versionMismatch(pong: Pong): T4aError {
  const daemon = `The running daemon (t4a ${pong.version}, pid ${pong.pid}) speaks version ${pong.protocol} of the protocol`;
  const hint =
    pong.protocol < PROTOCOL_VERSION
      ? `${wayToNewer(pong)}; ${replaces(pong) ? 'commands work then.' : 'the next command starts the newer one.'}`
      : 'Use the newer t4a that started it, or set another T4A_SOCKET.';
  return new T4aError('version_mismatch', `${daemon}, this client version ${PROTOCOL_VERSION}.`, { hint });
}

/** Errors of a daemon of another version for unknown features, although the protocol is the same. */
const UNKNOWN: readonly string[] = ['unknown_cmd', 'unknown_field'];

/** The error, with a note on the versions if their difference may be the cause. */
export function withVersions(error: unknown, pong: Pong, isFar = false): unknown {
  const { version } = pong;
  if (!(error instanceof T4aError) || !UNKNOWN.includes(error.code) || version === VERSION) return error;
  const says = `The daemon is t4a ${version}, this is ${VERSION}`;
  const why = isFar ? `${says}.` : `${says}: ${wayToNewer(pong)}.`;
  const hint = error.details.hint === undefined ? why : `${error.details.hint} ${why}`;
  return new T4aError(error.code, error.message, { ...error.details, hint });
}

function replaces({ features = [] }: Pong): boolean {
  return features.includes('replace');
}

function wayToNewer(pong: Pong): string {
  return replaces(pong)
    ? `"t4a replace" puts this one in its place, and its terminals (${pong.terminals}) go on`
    : `"t4a shutdown" ends it and its terminals (${pong.terminals})`;
}
