/** Commands about daemons of other hosts, as the command line answers them. */
import { MAX_SCROLLBACK_LINES } from '../../protocol/limits.js';
import type { Reach } from '../../protocol/reach.js';
import type { CommandSyntax } from '../argv/syntax.js';
import { JOIN_COMMAND } from './join-syntax.js';

const REACHES: readonly Reach[] = ['read', 'use', 'create', 'admin'];

export const HOST_COMMANDS: readonly CommandSyntax[] = [
  {
    name: 'hosts',
    group: 'configuration',
    summary: 'List other hosts that commands may ask, and edit the list.',
    local: true,
    positionals: [
      { field: 'action', label: 'action', type: 'string', optional: true, values: ['list', 'resolve', 'add', 'rm'] },
      { field: 'words', label: 'argument', type: 'string', optional: true, rest: true },
    ],
    flags: [
      {
        flag: 'from',
        field: 'from',
        type: 'string',
        placeholder: 'file',
        description:
          "Add the sockets of vtr's configuration file (config.toml), and take over its output_format as json.",
        local: true,
      },
    ],
    notes:
      'Routes: unix:PATH (one "*" in it is the one in the name), ssh://USER@HOST:PORT, docker://CONTAINER, podman://CONTAINER, kube://NAMESPACE/POD/CONTAINER, or after the name a program with its arguments, which carries "t4a stdio". resolve prints what each route runs. The list is hosts.json in the configuration folder; it is refused if others can write it.',
    examples: [
      'hosts',
      'hosts add web1 ssh://me@web1',
      'hosts add docker://ci',
      "hosts add '*' 'unix:/run/sandboxes/*/t4a.sock'",
      'hosts add vm -- limactl shell vm t4a stdio',
      'hosts add --from ~/.config/vtr/config.toml',
      'hosts resolve web1',
      'hosts rm web1',
    ],
  },
  {
    name: 'fleet',
    group: 'configuration',
    summary: 'Serve the daemons of all hosts on one socket.',
    local: true,
    positionals: [],
    flags: [
      {
        flag: 'socket',
        field: 'socket',
        type: 'string',
        placeholder: 'path',
        description: 'Socket of the fleet. Default: $XDG_RUNTIME_DIR/t4a/fleet.sock, or /tmp/t4a-UID/fleet.sock.',
        local: true,
      },
    ],
    notes:
      'Stays in the foreground; SIGTERM, Ctrl+C and a shutdown on its socket end it, and no terminal. Clients reach all hosts by T4A_SOCKET: ids are host/terminal, and those of this machine are bare.',
    examples: ['fleet', 'fleet --socket /tmp/fleet.sock'],
  },
  JOIN_COMMAND,
  {
    name: 'grpc',
    group: 'models',
    summary: "Serve the daemon over vtr's gRPC API.",
    local: true,
    settings: { cols: 'cols', rows: 'rows', cmd_args: 'shell' },
    positionals: [],
    flags: [
      {
        flag: 'socket',
        field: 'socket',
        type: 'string',
        placeholder: 'path',
        description: "Socket for vtr's clients. Default: /var/run/vtr.sock.",
        local: true,
      },
      {
        flag: 'shell',
        field: 'shell',
        type: 'string',
        placeholder: 'program',
        description: "Program of sessions that name none. Default: the daemon's, which is $SHELL.",
        local: true,
      },
      { flag: 'cols', field: 'cols', type: 'integer', minimum: 2, description: 'Columns of sessions that name none.' },
      { flag: 'rows', field: 'rows', type: 'integer', minimum: 1, description: 'Rows of sessions that name none.' },
      {
        flag: 'scrollback',
        field: 'scrollback',
        type: 'integer',
        maximum: MAX_SCROLLBACK_LINES,
        description: "Lines kept above the viewport of sessions. Default: the daemon's, which is 10000.",
      },
      {
        flag: 'kill-timeout-ms',
        field: 'kill_timeout_ms',
        type: 'integer',
        description: 'Time that Remove gives a program after SIGTERM, before SIGKILL. Default: 5000.',
        local: true,
      },
      {
        flag: 'record',
        field: 'record',
        type: 'boolean',
        description: 'Record new sessions, for DumpAsciinema. Without, it has what the history of the daemon keeps.',
        local: true,
      },
    ],
    notes:
      'Stays in the foreground; SIGTERM and Ctrl+C end the server, and no terminal. The daemon is that of $T4A_SOCKET, or the default. The API is docs/vtr.proto of the package. WaitFor searches each line by itself, and no buffer of 1 MB: a pattern over several lines, as (?s)start.+end, matches nothing.',
    examples: ['grpc --socket /tmp/vtr.sock', 'grpc --socket /tmp/vtr.sock --kill-timeout 2s --scrollback 50000'],
  },
  {
    name: 'stdio',
    group: 'plumbing',
    summary: 'Carry the wire of the socket over standard input and output.',
    local: true,
    positionals: [],
    flags: [
      {
        flag: 'allow',
        field: 'allow',
        type: 'string',
        values: [...REACHES],
        description: 'Most that requests may do: look, type, start and end programs, change the daemon.',
        local: true,
      },
    ],
    notes:
      'What ssh, docker exec and the like run on a host; starts the daemon there. For a key that may do nothing else: command="t4a stdio --allow use",restrict in authorized_keys.',
    examples: ['stdio', 'stdio --allow read', 'stdio --on web1'],
  },
];
