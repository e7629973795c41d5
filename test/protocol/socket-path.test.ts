import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_SOCKET_PATH,
  asPlaceError,
  checkSocketPath,
  foreignSocket,
  lockPath,
  logPath,
  maxSocketPathBytes,
  unusableSocketPath,
} from '../../src/protocol/socket-path.js';

describe('the path of a socket', () => {
  it('has as many bytes at most as the system takes, whatever its characters', () => {
    expect([maxSocketPathBytes('linux'), maxSocketPathBytes('darwin')]).toEqual([107, 103]);
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 130 }),
        fc.constantFrom('linux', 'darwin'),
        (name, platform) => {
          const path = `/${name.replaceAll('\0', '')}`;
          const fits = Buffer.byteLength(path) <= maxSocketPathBytes(platform);
          const check = (): void => checkSocketPath(path, platform);
          if (fits) expect(check).not.toThrow();
          else expect(check).toThrow(`it has ${Buffer.byteLength(path)} bytes, and a socket's path at most`);
        },
      ),
    );
    expect(() => checkSocketPath(`/${'x'.repeat(106)}`, 'linux')).not.toThrow();
    expect(() => checkSocketPath(`/${'x'.repeat(107)}`, 'linux')).toThrow('it has 108 bytes');
    expect(() => checkSocketPath('/abc', 'linux', 3)).toThrow('at most 3');
  });

  it('is a short one where nobody has said any', () => {
    expect(DEFAULT_SOCKET_PATH).toBe('/tmp/t4a.sock');
    expect(() => checkSocketPath(DEFAULT_SOCKET_PATH, 'darwin')).not.toThrow();
  });

  it('has no NUL, behind which it would be cut in silence', () => {
    expect(() => checkSocketPath('/tmp/a\0b', 'linux')).toThrow('it contains a NUL');
  });

  it('has its lock and its log beside it', () => {
    expect(lockPath('/run/s')).toBe('/run/s.lock');
    expect(logPath('/run/s')).toBe('/run/s.log');
  });
});

describe('what is wrong with a place', () => {
  const PLACES = [
    'ENOENT',
    'ENOTDIR',
    'EACCES',
    'EPERM',
    'EROFS',
    'ENAMETOOLONG',
    'ELOOP',
    'ENOSPC',
    'EISDIR',
    'EOPNOTSUPP',
  ];

  it.each(PLACES)('by %s is a sentence and what to do', (code) => {
    const error = asPlaceError('/x/s', Object.assign(new Error(code), { code }));
    expect(error).toMatchObject({
      code: 'socket_path',
      message: expect.stringMatching(/^The socket path "\/x\/s" cannot be used: (its|it) \S.*\.$/) as string,
      details: { hint: 'Set T4A_SOCKET to a short path in a directory of your own.' },
    });
  });

  it.each([
    ['EDQUOT', 'the quota '],
    ['EFBIG', 'the limit '],
  ])('by %s names %s', (code, limit) => {
    const error = asPlaceError('/x/s', Object.assign(new Error(code), { code }));
    expect(error).toMatchObject({ code: 'socket_path' });
    expect(error).toHaveProperty('message', expect.stringContaining(` cannot be used: ${limit}`));
  });

  it('is left as it is where the place is not at fault', () => {
    for (const error of [Object.assign(new Error('EIO'), { code: 'EIO' }), new Error('no code'), 'a text', undefined])
      expect(asPlaceError('/x/s', error)).toBe(error);
  });

  it('is quoted, so that no path forges a line', () => {
    expect(unusableSocketPath('/a\nb', 'so').message).toBe(String.raw`The socket path "/a\nb" cannot be used: so.`);
    expect(foreignSocket('/a', 7)).toMatchObject({
      code: 'socket_owner',
      message: '"/a" belongs to another user (uid 7).',
      details: { hint: 'Set T4A_SOCKET to a path in a directory of your own.' },
    });
  });
});
