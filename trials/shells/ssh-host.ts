/** A host that one reaches by ssh: a server of the trial's own on this machine, for the user who runs the trial, with keys of its own. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';

const SERVER = '/usr/sbin/sshd';

export class SshHost {
  /**
   * Asks for a shell there whose prompt is `remote>`. The server of an ordinary user makes no pseudoterminals (it cannot write
   * login records), so `script` makes it over there, and this side hands on keys as ssh does.
   */
  readonly command: string;
  readonly #server: ChildProcess;

  private constructor(command: string, server: ChildProcess) {
    this.command = command;
    this.#server = server;
  }

  /** @returns undefined where there is no such server on this machine, or it does not start */
  static async start(directory: string): Promise<SshHost | undefined> {
    if (!existsSync(SERVER)) return undefined;
    const file = (name: string): string => path.join(directory, name);
    for (const key of ['host', 'user']) {
      spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(key)]);
    }
    if (!existsSync(file('user.pub'))) return undefined;
    writeFileSync(file('authorized'), readFileSync(file('user.pub')));
    const port = await freePort();
    const server = ['StrictModes no', 'UsePAM no', 'PidFile none', `HostKey ${file('host')}`];
    server.push(`AuthorizedKeysFile ${file('authorized')}`, 'ListenAddress 127.0.0.1', `Port ${port}`);
    writeFileSync(file('server'), `${server.join('\n')}\n`);
    const client = ['StrictHostKeyChecking no', 'UserKnownHostsFile /dev/null', 'LogLevel ERROR', 'RequestTTY no'];
    client.push(`IdentityFile ${file('user')}`, `Port ${port}`, `User ${userInfo().username}`, 'HostName 127.0.0.1');
    writeFileSync(file('client'), `Host there\n${client.join('\n')}\n`);
    const child = spawn(SERVER, ['-D', '-e', '-f', file('server')], { stdio: ['ignore', 'ignore', 'pipe'] });
    const listens = new Promise<boolean>((resolve) => {
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('listening')) resolve(true);
      });
      child.once('exit', () => resolve(false));
    });
    if (!(await listens)) return undefined;
    writeFileSync(file('shell'), `PS1='remote> ' exec dash -i\n`);
    writeFileSync(
      file('go'),
      `stty raw -echo\nssh -F ${file('client')} there "script -qec 'sh ${file('shell')}' /dev/null"\ncode=$?\nstty sane\nexit $code\n`,
    );
    return new SshHost(`sh ${file('go')}`, child);
  }

  async stop(): Promise<void> {
    const ended = once(this.#server, 'exit');
    this.#server.kill();
    await ended;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
