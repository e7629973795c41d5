/** The native client and its host: what a command line prints, writes and ends with is what it is by Node, byte for byte. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import {
  bySh as byShell,
  endHost,
  endOf,
  itHasNative,
  NATIVE,
  programOf,
  type RunOptions,
  runWay,
  sameByBoth,
  startHost,
  startWay,
  WAYS,
  type Way,
} from '../support/native.js';
import { tempDir } from '../support/temp-dir.js';

const cli = useCliDaemon();
let host: ChildProcess | undefined;
let id = '';

beforeAll(async () => {
  host = await startHost(cli.daemon.socketPath);
  id = await cli.printed('one\\ntwo \\303\\244\\n');
});
afterAll(() => host && endHost(host));

const here = (more: RunOptions = {}): RunOptions => ({
  ...more,
  env: { T4A_SOCKET: cli.daemon.socketPath, ...more.env },
});

const bySh = (way: Way, script: string, options: RunOptions = {}): ReturnType<typeof byShell> =>
  byShell(way, script, here(options));

function sameBySh(script: string, options: RunOptions = {}): ReturnType<typeof byShell> {
  const byNode = bySh('node', script, options);
  expect(bySh('native', script, options)).toEqual(byNode);
  return byNode;
}

describe('the same by both ways', () => {
  itHasNative.each([
    [['text', '@ID']],
    [['text', '@ID', '--json']],
    [['text', 'nosuch']],
    [['text', 'nosuch', '--json']],
    [['--version']],
    [['--help']],
    [[]],
    [['bogus']],
    [['text', '@ID', '--bogus']],
    [['help', 'text']],
    [['type', '@ID', 'words']],
    [['screenshot', '@ID']],
    [['grep', 'two', '@ID']],
    [['output', '@ID']],
    [['run', '--', 'sh', '-c', 'echo out; echo err >&2; exit 3']],
    [['run', '--', '/nonexistent/program']],
    [['rules', 'check', 'missing.json']],
    [['view', '@ID']],
    [['hosts']],
    [['text', 'far/build']],
    [['completions', 'bash']],
    [['text', 'HUGE']],
  ])('%j', async (args) => {
    await sameByBoth(
      args.map((word) => word.replace('@ID', id).replace('HUGE', 'x'.repeat(100_000))),
      here(),
    );
  });

  itHasNative('standard input', async () => {
    for (const input of ['', 'text\n', Buffer.from([0xff, 0xfe, 10]), 'x'.repeat(300_000)]) {
      await sameByBoth(['paste', id], here({ input }));
      await sameByBoth(['run', '--stdin', '--', 'wc', '-c'], here({ input }));
      await sameByBoth(['run', '--', 'true'], here({ input }));
    }
  });

  itHasNative('a file of the caller, with its directory, umask and mode', async () => {
    const files = await Promise.all(
      WAYS.map(async (way) => {
        const dir = tempDir();
        mkdirSync(dir.join('sub'), { mode: 0o700 });
        const script = `umask 027; cd '${dir.join('sub')}'; t4a screenshot ${id} -o 'ä.png'; t4a screenshot ${id} -o ../sub/b.svg; t4a screenshot ${id} -o none/c.png; t4a screenshot ${id} -o /dev/full`;
        const { status, stderr } = bySh(way, script);
        const names = ['ä.png', 'b.svg'].map((name) => path.join(dir.join('sub'), name));
        return {
          status,
          stderr,
          files: names.map((name) => [
            readFileSync(name).toString('base64'),
            (statSync(name).mode & 0o777).toString(8),
          ]),
        };
      }),
    );
    expect(files[1]).toEqual(files[0]);
    expect(files[0]?.files.map(([, mode]) => mode)).toEqual(['640', '640']);
  });

  itHasNative('a file in an argument, also a pipe', () => {
    const dir = tempDir();
    writeFileSync(dir.join('rules.json'), '{"nonsense":');
    sameBySh('t4a rules check rules.json', { cwd: dir.path });
    sameBySh(`t4a rules check <(echo '{"other":')`);
  });

  itHasNative('names, arguments and variables that are no UTF-8', () => {
    const dir = tempDir();
    mkdirSync(Buffer.concat([Buffer.from(`${dir.path}/`), Buffer.from([0xff, 0xe4])]));
    for (const [words, said] of [
      [`text $'\\xff\\xe4'`, 'An argument is no UTF-8'],
      [`text ${id} $'--\\xff'`, 'An argument is no UTF-8'],
      [`screenshot ${id} -o $'\\xff.png'`, 'An argument is no UTF-8'],
      ['text \ufffd', 'is not valid'],
      ['create', 'The name of the current directory is no UTF-8'],
      ['run --cwd / -- pwd', ''],
      [`screenshot ${id} -o a.png && ls && rm a.png`, ''],
    ] as const) {
      const { status, stderr } = sameBySh(`cd ${dir.path}/*; t4a ${words}`);
      expect({ words, isDone: status === 0, stderr }).toEqual({
        words,
        isDone: said === '',
        stderr: said === '' ? '' : expect.stringContaining(said),
      });
    }
    const [a, b] = WAYS.map((way) =>
      bySh(way, `export ODD=$'a\\xffb'; t4a run -- sh -c 'printf %s "$ODD" | od -c'`).stdout.toString(),
    );
    expect(b).toBe(a);
  });

  itHasNative('a directory that is gone', () => {
    for (const words of [`text ${id}`, 'create', `screenshot ${id} -o x.png`, 'rules check x']) {
      const dir = tempDir();
      sameBySh(`d=$(mktemp -d ${dir.path}/XXXX); cd $d; rmdir $d; t4a ${words} 2>&1 | sed "s/ID//"`);
    }
  });

  itHasNative.each([
    ['text @ID >&-', 0, ''],
    ['text @ID <&-', 0, ''],
    ['text nosuch 2>&-', 4, ''],
    ['text @ID >&- 2>&- <&-', 0, ''],
    ['text @ID >/dev/full', 2, 'ENOSPC'],
    ['text @ID --json >/dev/full', 2, 'ENOSPC'],
    ['text @ID 1</dev/null', 2, 'EBADF'],
    ['events --since 0 >/dev/full', 2, 'ENOSPC'],
    ['run -- echo out >/dev/full', 125, 'ENOSPC'],
    ['list | true; exit "${PIPESTATUS[0]}"', 0, ''],
    ['run -- yes | head -1; exit "${PIPESTATUS[0]}"', 0, ''],
    ['screenshot @ID -o /dev/full', 2, 'ENOSPC'],
    ['paste @ID <&-', 4, ''],
    ['paste @ID 0>/dev/null', 2, 'Standard input cannot be read (EBADF).'],
    ['paste @ID </', 4, ''],
    ['run --stdin -- wc -c 0>/dev/null', 0, 'Standard input cannot be read (EBADF).'],
    ['run --stdin -- wc -c </', 0, ''],
  ])('streams that are closed, full, or of another kind: %s', (words, status, says) => {
    const ended = sameBySh(`t4a ${words.replace('@ID', id)}`);
    expect({ ...ended, stdout: '' }).toEqual({ status, stdout: '', stderr: expect.stringContaining(says) });
  });

  itHasNative('the scope of one shell', () => {
    const node = programOf('node').join(' ');
    const script = `${node} create --name shared printf mixed >/dev/null; ${NATIVE} wait --exit >/dev/null; ${NATIVE} text; ${node} text`;
    expect(bySh('node', script).stdout.toString()).toBe('mixed\nmixed\n');
  });

  itHasNative.each([
    ['SIGINT', `trap 'exit 9' INT; echo up; while :; do sleep .05; done`, 9],
    ['SIGTERM', 'echo up; sleep 600', 'SIGTERM'],
  ] as const)('%s of run', async (signal, script, status) => {
    for (const way of WAYS) expect(await ended(way, ['run', '--', 'bash', '-c', script], signal)).toBe(status);
  });

  itHasNative.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const)('%s ends a wait', async (signal) => {
    for (const way of WAYS) expect(await ended(way, ['events', '--ack'], signal)).toBe(signal);
  });
});

/** By a signal, after its first words. */
async function ended(way: Way, args: readonly string[], signal: NodeJS.Signals): Promise<number | string> {
  const running = startWay(way, args, here());
  await once(running.stdout as NodeJS.ReadableStream, 'data');
  running.kill(signal);
  return (await endOf(running)).status;
}

itHasNative('two hundred calls at once, each with its words and its environment', async () => {
  const jsonOf = (n: number): string => String(n % 2);
  const ends = await Promise.all(
    Array.from({ length: 200 }, (_, n) => runWay('native', ['text', `no${n}`], here({ env: { T4A_JSON: jsonOf(n) } }))),
  );
  const seen = ends.map(({ stderr, status }) => [
    status,
    /no\d+/.exec(stderr)?.[0],
    stderr.startsWith('{') ? '1' : '0',
  ]);
  expect(seen).toEqual(ends.map((_, n) => [4, `no${n}`, jsonOf(n)]));
});
