import { describe, expect, it } from 'vitest';
import { RefusedFile } from '../../src/base/settings-file.js';
import { configFileError, configFilePath, readConfigFile } from '../../src/protocol/config-file.js';

const reading = (text: string) => readConfigFile('/c/config.json', () => text);

const failing = (code: string) => (): string => {
  throw Object.assign(new Error(`${code}: no`), { code });
};

describe('the path of the configuration file', () => {
  it.each([
    [{ XDG_CONFIG_HOME: '/x' }, '/x/t4a/config.json'],
    [{ XDG_CONFIG_HOME: '/x//' }, '/x/t4a/config.json'],
    [{ XDG_CONFIG_HOME: 'relative' }, '/home/me/.config/t4a/config.json'],
    [{ XDG_CONFIG_HOME: '' }, '/home/me/.config/t4a/config.json'],
    [{}, '/home/me/.config/t4a/config.json'],
  ])('with %j is %s', (env, expected) => {
    expect(configFilePath(env, '/home/me')).toBe(expected);
  });
});

describe('the configuration file', () => {
  it('is undefined if it does not exist', () => {
    for (const code of ['ENOENT', 'ENOTDIR']) expect(readConfigFile('/c', failing(code))).toBeUndefined();
  });

  it.each(['EACCES', 'EPERM'])('counts as absent if it may not be read, with a warning: %s', (code) => {
    const told: string[] = [];
    expect(readConfigFile('/c', failing(code), (says) => told.push(says))).toBeUndefined();
    expect(readConfigFile('/c', failing(code))).toBeUndefined();
    expect(told).toEqual([`"/c" may not be read (${code}), and counts as absent`]);
    expect(readConfigFile('/c', failing('ENOENT'), (says) => told.push(says))).toBeUndefined();
    expect(told).toHaveLength(1);
  });

  it('that cannot be read causes an error with the reason', () => {
    for (const code of ['EISDIR', 'ELOOP', 'EIO'])
      expect(() => readConfigFile('/c', failing(code))).toThrow(
        expect.objectContaining({ code: 'usage', message: `"/c" cannot be read (${code}).` }) as Error,
      );
    const odd = (): string => {
      throw new Error('odd');
    };
    expect(() => readConfigFile('/c', odd)).toThrow('"/c" cannot be read (Error: odd).');
  });

  it('is returned with its path, text and fields', () => {
    expect(reading('{"scrollback": 5, "x": [1]}')).toEqual({
      path: '/c/config.json',
      text: '{"scrollback": 5, "x": [1]}',
      fields: { scrollback: 5, x: [1] },
    });
  });

  it('that is not JSON causes an error with the line', () => {
    expect(() => reading('{\n  "a": 1,\n  b\n}')).toThrow(/^In "\/c\/config\.json", line 3: /);
    expect(() => reading('')).toThrow(/^In "\/c\/config\.json", line 1: /);
  });

  it.each(['[]', 'null', '7', '"text"', 'true'])('that is %s is refused with an example of an object', (text) => {
    expect(() => reading(text)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: '"/c/config.json" is not a JSON object.',
        details: { hint: 'For example {"scrollback":5000}.' },
      }) as Error,
    );
  });

  it('causes errors with the line of a wrong field, if it contains that field', () => {
    const file = reading('{\n  "scrollback": 5,\n  "theme": 7\n}');
    if (file === undefined) throw new Error('it is there');
    expect(configFileError(file, 'theme', 'it is wrong.', { hint: 'mend it' })).toMatchObject({
      code: 'usage',
      message: 'In "/c/config.json", line 3: it is wrong.',
      details: { hint: 'mend it', field: 'theme' },
    });
    expect(configFileError(file, 'cols', 'it is missing.').message).toBe('In "/c/config.json": it is missing.');
  });
});

describe('a configuration file that is refused', () => {
  const refusing = (says: string, isOthers: boolean) => (): string => {
    throw new RefusedFile(says, isOthers);
  };

  it('is named with the reason', () => {
    expect(() => readConfigFile('/c', refusing('is a FIFO, no regular file', false))).toThrow(
      '"/c" is a FIFO, no regular file: it is not read.',
    );
  });

  it("counts as absent if it is another user's, with a warning", () => {
    const told: string[] = [];
    expect(readConfigFile('/c', refusing('belongs to another user (uid 7)', true), (says) => told.push(says))).toBe(
      undefined,
    );
    expect(told).toEqual(['"/c" belongs to another user (uid 7), and counts as absent']);
  });
});
