/** Files of this process. */
import fs from 'node:fs';
import type { Files, OpenFile } from './files.js';

const PART_BYTES = 64 * 1024;

/** @param at makes a path of one that is given */
export function ownFiles(at = (path: string): string => path): Files {
  return {
    uid: process.getuid?.(),
    stat: async (path) => fs.statSync(at(path), { throwIfNoEntry: false }),
    lstat: async (path) => fs.lstatSync(at(path), { throwIfNoEntry: false }),
    access: async (path, mode) => fs.accessSync(at(path), mode),
    readlink: async (path) => fs.readlinkSync(at(path)),
    rename: async (from, to) => fs.renameSync(at(from), at(to)),
    unlink: async (path) => fs.unlinkSync(at(path)),
    open: async (path, flags, mode = 0o666) => openFile(fs.openSync(at(path), flags, mode)),
  };
}

function openFile(file: number): OpenFile {
  return {
    stat: async () => fs.fstatSync(file),
    async read() {
      const part = Buffer.allocUnsafe(PART_BYTES);
      return part.subarray(0, fs.readSync(file, part));
    },
    write: async (bytes) => fs.writeFileSync(file, bytes),
    truncate: async () => fs.ftruncateSync(file),
    chmod: async (mode) => fs.fchmodSync(file, mode),
    sync: async () => fs.fsyncSync(file),
    close: async () => fs.closeSync(file),
  };
}
