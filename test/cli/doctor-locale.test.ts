/** Findings of the doctor about the character set of programs. */
import { describe, expect, test } from 'vitest';
import { examineLocale } from '../../src/cli/doctor/locale.js';
import { C_UTF_8 } from '../../src/base/character-set.js';
import { T4aError } from '../../src/protocol/errors.js';
import { host } from '../support/host.js';

type Environment = Readonly<Record<string, string>>;

/** A system without a report: the name decides. */
const silent = (): undefined => undefined;

describe('the locale', () => {
  test.each<[Environment, string, string]>([
    [{ LC_ALL: 'C.UTF-8', LC_CTYPE: 'C', LANG: 'C' }, 'ok', 'C.UTF-8'],
    [{ LC_CTYPE: 'de_DE.utf8', LANG: 'C' }, 'ok', 'de_DE.utf8'],
    [{ LC_ALL: '', LANG: 'C.UTF-8' }, 'ok', 'C.UTF-8'],
    [{ LC_ALL: 'C', LANG: 'C.UTF-8' }, 'warning', 'C'],
    [{ LC_CTYPE: 'POSIX', LANG: 'C.UTF-8' }, 'warning', 'POSIX'],
    [{}, 'ok', `none is set: programs get LC_CTYPE=${C_UTF_8}`],
    [{ LANG: '', T4A_LC_CTYPE: 'de_DE.UTF-8' }, 'ok', 'none is set: programs get LC_CTYPE=de_DE.UTF-8'],
    [{ T4A_LC_CTYPE: 'C' }, 'warning', 'none is set: programs get LC_CTYPE=C'],
  ])('of the environment %j is rated %s', (env, state, says) => {
    expect(examineLocale(host({ env }), silent)).toMatchObject({ state, says });
  });

  test.each([
    [{ lc_ctype: '' }, 'warning', 'none is set, and "lc_ctype" is empty'],
    [{ lc_ctype: 'ja_JP.UTF-8' }, 'ok', 'none is set: programs get LC_CTYPE=ja_JP.UTF-8'],
    [{ scrollback: 5 }, 'ok', `none is set: programs get LC_CTYPE=${C_UTF_8}`],
  ])('from the file %j is rated %s', (fields, state, says) => {
    const configFile = () => ({ path: '/c', text: '', fields });
    expect(examineLocale(host({ configFile }), silent)).toMatchObject({ state, says });
    expect(examineLocale(host({ configFile, env: { LANG: 'C.UTF-8' } }), silent).says).toBe('C.UTF-8');
  });

  test('is reported even if the file is invalid', () => {
    const configFile = (): never => {
      throw new T4aError('usage', 'wrong');
    };
    expect(examineLocale(host({ configFile }), silent).state).toBe('ok');
  });

  test('is a warning if it is not installed, else rated by its character set', () => {
    const env = { LANG: 'xx_YY.UTF-8' };
    expect(examineLocale(host({ env }), () => 'ANSI_X3.4-1968')).toMatchObject({
      state: 'warning',
      says: 'xx_YY.UTF-8, which is not installed',
    });
    expect(examineLocale(host({ env: { LANG: 'de_DE' } }), () => 'UTF-8').state).toBe('ok');
    expect(examineLocale(host({ env: { LANG: 'de_DE' } }), () => 'ISO-8859-1').state).toBe('warning');
  });

  test.runIf(process.platform === 'linux')('is looked up in the system', () => {
    const { state, says } = examineLocale(host({ env: { ...process.env, LC_ALL: 'xx_YY.UTF-8' } }));
    expect([state, says]).toEqual(['warning', 'xx_YY.UTF-8, which is not installed']);
    expect(examineLocale(host({ env: { PATH: process.env['PATH'] ?? '' } })).state).toBe('ok');
  });
});
