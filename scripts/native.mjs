// Compiles the native client of the command line (native/t4a.c), for each architecture that a compiler is there for. It has no C library,
// so any compiler of C11 does, and two builds of one source are equal.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

/** Names of architectures as Node has them, and compilers for them anywhere. */
const CROSS = { x64: 'x86_64-linux-gnu-gcc', arm64: 'aarch64-linux-gnu-gcc' };

const FLAGS = [
  ...'-std=c11 -Os -Wall -Wextra -Werror -ffreestanding -fno-builtin -fno-stack-protector -fno-pic -no-pie'.split(' '),
  ...'-fno-asynchronous-unwind-tables -fno-unwind-tables -fno-ident -static -nostdlib -s'.split(' '),
  ...'-Wl,--build-id=none -Wl,-z,noseparate-code -Wl,-z,norelro -Wl,-z,noexecstack'.split(' '),
];

/** @param build by which client and host know that they belong together @returns what is to be said of it, if anything */
export function compileClients(root, build) {
  if (process.platform !== 'linux') return undefined;
  const made = Object.keys(CROSS).filter((arch) => compile(root, arch, build));
  if (made.includes(process.arch)) return undefined;
  return `No compiler made the native client for ${process.arch}: t4a starts with Node.`;
}

function compile(root, arch, build) {
  const folder = join(root, 'dist/native', arch);
  mkdirSync(folder, { recursive: true });
  const arguments_ = [...FLAGS, `-DBUILD="${build}"`, 'native/t4a.c', '-o', join(folder, 't4a')];
  for (const compiler of arch === process.arch ? ['musl-gcc', 'cc'] : [CROSS[arch]]) {
    if (spawnSync(compiler, arguments_, { cwd: root, stdio: 'ignore' }).status === 0) return true;
  }
  rmSync(folder, { recursive: true });
  return false;
}
