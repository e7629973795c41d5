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
  it('has at most the number of bytes that the system allows, for any characters', () => {
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

  it('has a short default', () => {
    expect(DEFAULT_SOCKET_PATH).toBe('/tmp/t4a.sock');
    expect(() => checkSocketPath(DEFAULT_SOCKET_PATH, 'darwin')).not.toThrow();
  });

  it('must not contain a NUL, which would cut it silently', () => {
    expect(() => checkSocketPath('/tmp/a\0b', 'linux')).toThrow('it contains a NUL');
  });

  it('has its lock and its log in the same directory', () => {
    expect(lockPath('/run/s')).toBe('/run/s.lock');
    expect(logPath('/run/s')).toBe('/run/s.log');
  });
});

describe('an error about a socket path', () => {
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

  it.each(PLACES)('with the cause %s has a sentence and a next step', (code) => {
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
  ])('with the cause %s names %s', (code, limit) => {
    const error = asPlaceError('/x/s', Object.assign(new Error(code), { code }));
    expect(error).toMatchObject({ code: 'socket_path' });
    expect(error).toHaveProperty('message', expect.stringContaining(` cannot be used: ${limit}`));
  });

  it('with any other cause is returned unchanged', () => {
    for (const error of [Object.assign(new Error('EIO'), { code: 'EIO' }), new Error('no code'), 'a text', undefined])
      expect(asPlaceError('/x/s', error)).toBe(error);
  });

  it('quotes the path, so that a path cannot forge a line', () => {
    expect(unusableSocketPath('/a\nb', 'so').message).toBe(String.raw`The socket path "/a\nb" cannot be used: so.`);
    expect(foreignSocket('/a', 7)).toMatchObject({
      code: 'socket_owner',
      message: '"/a" belongs to another user (uid 7).',
      details: { hint: 'Set T4A_SOCKET to a path in a directory of your own.' },
    });
  });
});
