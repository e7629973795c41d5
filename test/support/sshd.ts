/** A real sshd on a free port of this machine. It lets in one key, which is locked to one command; for tests and benches. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface Sshd {
  readonly port: number;
  readonly username: string;
  /** Configuration of ssh, for `ssh -F`, by which the key and the host are known. */
  readonly clientConfig: string;
  readonly stop: () => Promise<void>;
}

/** @param folder for its files @param program sshd's path @param command of the key; undefined: any, on a terminal, too */
export async function startSshd(folder: string, program: string, command: string | undefined): Promise<Sshd> {
  const file = (name: string): string => path.join(folder, name);
  for (const name of ['host-key', 'user-key']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
  }
  const port = await freePort();
  const publicKey = (name: string): string => readFileSync(file(`${name}.pub`), 'utf8');
  const allowed = command === undefined ? 'restrict,pty' : `command="${command}",restrict`;
  writeFileSync(file('authorized_keys'), `${allowed} ${publicKey('user-key')}`);
  writeFileSync(file('known_hosts'), `[127.0.0.1]:${port} ${publicKey('host-key')}`);
  const server = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host-key')}`,
    `AuthorizedKeysFile ${file('authorized_keys')}`,
    'PidFile none',
    // The folder lies in /tmp, which all can write.
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    // Shells read start-up files even for one command, and those of whoever runs the tests may take any time.
    `SetEnv HOME=${folder}`,
  ];
  writeFileSync(file('sshd_config'), `${server.join('\n')}\n`);
  const client = [
    `IdentityFile ${file('user-key')}`,
    'IdentitiesOnly yes',
    `UserKnownHostsFile ${file('known_hosts')}`,
    'StrictHostKeyChecking yes',
  ];
  writeFileSync(file('ssh_config'), `${client.join('\n')}\n`);
  const stop = await listening(program, file('sshd_config'));
  return { port, username: userInfo().username, clientConfig: file('ssh_config'), stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** As the present user. Of root it wants an empty folder, which the package's service makes where there is one. */
async function listening(program: string, config: string): Promise<() => Promise<void>> {
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const child = spawn(program, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (!line.startsWith('Server listening on')) continue;
    child.stderr.resume();
    return async () => {
      child.kill('SIGTERM');
      await exited;
    };
  }
  throw new Error(`sshd ended: ${said.join('\n')}`);
}
