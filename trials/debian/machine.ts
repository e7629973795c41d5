/** What this machine must have for another system to be built in a directory of it. */
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';

/** Node's name of a processor -> Debian's. Others are the same in both. */
const ARCHES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: 'i386', arm: 'armhf' };
/** Debian's name of a processor -> the kernel's. */
const MACHINES: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64' };
const FORMATS = '/proc/sys/fs/binfmt_misc';

export function debianArch(nodeArch: string): string {
  return ARCHES[nodeArch] ?? nodeArch;
}

/** What is missing, and how it comes; undefined where nothing is. */
export function problemOfMachine(arch: string): string | undefined {
  if (process.getuid?.() !== 0) return 'this trial mounts and changes root: run it as root';
  for (const [program, debianPackage] of [
    ['debootstrap', 'debootstrap'],
    ['unshare', 'util-linux'],
    ['apt-config', 'apt'],
  ] as const) {
    if (!isOnPath(program)) return `${program} is missing: apt-get install ${debianPackage}`;
  }
  if (arch === debianArch(process.arch)) return undefined;
  const emulator = `qemu-${MACHINES[arch] ?? arch}`;
  if (existsSync(path.join(FORMATS, emulator))) return undefined;
  return (
    `programs of ${arch} do not run here: apt-get install qemu-user-static binfmt-support, then ` +
    `mount -t binfmt_misc none ${FORMATS} and update-binfmts --enable ${emulator}`
  );
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false; // ENOENT, EACCES: not in this folder.
    }
  });
}
