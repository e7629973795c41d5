/** vtr's API by a client that shares no code with the server. */
import { loadSync } from '@grpc/proto-loader';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { execute } from '../support/execute.js';
import { PROTO, vtr } from '../support/grpc.js';
import { itCannot, mustTestAll } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

const cli = useCliDaemon();

const SCRIPT = fileURLToPath(new URL('client.py', import.meta.url));

/** Debian's has the module of Debian's package python3-grpcio. */
const python = ['/usr/bin/python3', 'python3'].find(
  (program) => spawnSync(program, ['-c', 'import grpc, google.protobuf']).status === 0,
);

const itWithGrpc = python === undefined && !mustTestAll ? itCannot('Python with grpc (python3-grpcio)') : it;

itWithGrpc('Python: sessions, screens, the stream and errors', async () => {
  const { socketPath } = await vtr(cli.daemon.socketPath);
  const { status, stdout, stderr } = await execute(python ?? 'python3', [SCRIPT, socketPath, ...descriptors()], {
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: '/',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    'py 1 80 24 True',
    'screen_update screen_update session_exited 1 5',
    'from python',
    "[(0, 'from python')]",
    'NOT_FOUND SESSION_NOT_FOUND',
    'FAILED_PRECONDITION SESSION_NOT_RUNNING',
    '0',
    '',
  ]);
});

/** Files with the descriptors, what is imported first. */
function descriptors(): string[] {
  const dir = tempDir();
  const { fileDescriptorProtos } = loadSync(PROTO, { keepCase: true })['vtr.Session'] as unknown as {
    fileDescriptorProtos: Buffer[];
  };
  const own = (bytes: Buffer): boolean => bytes.includes('VTR');
  const ordered = fileDescriptorProtos.toSorted((a, b) => Number(own(a)) - Number(own(b)));
  return ordered.map((bytes, i) => {
    const path = dir.join(`descriptor-${i}`);
    writeFileSync(path, bytes);
    return path;
  });
}
