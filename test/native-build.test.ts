/** The native client as it is compiled: the same bytes each time, small, and without anything that a container may lack. */
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compileClients } from '../scripts/native.mjs';
import { ROOT } from './support/consumer.js';
import { DIST } from './support/daemon.js';
import { findProgram } from './support/find-program.js';
import { tempDir } from './support/temp-dir.js';

const COMPILERS = { x64: 'x86_64-linux-gnu-gcc', arm64: 'aarch64-linux-gnu-gcc' };
const ARCHITECTURES = Object.keys(COMPILERS) as (keyof typeof COMPILERS)[];

const compilerOf = (arch: keyof typeof COMPILERS): string | undefined =>
  findProgram(arch === process.arch ? 'cc' : COMPILERS[arch]);
const itCompiles = test.skipIf(
  process.platform !== 'linux' || ARCHITECTURES.some((arch) => compilerOf(arch) === undefined),
);

function compiled(build: string): Record<string, Buffer> {
  const dir = tempDir();
  cpSync(path.join(ROOT, 'native'), dir.join('native'), { recursive: true });
  expect(compileClients(dir.path, build)).toBeUndefined();
  return Object.fromEntries(ARCHITECTURES.map((arch) => [arch, readFileSync(dir.join('dist/native', arch, 't4a'))]));
}

itCompiles('two builds in different directories are equal, and those of other programs are not', () => {
  const [one, again, other] = [compiled('1234'), compiled('1234'), compiled('1235')];
  expect(ARCHITECTURES.filter((arch) => !one?.[arch]?.equals(again?.[arch] as Buffer))).toEqual([]);
  expect(ARCHITECTURES.filter((arch) => one?.[arch]?.equals(other?.[arch] as Buffer))).toEqual([]);
});

itCompiles('each is for one processor and needs no loader and no library; both are at most 128 KB', () => {
  const files = ARCHITECTURES.map((arch) => readFileSync(path.join(DIST, 'native', arch, 't4a')));
  /** https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html */
  expect(files.map((file) => file.readUInt16LE(18))).toEqual([62, 183]);
  expect(files.flatMap((file) => [...segments(file)]).filter((kind) => NEEDS.has(kind))).toEqual([]);
  const sizes = files.map(({ length }) => length);
  expect(Math.max(...sizes)).toBeLessThan(64 << 10);
  expect(sizes.reduce((a, b) => a + b)).toBeLessThan(128 << 10);
});

/** PT_DYNAMIC, PT_INTERP */
const NEEDS = new Set([2, 3]);

function* segments(file: Buffer): Generator<number> {
  const at = Number(file.readBigUInt64LE(32));
  for (let i = 0; i < file.readUInt16LE(56); i++) yield file.readUInt32LE(at + i * file.readUInt16LE(54));
}
