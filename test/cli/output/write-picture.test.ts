/** Writing of pictures, especially into a directory that other users may write to. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownFiles } from '../../../src/cli/own-files.js';
import { writePicture as write } from '../../../src/cli/output/write-picture.js';
import { CLI } from '../../support/cli.js';
import { useCliDaemon } from '../../support/cli-daemon.js';
import { itMounts, mountTmpfs } from '../../support/mounts.js';
import { tempDir } from '../../support/temp-dir.js';
import { giveToStranger, itAsRoot, STRANGER } from '../../support/users.js';

const cli = useCliDaemon();
const writePicture = (path: string, bytes: Uint8Array | Uint8Array[]) => write(path, bytes, { files: ownFiles() });
const PICTURE = new TextEncoder().encode('picture');

/** A place like /tmp, beside one that is private. */
function places(): { readonly shared: string; readonly home: string } {
  const dir = tempDir();
  const [shared, home] = [dir.join('tmp'), dir.join('home')];
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  mkdirSync(home, { mode: 0o755 });
  return { shared, home };
}

const contentOf = (path: string): string => readFileSync(path, 'utf8');

describe("another user's", () => {
  itAsRoot()('link in a shared directory is not followed by t4a screenshot', async () => {
    const { shared, home } = places();
    writeFileSync(`${home}/precious`, 'kept');
    symlinkSync(`${home}/precious`, `${shared}/shot.png`);
    giveToStranger(`${shared}/shot.png`);
    const id = await cli.printed('x');
    const { status, stderr } = await cli.t4a(['screenshot', id, '-o', `${shared}/shot.png`]);
    expect({ status, content: contentOf(`${home}/precious`) }).toEqual({ status: 2, content: 'kept' });
    expect(stderr).toContain(`belongs to another user, uid ${STRANGER}`);
  });

  itAsRoot()('dangling link creates no file at its target', async () => {
    const { shared, home } = places();
    symlinkSync(`${home}/new`, `${shared}/shot.png`);
    giveToStranger(`${shared}/shot.png`);
    await expect(writePicture(`${shared}/shot.png`, PICTURE)).rejects.toThrow('another user');
    expect(existsSync(`${home}/new`)).toBe(false);
  });

  itAsRoot()('link is not followed through a link of the caller', async () => {
    const { shared, home } = places();
    writeFileSync(`${home}/precious`, 'kept');
    symlinkSync('../home/precious', `${shared}/shot.png`);
    giveToStranger(`${shared}/shot.png`);
    symlinkSync('../tmp/shot.png', `${home}/shot.png`);
    await expect(writePicture(`${home}/shot.png`, PICTURE)).rejects.toThrow('another user');
    expect(contentOf(`${home}/precious`)).toBe('kept');
  });

  itAsRoot()('file in a shared directory is not written to', async () => {
    const { shared } = places();
    writeFileSync(`${shared}/shot.png`, 'theirs', { mode: 0o666 });
    giveToStranger(`${shared}/shot.png`);
    await expect(writePicture(`${shared}/shot.png`, PICTURE)).rejects.toThrow('another user');
    expect(contentOf(`${shared}/shot.png`)).toBe('theirs');
  });

  itAsRoot()('link is followed if the directory is theirs, or only its owner may write to it', async () => {
    const { shared, home } = places();
    for (const directory of [shared, home]) {
      symlinkSync(`${home}/picture`, `${directory}/shot.png`);
      giveToStranger(`${directory}/shot.png`);
    }
    chownSync(shared, STRANGER, STRANGER);
    for (const directory of [shared, home]) await writePicture(`${directory}/shot.png`, PICTURE);
    expect(contentOf(`${home}/picture`)).toBe('picture');
  });
});

describe('a link of the caller', () => {
  test('is followed in shared and private directories', async () => {
    const { shared, home } = places();
    symlinkSync('../home/picture', `${shared}/shot.png`);
    symlinkSync(`${shared}/shot.png`, `${home}/shot.png`);
    await writePicture(`${home}/shot.png`, PICTURE);
    expect(contentOf(`${home}/picture`)).toBe('picture');
  });

  test('that leads to itself is refused with the error of the system', async () => {
    const { home } = places();
    symlinkSync('shot.png', `${home}/shot.png`);
    await expect(writePicture(`${home}/shot.png`, PICTURE)).rejects.toThrow('(ELOOP)');
  });

  test('is followed through forty of them, and beyond that nothing is written', async () => {
    const { home } = places();
    for (let i = 1; i <= 41; i++) symlinkSync(`${i - 1}`, `${home}/${i}`);
    await expect(writePicture(`${home}/41`, PICTURE)).rejects.toThrow('(ELOOP)');
    expect(existsSync(`${home}/0`)).toBe(false);
    await writePicture(`${home}/40`, PICTURE);
    expect(contentOf(`${home}/0`)).toBe('picture');
  });
});

