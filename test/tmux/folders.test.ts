/** The folder in which sockets of the tmux door lie, and the file beside each, where other users could have laid them. */
import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { eventually } from '../support/eventually.js';
import { findProgram } from '../support/programs.js';
import { DOOR, SCRIPT, type Tmux, tmuxOf } from '../support/tmux.js';

const cli = useCliDaemon();

/** Where sockets of the door lie, and where those of tmux. */
const foldersOf = ({ cwd }: Tmux) => ['t4a-tmux', 'tmux'].map((name) => join(cwd, `${name}-${process.getuid?.()}`));

for (const [what, lay] of [
  ['which others may write', (folder: string) => (mkdirSync(folder), chmodSync(folder, 0o777))],
  ['that is a file', (folder: string) => writeFileSync(folder, '')],
  ['that is a link', (folder: string) => symlinkSync('/tmp', folder)],
  ['of another user', (folder: string) => (mkdirSync(folder, { mode: 0o700 }), chownSync(folder, 65534, 65534))],
] as const)
  test.runIf(process.getuid?.() === 0)(`nothing is laid into a folder for sockets ${what}`, async () => {
    for (const program of [DOOR, SCRIPT, findProgram('tmux')].filter((one) => one !== undefined)) {
      const tmux = tmuxOf(program, { T4A_SOCKET: cli.daemon.socketPath });
      for (const folder of foldersOf(tmux)) lay(folder);
      const { status, stderr } = await tmux('new-session', '-d', 'sleep 1000');
      expect(status).toBe(1);
      expect(stderr).toMatch(/^(directory \/\S+ has unsafe permissions|\/\S+ is not a directory)\n$/);
    }
  });

test.runIf(process.getuid?.() === 0)('the file of a door is not read if it belongs to another user', async () => {
  for (const [mode, owner] of [
    [0o600, 65534],
    [0o666, 0],
  ] as const) {
    const tmux = tmuxOf(undefined, { T4A_SOCKET: cli.daemon.socketPath });
    await tmux('new-session', '-d', '-s', 'a', 'sleep 1000');
    await tmux('set-option', '-g', '@mine', 'yes');
    const [folder = ''] = foldersOf(tmux);
    const file = join(folder, 'default.state');
    expect(readFileSync(file, 'utf8')).toContain('@mine');
    process.kill(Number((await tmux('display-message', '-p', '#{pid}')).stdout), 'SIGKILL');
    writeFileSync(file, readFileSync(file, 'utf8').replace('yes', 'theirs'));
    chmodSync(file, mode);
    chownSync(file, owner, owner);
    await eventually(async () => expect((await tmux('new-session', '-d', '-s', 'b', 'sleep 1000')).status).toBe(0));
    expect((await tmux('show-options', '-gqv', '@mine')).stdout).not.toContain('theirs');
  }
});
