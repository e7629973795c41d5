/** `t4a crew`: the crew of a project in the terminal of a person, one member at a time. */
import { type SeatedApp, sitAt, ownTerminalOf, type Within } from '../sitting.js';
import { openConnection, type ConnectOptions } from '../../client/open-connection.js';
import { Shell } from './shell.js';
import type { CrewSettings } from '../../crew/settings.js';
import type { ShellCrew } from './shell-crew.js';
import { shellSettings } from './shell-settings.js';

export interface BoardOptions {
  readonly daemon: ConnectOptions;
  readonly crew: ShellCrew;
  readonly settings: CrewSettings;
  /** Control of terminals is never taken. */
  readonly shares: boolean;
  /** The crew ends with the shell, however that ends. */
  readonly endsCrew: boolean;
  readonly within: Within | undefined;
}

export interface BoardEnd {
  readonly status: number;
  /** Note for the person; empty for nothing. */
  readonly note: string;
}

/** Resolves once the person's terminal is as it was. @throws T4aError */
export async function board({ daemon, crew, settings, shares, endsCrew, within }: BoardOptions): Promise<BoardEnd> {
  let { connection } = await openConnection({ ...daemon, autoStart: false, isLasting: true });
  const { socketPath } = connection;
  const ownTerminal = ownTerminalOf(within, connection);
  try {
    return await sitAt<BoardEnd>(({ tty, end, fail }): SeatedApp => {
      return new Shell({
        connection,
        tty,
        crew,
        settings: shellSettings(settings),
        shares,
        endsCrew,
        reconnect: async () => {
          const options = { ...daemon, socketPath, autoStart: false, isLasting: true, timeoutMs: RECONNECT_MS };
          ({ connection } = await openConnection(options));
          return connection;
        },
        ownTerminal,
        onEnd: (status, note) => end({ status, note }),
        onError: fail,
      });
    });
  } finally {
    void connection.close();
  }
}

/** Longest wait for one attempt: further ones follow. */
const RECONNECT_MS = 2000;
