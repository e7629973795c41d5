/** What was asked of a daemon under a trust that is over: it has begun, or it never will, once the daemon has answered. */
import { connect } from '../client/client.js';
import type { ConnectOptions } from '../client/open-connection.js';
import { isT4aError, quote, T4aError } from '../protocol/errors.js';

/** @param name of the preset @throws T4aError `daemon_stopped`: a program may start once that daemon goes on */
export async function awaitBegun(name: string, options: ConnectOptions): Promise<void> {
  try {
    const client = await connect({ ...options, autoStart: false });
    await client.call('ping');
    await client.close();
  } catch (error) {
    // One that does not run starts nothing.
    if (!isT4aError(error) || error.code !== 'daemon_stopped') return;
    const message = `${quote(name)} is not trusted any more, but the daemon is stopped, and has not answered: what was asked of it before may start once it goes on.`;
    throw new T4aError('daemon_stopped', message, error.details);
  }
}
