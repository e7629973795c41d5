/** `t4a web`: the arguments of the page's server. */
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { homeDirectory } from '../../base/home-directory.js';
import { T4aError } from '../../protocol/errors.js';
import { askerOf } from '../asker.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { targetOf } from '../target.js';
import type { LocalCommand } from './local-command.js';
import { ownFolder } from './own-folder.js';
import { userName } from './user-name.js';

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
  readonly link?: boolean;
  readonly remember?: boolean;
  readonly browsers?: boolean;
  readonly forget?: string;
  readonly terminal?: string;
}

export const web: LocalCommand = async (invocation, host, bundles) => {
  const { options } = invocation;
  const flags = options as WebFlags;
  const folder = (): string => join(ownFolder(host), 'web');
  if (flags.revoke === true) return revoke(options, folder(), host, bundles);
  if (flags.link === true) return link(flags, folder(), host, bundles);
  if (flags.browsers === true) return listBrowsers(options, host, bundles);
  if (flags.forget !== undefined) return forget(options, flags.forget, host, bundles);
  if (flags.terminal !== undefined) {
    throw new T4aError('usage', `"web" serves all terminals: ${JSON.stringify(flags.terminal)} is too much.`, {
      hint: `For a link to one terminal of a page that is served: t4a web --link --read-only ${flags.terminal}`,
    });
  }
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
    person: askerOf(options, host).as ?? userName(host.env),
    folder,
    root: pathToFileURL(`${bundles.root()}/`),
    browsers: flags.remember === true ? browsersFile(host) : undefined,
    drawsCode: host.stdoutIsTerminal,
    out: (text) => host.out(text),
    note: (text) => host.note(text),
    onEnter: host.stdinIsTerminal && host.stdoutIsTerminal ? (callback) => onEnter(host, callback) : undefined,
  });
  return 0;
};

/** Revokes keys of all pages of this user: a key that got away may be of any of them. */
async function revoke(options: object, folder: string, host: Host, bundles: LazyBundles): Promise<number> {
  alone('revoke', 'ends keys of pages that are served', options);
  const { forgetBrowsers, revokeAll, stillValid } = await bundles.web();
  // Order: a server remembers nothing once it has heard of it.
  const { revoked, later, failure, none } = await revokeAll(folder);
  const file = browsersFile(host);
  const left = stillValid(file, () => forgetBrowsers(file));
  const isEmpty = typeof left === 'number';
  const forgotten = revoked.reduce((sum, one) => sum + (one.forgotten ?? 0), isEmpty ? left : 0);
  if (forgotten > 0) host.out(`Remembered browsers forgotten: ${forgotten}\n`);
  for (const { origin, keys, sockets } of revoked) {
    host.out(`${origin}: keys ended: ${keys}, open sockets closed: ${sockets}\n`);
  }
  for (const path of later) {
    host.note(
      `t4a: The "t4a web" of ${JSON.stringify(path)} has not answered: its keys end before it does anything more.\n`,
    );
  }
  // What has ended is told, too.
  if (!isEmpty && failure !== undefined) host.note(`t4a: ${failure.message}\n`);
  if (!isEmpty) throw left;
  if (failure !== undefined) throw failure;
  if (none !== undefined && forgotten === 0) throw none;
  return 0;
}

/** A line each: name, address, day on which it is forgotten. */
async function listBrowsers(options: object, host: Host, bundles: LazyBundles): Promise<number> {
  alone('browsers', 'lists the browsers that are remembered', options);
  const { readBrowsers } = await bundles.web();
  for (const { name, address, until } of readBrowsers(browsersFile(host))) {
    host.out(`${name}\t${address}\tuntil ${new Date(until).toISOString().slice(0, 10)}\n`);
  }
  return 0;
}

async function forget(options: object, name: string, host: Host, bundles: LazyBundles): Promise<number> {
  alone('forget', 'ends the key of a browser that is remembered', options);
  const { forgetBrowser, stillValid } = await bundles.web();
  const file = browsersFile(host);
  const alike = stillValid(file, () => forgetBrowser(file, name));
  if (alike === undefined) {
    throw new T4aError('usage', `No browser ${JSON.stringify(name)} is remembered.`, { hint: 't4a web --browsers' });
  }
  if (alike instanceof T4aError) throw alike;
  if (alike.length > 0) {
    host.note(`t4a: Browsers remembered still: ${alike.map((other) => JSON.stringify(other)).join(', ')}.\n`);
  }
  return 0;
}

function browsersFile({ env }: Host): string {
  const state = env['XDG_STATE_HOME'];
  const folder = state !== undefined && isAbsolute(state) ? state : join(homeDirectory(env), '.local', 'state');
  return join(folder, 't4a', 'browsers.json');
}

/** @throws T4aError `usage` if there is another flag of this command */
function alone(flag: string, does: string, options: object): void {
  const other = [...SERVING, ...OWNERS, 'terminal'].find((name) => name !== flag && Object.hasOwn(options, name));
  if (other === undefined) return;
  const said = other === 'terminal' ? 'no terminal' : `no "${flagOf(other)}"`;
  throw new T4aError('usage', `"--${flag}" ${does}, and takes ${said}.`);
}

const OWNERS: readonly string[] = ['revoke', 'link', 'browsers', 'forget'];

/** Links of all pages of this user that have what is to be seen. */
async function link(flags: WebFlags, folder: string, host: Host, bundles: LazyBundles): Promise<number> {
  const other = [...SERVING, ...OWNERS.filter((name) => name !== 'link')].find(
    (name) => Object.hasOwn(flags, name) && !LINKED.includes(name),
  );
  if (other !== undefined) {
    throw new T4aError('usage', `"--link" is of a page that is served, and takes no "${flagOf(other)}".`);
  }
  const { terminal, on, read_only: isReadOnly = false } = flags;
  if (terminal !== undefined && !isReadOnly) {
    throw new T4aError('usage', 'A link to one terminal is to look at it.', {
      hint: `t4a web --link --read-only ${terminal}`,
    });
  }
  if (terminal === undefined && on !== undefined) {
    throw new T4aError('usage', 'With "--link", "--on" names the host of a terminal, and there is none.');
  }
  const { linkAll, linkText } = await bundles.web();
  const daemon = on === undefined ? {} : { daemon: on };
  const links = await linkAll(folder, { isReadOnly, ...(terminal === undefined ? {} : { terminal }), ...daemon });
  for (const text of links) host.out(linkText(text, host.stdoutIsTerminal));
  return 0;
}

const LINKED: readonly string[] = ['on', 'read_only'];

function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
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
  'remember',
];

function onEnter(host: Host, callback: () => void): void {
  void (async () => {
    for await (const _line of host.stdin()) callback();
  })();
}
