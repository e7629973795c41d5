/** `t4a attach`: a terminal of the daemon in the terminal of a person, who sees it and types. */
import type { DaemonConnection } from '../../client/connection.js';
import { openConnection } from '../../client/open-connection.js';
import { quote, T4aError } from '../../protocol/errors.js';
import type { Arrival, Hosts, Place } from './creation.js';
import { Clipboard, type Consent } from '../clipboard.js';
import { Session, type SessionOptions } from './session.js';
import { sitAt, ownTerminalOf } from '../sitting.js';

export interface AttachOptions extends Place, Pick<SessionOptions, 'isReadOnly' | 'shares' | 'fits'> {
  readonly id: string;
  /** Host of the terminal, if it is another than this machine, or there are others. */
  readonly host: string | undefined;
  /** Undefined where there is only this machine. */
  readonly hosts: Hosts | undefined;
}

export interface AttachEnd {
  readonly status: number;
  /** Note for the person; empty for nothing. */
  readonly note: string;
}

/** Resolves once the person's terminal is as it was. @throws T4aError */
export async function attach(options: AttachOptions): Promise<AttachEnd> {
  // Never another daemon: one that was started anew may have a terminal of the same name.
  const { connection } = await openConnection({ ...options.daemon, autoStart: false, isLasting: true });
  const consent: Consent = { isGiven: undefined };
  let next: Visited = { connection, options, consent, says: '' };
  for (;;) {
    const end = await visit(next);
    if (!('place' in end)) return end;
    const { host, place, id } = end;
    const hosts = options.hosts === undefined ? undefined : { ...options.hosts, current: host };
    const there = { ...options, ...place, hosts, host, id };
    next = { connection: end.connection, options: there, consent, says: `${id} is a terminal of ${host}.` };
  }
}

interface Visited {
  readonly connection: DaemonConnection;
  readonly options: AttachOptions;
  readonly consent: Consent;
  /** To the person, at the beginning. */
  readonly says: string;
}

async function visit({ connection, options, consent, says }: Visited): Promise<AttachEnd | Arrival> {
  try {
    const { id } = await connection.call('status', { id: options.id });
    const ownTerminal = ownTerminalOf(options.within, connection);
    if (id === ownTerminal) throw loop(id);
    return await sit(connection, id, { ...options, consent, ownTerminal }, says);
  } finally {
    void connection.close();
  }
}

async function sit(
  connection: DaemonConnection,
  id: string,
  options: Pick<SessionOptions, 'isReadOnly' | 'shares' | 'fits' | 'newTerminal' | 'host' | 'hosts' | 'ownTerminal'> &
    Pick<Place, 'daemon'> & { readonly consent: Consent },
  says: string,
): Promise<AttachEnd | Arrival> {
  const leaving = new AbortController();
  const { signal } = leaving;
  try {
    return await sitAt<AttachEnd | Arrival>(({ tty, end, fail }) => {
      const session = new Session(id, {
        ...options,
        connection,
        tty,
        clipboard: new Clipboard(options.consent, (sequence) => void tty.write(sequence)),
        move: end,
        onEnd: (note) => end({ status: 0, note }),
        onError: fail,
      });
      return {
        keys: (bytes) => session.keys(bytes),
        redraw: () => session.redraw(),
        left: (status) => end({ status, note: '' }),
        dispose: () => session.dispose(),
        start() {
          session.start();
          // What it cannot count it does not show: the end of the daemon is seen by the session itself.
          void session.people.followAll(signal, options.daemon.route).catch(() => {});
          if (says !== '') session.say(says);
        },
      };
    });
  } finally {
    leaving.abort();
  }
}

function loop(id: string): T4aError {
  return new T4aError('usage', `${quote(id)} is the terminal that this runs in: it would show itself.`, {
    hint: 'Name another: t4a list',
  });
}
