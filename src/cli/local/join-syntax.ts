/** `t4a join`, as the command line has it. */
import type { CommandSyntax } from '../argv/syntax.js';

export const JOIN_COMMAND: CommandSyntax = {
  name: 'join',
  group: 'configuration',
  summary: 'Join a fleet of hosts over a NATS server.',
  local: true,
  positionals: [{ field: 'url', label: 'url', type: 'string' }],
  flags: [
    {
      flag: 'name',
      field: 'name',
      type: 'string',
      placeholder: 'name',
      description: 'Name of this host in the fleet. Default: that of the machine.',
      local: true,
    },
    {
      flag: 'label',
      field: 'label',
      type: 'string',
      placeholder: 'name=value',
      description: 'What the host says of itself; may be repeated.',
      local: true,
      repeatable: true,
    },
    {
      flag: 'allow',
      field: 'allow',
      type: 'string',
      values: ['read', 'use', 'create'],
      description: 'Most that requests over NATS may do: look, type, start and end programs.',
      default: 'read',
      local: true,
    },
    {
      flag: 'print-permissions',
      field: 'print_permissions',
      type: 'boolean',
      description: 'Print what this host and its clients need in the configuration of nats-server, and join nothing.',
      local: true,
    },
    {
      flag: 'new-key',
      field: 'new_key',
      type: 'boolean',
      description: 'Make the file of ?creds= with a new nkey, print its public key for the server, and join nothing.',
      local: true,
    },
    {
      flag: 'list',
      field: 'list',
      type: 'boolean',
      description: 'Print the hosts of the fleet, and join nothing.',
      local: true,
    },
    {
      flag: 'pipe',
      field: 'pipe',
      type: 'boolean',
      description: 'Carry the wire of a host of the fleet over standard input and output: what a nats:// route runs.',
      local: true,
    },
  ],
  notes:
    'Stays in the foreground; SIGTERM and Ctrl+C leave the fleet, and end no terminal. Starts the daemon if none runs; its end is the end of join, too. Off this machine the URL needs ?creds=FILE (an nkey seed or NATS credentials, of mode 0600), and TLS is used; ?ca=FILE has the certificates of a private authority. Secrets and admin requests are refused. Clients: t4a hosts add web1 nats://SERVER/FLEET/web1.',
  examples: [
    'join nats://127.0.0.1:4222/farm --name web1 --allow use',
    'join "nats://nats.example.com/farm?creds=/home/me/web1.nk" --label gpu=a100',
    'join nats://127.0.0.1:4222/farm --list',
    'join "nats://nats.example.com/farm?creds=/home/me/web1.nk" --new-key',
    'join nats://127.0.0.1:4222/farm --name web1 --print-permissions',
  ],
};
