/** The default place of the daemon, if no setting names its socket. */
import { daemonPath } from '../../client/find-daemon.js';
import { callersPlaces } from '../../client/paths.js';
import { makeOwnDirectory } from '../../client/socket-places.js';
import { isT4aError } from '../../protocol/errors.js';
import { whyElsewhere } from '../elsewhere.js';
import { failed, passed, type Finding } from './finding.js';

export interface SocketReport {
  /** Undefined where there is none for it. */
  readonly socketPath: string | undefined;
  /** Nothing if it is the expected path. */
  readonly findings: readonly Finding[];
}

export async function examinePlace(): Promise<SocketReport> {
  try {
    const socketPath = await daemonPath();
    makeOwnDirectory(socketPath, callersPlaces());
    const why = whyElsewhere(socketPath);
    return { socketPath, findings: why === undefined ? [] : [passed('place', why)] };
  } catch (error) {
    if (!isT4aError(error)) throw error;
    const finding = failed('place', error.message, error.details.hint ?? 'Name a path with --socket or T4A_SOCKET.');
    return { socketPath: undefined, findings: [finding] };
  }
}
