/** Meaning of a route's URL: a socket of this machine, or the command whose pipes carry the wire. */
import { T4aError, quote } from '../protocol/errors.js';

export interface SocketCarrier {
  readonly kind: 'socket';
  readonly path: string;
  /** Folder of a pattern, below which no link is followed. */
  readonly below?: string;
  /** Paths of the other listed sockets, to which it must not lead. */
  readonly others?: () => readonly string[];
}

export type Carrier = SocketCarrier | { readonly kind: 'command'; readonly argv: readonly string[] };

/** Command that the far side runs. */
const FAR = ['t4a', 'stdio'] as const;

/** Name of a user, host, pod or container: no option of a program begins like this. */
const NAME = /^[A-Za-z0-9_][\w.-]*$/;

/** An IPv6 address has colons, in brackets. */
const SSH_TARGET = /^(?:([A-Za-z0-9_][\w.-]*)@)?([A-Za-z0-9_][\w.-]*|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?$/;

const CARRIERS: Readonly<Record<string, (rest: string, places: RoutePlaces) => Carrier | undefined>> = {
  unix: (rest) => {
    const path = rest.replace(/^\/{2,}/, '/');
    return path.startsWith('/') ? { kind: 'socket', path } : undefined;
  },
  ssh: (rest, places) => {
    const [, user, host = '', port] = SSH_TARGET.exec(rest.replace(/^\/\//, '').replace(/\/$/, '')) ?? [];
    if (host === '') return undefined;
    const target = `${user === undefined ? '' : `${user}@`}${host.replace(/^\[|\]$/g, '')}`;
    return command('ssh', sshOptions(places), port === undefined ? [] : ['-p', port], ['--', target], FAR);
  },
  nats: (rest, places) => overNats(`nats:${rest}`, places),
  tls: (rest, places) => overNats(`tls:${rest}`, places),
  docker: (rest) => container('docker', rest),
  podman: (rest) => container('podman', rest),
  kube: (rest) => {
    const [namespace = '', pod = '', name, ...more] = rest.replace(/^\/\//, '').split('/');
    const names = [namespace, pod, ...(name === undefined ? [] : [name])];
    if (more.length > 0 || !names.every((one) => NAME.test(one))) return undefined;
    return command(
      'kubectl',
      ['exec', '-i', '-n', namespace, pod],
      name === undefined ? [] : ['-c', name],
      ['--'],
      FAR,
    );
  },
};

export interface RoutePlaces {
  /** The command line of t4a itself, which carries routes that need a library of their own. */
  readonly program?: () => readonly [string, ...string[]];
  /** Folder of the user's own for sockets of ssh, so that one session carries all connections to a host. */
  readonly sshSockets?: () => string | undefined;
}

/** @throws T4aError `usage` */
export function carrierOf(url: string, places: RoutePlaces = {}): Carrier {
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(url) ?? [];
  const carrier = Object.hasOwn(CARRIERS, scheme) ? CARRIERS[scheme]?.(rest, places) : undefined;
  if (carrier !== undefined) return carrier;
  throw new T4aError('usage', `${quote(url)} is no route to a host.`, {
    hint: 'unix:/run/web1/t4a.sock, ssh://me@web1, docker://container, kube://namespace/pod/container, nats://server/fleet/host, or a command.',
  });
}

/** SERVER, FLEET, HOST and a query; what is in them `t4a join` checks. */
const FLEET_HOST = /^(?:nats|tls):\/\/[^\s/?#@]+\/[\w-]+\/[\w-]+(?:\?\S*)?$/;

function overNats(url: string, { program }: RoutePlaces): Carrier | undefined {
  if (!FLEET_HOST.test(url)) return undefined;
  const [own, ...words] = program?.() ?? (['t4a'] as const);
  return command(own, words, ['join', '--pipe', '--', url]);
}

/** ssh asks nothing, forwards nothing, and gives up on a host that does not answer. */
function sshOptions(places: RoutePlaces): string[] {
  const sshSockets = places.sshSockets?.();
  const options = [
    'BatchMode=yes',
    'ClearAllForwardings=yes',
    'ConnectTimeout=10',
    'ServerAliveInterval=5',
    ...(sshSockets === undefined ? [] : ['ControlMaster=auto', `ControlPath=${sshSockets}/%C`, 'ControlPersist=60']),
  ];
  return ['-T', '-a', '-x', ...options.flatMap((option) => ['-o', option])];
}

function container(program: string, rest: string): Carrier | undefined {
  const name = rest.replace(/^\/\//, '').replace(/\/$/, '');
  return NAME.test(name) ? command(program, ['exec', '-i', name], FAR) : undefined;
}

function command(program: string, ...args: readonly (readonly string[])[]): Carrier {
  return { kind: 'command', argv: [program, ...args.flat()] };
}
