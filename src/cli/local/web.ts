/** `t4a web`: the arguments of the page's server. */
import { pathToFileURL } from 'node:url';
import { askerOf } from '../asker.js';
import type { Host } from '../host.js';
import { settingOf } from '../settings.js';
import type { LocalCommand } from './local-command.js';

interface WebFlags {
  readonly socket?: readonly string[];
  readonly listen?: string;
  readonly origin?: readonly string[];
  readonly read_only?: boolean;
  readonly allow_plain_http?: boolean;
}

export const web: LocalCommand = async (invocation, host, bundles) => {
  const { options } = invocation;
  const flags = options as WebFlags;
  const setting = flags.socket === undefined ? settingOf('socket', undefined, host).value : undefined;
  const { serveWeb } = await bundles.web();
  await serveWeb({
    sockets: flags.socket ?? [],
    daemon: { socketPath: setting as string | undefined },
    listen: flags.listen ?? '127.0.0.1:0',
    origins: flags.origin ?? [],
    isReadOnly: flags.read_only === true,
    allowsPlainHttp: flags.allow_plain_http === true,
    person: askerOf(options, host).as ?? nameOf(host),
    root: pathToFileURL(`${bundles.root()}/`),
    drawsCode: host.stdoutIsTerminal,
    out: (text) => host.out(text),
    note: (text) => host.note(text),
    onEnter: host.stdinIsTerminal && host.stdoutIsTerminal ? (callback) => onEnter(host, callback) : undefined,
  });
  return 0;
};

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
