import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asPlaceError,
  checkSocketPath,
  foreignSocket,
  lockPath,
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

  it('has no NUL, behind which it would be cut in silence', () => {
    expect(() => checkSocketPath('/tmp/a\0b', 'linux')).toThrow('it contains a NUL');
  });

  it('has its lock beside it', () => {
    expect(lockPath('/run/s')).toBe('/run/s.lock');
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
