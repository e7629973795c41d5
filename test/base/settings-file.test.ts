import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { MAX_SETTINGS_BYTES, openSettingsFile, readSettingsFile } from '../../src/base/settings-file.js';
import { tempDir } from '../support/temp-dir.js';

it('a file is read through a link, also if its length is not known before', () => {
  const dir = tempDir();
  writeFileSync(dir.join('real'), '{"a": 1}');
  symlinkSync(dir.join('real'), dir.join('link'));
  expect(readSettingsFile(dir.join('link'))).toBe('{"a": 1}');
  expect(() => readSettingsFile(dir.join('none'))).toThrow('ENOENT');
  if (process.platform === 'linux') expect(readSettingsFile('/proc/version')).toContain('Linux');
});

it('a FIFO without a writer is refused', () => {
  const dir = tempDir();
  execFileSync('mkfifo', [dir.join('fifo')]);
  const opened = vi.spyOn(process.getBuiltinModule('node:fs'), 'openSync');
  onTestFinished(() => opened.mockRestore());
  expect(() => readSettingsFile(dir.join('fifo'))).toThrow('is a FIFO, no regular file');
  // A writer that waits for a reader would be let go.
  expect(opened).not.toHaveBeenCalled();
  writeFileSync(dir.join('file'), 'text');
  expect(readSettingsFile(dir.join('file'))).toBe('text');
  expect(opened).toHaveBeenCalledOnce();
});

it('a device, a directory and links to them are refused', () => {
  const dir = tempDir();
  symlinkSync('/dev/zero', dir.join('zero'));
  mkdirSync(dir.join('folder'));
  expect(() => readSettingsFile(dir.join('zero'))).toThrow('is a device, no regular file');
  expect(() => readSettingsFile(dir.join('folder'))).toThrow('is a directory, no regular file');
});

it('a socket is refused', async () => {
  const dir = tempDir();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(dir.join('s'), resolve));
  expect(() => readSettingsFile(dir.join('s'))).toThrow('is a socket, no regular file');
  server.close();
});

it('a file that is too long is refused, and one of the greatest length is read', () => {
  const dir = tempDir();
  writeFileSync(dir.join('sparse'), '');
  truncateSync(dir.join('sparse'), 2 ** 40);
  expect(() => readSettingsFile(dir.join('sparse'))).toThrow(`has more than ${MAX_SETTINGS_BYTES} bytes`);
  writeFileSync(dir.join('full'), 'x'.repeat(MAX_SETTINGS_BYTES));
  expect(readSettingsFile(dir.join('full'))).toHaveLength(MAX_SETTINGS_BYTES);
  // Files of the system have no length.
  if (process.platform === 'linux')
    expect(() => openSettingsFile('/proc/self/maps', 10)).toThrow('has more than 10 bytes');
});

it.runIf(process.getuid?.() === 0)("another user's file is refused", () => {
  const dir = tempDir();
  writeFileSync(dir.join('theirs'), '{}');
  chownSync(dir.join('theirs'), 4242, 4242);
  expect(() => readSettingsFile(dir.join('theirs'))).toThrow('belongs to another user (uid 4242)');
});
