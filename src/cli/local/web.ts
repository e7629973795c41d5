/** `t4a web`: the arguments of the page's server. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { T4aError } from '../../protocol/errors.js';
import { askerOf } from '../asker.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { targetOf } from '../target.js';
import type { LocalCommand } from './local-command.js';
import { ownFolder } from './own-folder.js';

interface WebFlags {
  readonly on?: string;
  readonly socket?: readonly string[];
  readonly listen?: string;
  readonly origin?: readonly string[];
  readonly read_only?: boolean;
  readonly allow_raw?: boolean;
  readonly allow_rules?: boolean;
  readonly allow_plain_http?: boolean;
  readonly revoke?: boolean;
}

export const web: LocalCommand = async (invocation, host, bundles) => {
  const { options } = invocation;
  const flags = options as WebFlags;
  const folder = (): string => join(ownFolder(host), 'web');
  if (flags.revoke === true) return revoke(options, folder(), host, bundles);
  if (flags.on !== undefined && flags.socket !== undefined) {
    throw new T4aError('usage', '"--on" and "--socket" name two daemons.', {
      hint: 'Without both the page shows this machine and all hosts of "t4a hosts"',
    });
  }
  if (flags.read_only === true && flags.allow_raw === true) {
    throw new T4aError('usage', '"--allow-raw" is about input, and "--read-only" allows none.');
  }
  if (flags.read_only === true && flags.allow_rules === true) {
    throw new T4aError('usage', '"--allow-rules" changes rules, and "--read-only" changes nothing.');
  }
  const { daemon } = await targetOf({ ...invocation, options: { ...options, socket: undefined } }, host, bundles);
  const { serveWeb } = await bundles.web();
  await serveWeb({
    sockets: flags.socket ?? [],
    daemon: flags.socket === undefined ? daemon : {},
    isAlone: flags.on !== undefined,
    listen: flags.listen,
    origins: flags.origin ?? [],
    isReadOnly: flags.read_only === true,
    allowsRaw: flags.allow_raw === true,
    allowsRules: flags.allow_rules === true,
    allowsPlainHttp: flags.allow_plain_http === true,
    person: askerOf(options, host).as ?? nameOf(host),
    folder,
    root: pathToFileURL(`${bundles.root()}/`),
    drawsCode: host.stdoutIsTerminal,
    out: (text) => host.out(text),
    note: (text) => host.note(text),
    onEnter: host.stdinIsTerminal && host.stdoutIsTerminal ? (callback) => onEnter(host, callback) : undefined,
  });
  return 0;
};

/** Of all pages of this user: a key that got away may be of any of them. */
async function revoke(options: object, folder: string, host: Host, bundles: LazyBundles): Promise<number> {
  const other = Object.keys(options).find((name) => SERVING.includes(name));
  if (other !== undefined) {
    const flag = `--${other.replaceAll('_', '-')}`;
    throw new T4aError('usage', `"--revoke" ends keys of pages that are served, and takes no "${flag}".`, {
      hint: 't4a web --revoke',
    });
  }
  const { revokeAll } = await bundles.web();
  const { revoked, failure } = await revokeAll(folder);
  for (const { origin, keys, sockets } of revoked) {
    host.out(`${origin}: keys ended: ${keys}, open sockets closed: ${sockets}\n`);
  }
  if (failure !== undefined) throw failure;
  return 0;
}

const SERVING: readonly string[] = [
  'on',
  'socket',
  'listen',
  'origin',
  'read_only',
  'allow_raw',
  'allow_rules',
  'allow_plain_http',
];

/** A person has a name without giving one: that of the user. */
function nameOf({ env }: Host): string {
  const user = env['USER'] || env['LOGNAME'];
  return user !== undefined && /^[A-Za-z0-9_][\w.-]{0,63}$/.test(user) ? user : 'person';
}

function onEnter(host: Host, callback: () => void): void {
  void (async () => {
    for await (const _line of host.stdin()) callback();
  })();
}
