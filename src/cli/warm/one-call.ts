/** One command line of a native client: handed over, run as its own process would run it, and ended with it. */
import type { Socket } from 'node:net';
import type { Caller } from '../../base/caller.js';
import { callersConfigPath, callersHostsFile } from '../../client/paths.js';
import { MAX_SETTINGS_BYTES, readSettingsFile, RefusedFile } from '../../base/settings-file.js';
import type { KeptConnections } from '../../client/kept-connections.js';
import { runFor } from '../callers.js';
import { type Files, readToEnd } from '../files.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { runCommandLine } from '../run-command-line.js';
import { refusesHost } from '../settings.js';
import { ClientGone, type WarmClient } from './client.js';
import { clientHost, directoryOf } from './client-host.js';
import { type Handed, readHanded } from './handed.js';
import { isLeftToNode, LeftToNode } from './left-to-node.js';

/** Of the host. */
export interface Own {
  readonly socketPath: string;
  readonly kept: KeptConnections;
  readonly bundles: LazyBundles;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As a client hands it over. */
  readonly files: string;
}

/** Bundles that need nothing of a process; what needs the others is left to Node. */
const SHARED: ReadonlySet<string> = new Set(['lines', 'file', 'root']);

/** Settles when it is over. */
export async function serveCall(client: WarmClient, content: Buffer, own: Own): Promise<void> {
  const connections = new Set<Pick<Socket, 'destroy'>>();
  const lent = own.kept.lend();
  // As the end of a process ends its connections.
  const end = (isGone = false): void => {
    const kept = lent.end(isGone);
    for (const connection of connections) if (!kept.has(connection)) connection.destroy();
    connections.clear();
  };
  client.onGone = () => end(true);
  try {
    const handed = readHanded(content);
    const caller = callerOf(client, handed, own, connections);
    const { letter, number } = await new Promise<Ended>((resolve, reject) => {
      const onSignal = (signal: number): void => resolve({ letter: 'k', number: signal });
      const host = clientHost(client, handed, lent, { onSignal, onEnd: end });
      runFor(caller, () => run(client, handed, host, own)).then(resolve, reject);
    });
    client.end(letter, Buffer.from([number]));
  } catch (error) {
    if (client.isGone || error instanceof ClientGone) return;
    if (error instanceof LeftToNode) return client.end('x');
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    client.tellAll('e', Buffer.from(`t4a: Internal error: ${text}\n`));
    client.end('s', Buffer.from([1]));
  } finally {
    end(client.isGone);
  }
}

interface Ended {
  readonly letter: 's' | 'k';
  readonly number: number;
}

async function run(client: WarmClient, handed: Handed, host: Host, own: Own): Promise<Ended> {
  const argv = handed.argv.slice(1);
  const isElsewhere = handed.files !== own.files;
  const where = { env: handed.env, cwd: handed.cwd, stdoutIsTerminal: host.stdoutIsTerminal, isElsewhere };
  if (isLeftToNode(argv, where, own.env)) throw new LeftToNode();
  if (isElsewhere) await readAhead(host.files, handed);
  if (refusesHost(host)) throw new LeftToNode();
  const number = await runCommandLine(argv, host, shared(own.bundles));
  if (client.isGone) throw new ClientGone();
  return { letter: 's', number };
}

function shared(bundles: LazyBundles): LazyBundles {
  return new Proxy(bundles, {
    get(target, name: keyof LazyBundles) {
      if (SHARED.has(name)) return target[name];
      return () => {
        throw new LeftToNode();
      };
    },
  });
}

/** Of a caller for whom files have other names: what is asked for without waiting. */
const ahead = new WeakMap<Handed, { readonly settings: string | Error; readonly hasHosts: boolean }>();

async function readAhead(files: Files, handed: Handed): Promise<void> {
  const settings = await settingsText(callersConfigPath(), files).catch((error: Error) => error);
  const hasHosts = (await files.stat(callersHostsFile()).catch(() => undefined)) !== undefined;
  ahead.set(handed, { settings, hasHosts });
}

/** As readSettingsFile does it. */
async function settingsText(path: string, files: Files): Promise<string> {
  const stat = await files.stat(path);
  if (stat === undefined) throw Object.assign(new Error('no file'), { code: 'ENOENT' });
  if (!stat.isFile()) throw new RefusedFile('is no regular file');
  if (stat.uid !== 0 && stat.uid !== files.uid)
    throw new RefusedFile(`belongs to another user (uid ${stat.uid})`, true);
  const file = await files.open(path, 0);
  try {
    return (await readToEnd(file, MAX_SETTINGS_BYTES)).toString('utf8');
  } catch (error) {
    throw error instanceof RangeError ? new RefusedFile(error.message) : error;
  } finally {
    await file.close();
  }
}

function callerOf(client: WarmClient, handed: Handed, own: Own, connections: Set<Pick<Socket, 'destroy'>>): Caller {
  const isElsewhere = handed.files !== own.files;
  return {
    env: handed.env,
    cwd: () => directoryOf(handed),
    ...(isElsewhere ? ofElsewhere(handed) : { readSettings: readOnce() }),
    socket(named) {
      if (client.isGone) throw new ClientGone();
      if (!isElsewhere) return named;
      if (named === undefined || named === handed.place) return own.socketPath;
      throw new LeftToNode();
    },
    opened(connection) {
      if (client.isGone) connection.destroy();
      else connections.add(connection as Socket);
    },
    starts() {
      throw new LeftToNode();
    },
  };
}

type Read = { readonly text: string } | { readonly error: unknown };

/** A command line asks for one file several times. */
function readOnce(): (path: string) => string {
  const all = new Map<string, Read>();
  return (path) => {
    const read = all.get(path) ?? settingsOf(path);
    all.set(path, read);
    if ('error' in read) throw read.error;
    return read.text;
  };
}

function settingsOf(path: string): Read {
  try {
    return { text: readSettingsFile(path) };
  } catch (error) {
    return { error };
  }
}

function ofElsewhere(handed: Handed): Pick<Required<Caller>, 'readSettings' | 'isThere'> {
  return {
    readSettings() {
      const settings = ahead.get(handed)?.settings;
      if (typeof settings === 'string') return settings;
      throw settings ?? new Error('nothing was read ahead');
    },
    isThere: () => ahead.get(handed)?.hasHosts === true,
  };
}