describe('a new file', () => {
  test('is private to its owner in a shared directory, and follows the umask elsewhere', async () => {
    const { shared, home } = places();
    for (const directory of [shared, home]) await writePicture(`${directory}/shot.png`, PICTURE);
    expect(statSync(`${shared}/shot.png`).mode & 0o777).toBe(0o600);
    expect(statSync(`${home}/shot.png`).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test('replaces a longer file completely, and keeps the mode of that file', async () => {
    const { shared } = places();
    writeFileSync(`${shared}/shot.png`, 'a longer picture');
    chmodSync(`${shared}/shot.png`, 0o640);
    await writePicture(`${shared}/shot.png`, PICTURE);
    expect(contentOf(`${shared}/shot.png`)).toBe('picture');
    expect(statSync(`${shared}/shot.png`).mode & 0o777).toBe(0o640);
  });
});

describe('a target that is no regular file', () => {
  test('is written to: a FIFO', async () => {
    const { shared } = places();
    execFileSync('mkfifo', [`${shared}/fifo`]);
    const reader = spawn('cat', [`${shared}/fifo`], { stdio: ['ignore', 'pipe', 'inherit'] });
    const read = text(reader.stdout);
    await writePicture(`${shared}/fifo`, PICTURE);
    expect(await read).toBe('picture');
  });

  test.each(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'])('is written to: %s', async (path) => {
    const command = [process.execPath, CLI, '--socket', cli.daemon.socketPath, 'screenshot', await cli.printed('x')];
    // A pipe of the shell's: Node would make a socket, which cannot be opened by its path.
    const picture = execFileSync('sh', ['-c', '"$@" | cat', 'sh', ...command, '-o', path]);
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
  });

  test('is written to: /dev/null', async () => {
    await writePicture('/dev/null', PICTURE);
  });
});

describe('on a full disk', () => {
  const LARGE = new Uint8Array(1 << 20);

  itMounts('a new file is not left empty or cut, and an old one stays as it was', async () => {
    const disk = tempDir().join('disk');
    mountTmpfs(disk, 'size=64k');
    writeFileSync(`${disk}/old.png`, 'old');
    for (const name of ['new.png', 'old.png']) {
      await expect(writePicture(`${disk}/${name}`, [PICTURE, LARGE])).rejects.toThrow('(ENOSPC)');
    }
    expect({ names: readdirSync(disk), old: contentOf(`${disk}/old.png`) }).toEqual({ names: ['old.png'], old: 'old' });
  });

  test('a device without room is an error', async () => {
    await expect(writePicture('/dev/full', PICTURE)).rejects.toThrow('(ENOSPC)');
  });

  test.each([
    ['screenshot', (id: string) => ['screenshot', id, '-o']],
    ...['gif', 'png', 'html', 'txt', 'cast'].map(
      (ending) => [`export .${ending}`, (id: string) => ['export', id, '-o']] as const,
    ),
    ['film', (id: string) => ['film', id, '-o']],
  ] as const)(
    '%s beyond the limit of a file (RLIMIT_FSIZE) leaves nothing, and what stood there',
    async (name, args) => {
      const { home } = places();
      const file = `a${/\.\w+$/.exec(name)?.[0] ?? '.png'}`;
      writeFileSync(`${home}/${file}`, 'old');
      const id = await cli.printed('x');
      const command = [process.execPath, CLI, '--socket', cli.daemon.socketPath, ...args(id), `${home}/${file}`];
      const { status, stderr } = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...command], {
        encoding: 'utf8',
      });
      expect({ status, names: readdirSync(home), old: contentOf(`${home}/${file}`) }).toEqual({
        status: 2,
        names: [file],
        old: 'old',
      });
      expect(stderr).toContain('(EFBIG)');
    },
  );
});

itMounts('a file that cannot be replaced, as a single mounted one, is written in its place', async () => {
  const { home } = places();
  const path = `${home}/shot.png`;
  writeFileSync(path, 'a longer picture');
  execFileSync('mount', ['--bind', path, path]);
  onTestFinished(() => void execFileSync('umount', [path]));
  await writePicture(path, PICTURE);
  expect({ names: readdirSync(home), content: contentOf(path) }).toEqual({ names: ['shot.png'], content: 'picture' });
});
