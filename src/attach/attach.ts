/** `t4a attach`: a terminal of the daemon in the terminal of a person, who sees it and types. */
import { realpathSync } from 'node:fs';
import type { DaemonConnection } from '../client/connection.js';
import { openConnection, type ConnectOptions } from '../client/open-connection.js';
import { quote, T4aError } from '../protocol/errors.js';
import { OuterTty } from './outer-tty.js';
import { Session, type SessionOptions } from './session.js';

export interface AttachOptions extends Pick<SessionOptions, 'isReadOnly' | 'shares' | 'fits' | 'newTerminal'> {
  readonly daemon: ConnectOptions;
  readonly id: string;
  /** The terminal that this runs in, if the daemon of t4a made it. */
  readonly within: { readonly terminal: string; readonly socketPath: string | undefined } | undefined;
}

export interface AttachEnd {
  readonly status: number;
  /** For the person; empty for nothing. */
  readonly note: string;
}

/** Resolves once the person's terminal is as it was. @throws T4aError */
export async function attach(options: AttachOptions): Promise<AttachEnd> {
  // Never another daemon: one that was started anew may have a terminal of the same name.
  const { connection } = await openConnection({ ...options.daemon, autoStart: false });
  try {
    const { id } = await connection.call('status', { id: options.id });
    const ownTerminal = isSameSocket(options.within?.socketPath, connection) ? options.within?.terminal : undefined;
    if (id === ownTerminal) throw loop(id);
    return await sit(connection, id, { ...options, ownTerminal });
  } finally {
    void connection.close();
  }
}

async function sit(
  connection: DaemonConnection,
  id: string,
  options: Pick<SessionOptions, 'isReadOnly' | 'shares' | 'fits' | 'newTerminal' | 'ownTerminal'>,
): Promise<AttachEnd> {
  let session: Session | undefined;
  let tty: OuterTty | undefined;
  try {
    return await new Promise<AttachEnd>((resolve, reject) => {
      tty = new OuterTty({
        onInput: (bytes) => session?.keys(bytes),
        onRedraw: () => session?.redraw(),
        onEnd: (status) => resolve({ status, note: '' }),
        onCrash: reject,
      });
      session = new Session(id, {
        ...options,
        connection,
        tty,
        onEnd: (note) => resolve({ status: 0, note }),
        onError: reject,
      });
      tty.enter();
      session.start();
    });
  } finally {
    // Answers still come through the session's keyboard.
    await tty?.leave();
    await session?.dispose();
  }
}

function isSameSocket(path: string | undefined, { socketPath }: DaemonConnection): boolean {
  return path === undefined || realPath(path) === realPath(socketPath);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function loop(id: string): T4aError {
  return new T4aError('usage', `${quote(id)} is the terminal that this runs in: it would show itself.`, {
    hint: 'Name another: t4a list',
  });
}
