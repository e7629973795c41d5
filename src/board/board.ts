/** `t4a crew`: the crew of a project in the terminal of a person, one member at a time. */
import { realpathSync } from 'node:fs';
import { type Seat, sitAt } from '../attach/sitting.js';
import { openConnection, type ConnectOptions } from '../client/open-connection.js';
import { Shell } from './shell.js';
import type { ShellCrew } from './shell-crew.js';

export interface BoardOptions {
  readonly daemon: ConnectOptions;
  readonly crew: ShellCrew;
  /** The terminal that this runs in, if a daemon made it. */
  readonly within: { readonly terminal: string; readonly socketPath: string | undefined } | undefined;
}

export interface BoardEnd {
  readonly status: number;
  /** For the person; empty for nothing. */
  readonly note: string;
}

/** Resolves once the person's terminal is as it was. @throws T4aError */
export async function board({ daemon, crew, within }: BoardOptions): Promise<BoardEnd> {
  const { connection } = await openConnection({ ...daemon, autoStart: false });
  const isSame = within?.socketPath === undefined || realPath(within.socketPath) === realPath(connection.socketPath);
  try {
    return await sitAt<BoardEnd>(({ tty, end, fail }): Seat => {
      return new Shell({
        connection,
        tty,
        crew,
        ownTerminal: isSame ? within?.terminal : undefined,
        onEnd: (status, note) => end({ status, note }),
        onError: fail,
      });
    });
  } finally {
    void connection.close();
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
