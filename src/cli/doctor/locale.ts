/** Character set that programs in terminals have. */
import { C_UTF_8, namedLocale } from '../../base/character-set.js';
import type { Environment } from '../../base/npx-environment.js';
import { isT4aError } from '../../protocol/errors.js';
import type { Host } from '../host.js';
import { passed, warning, type Finding } from './finding.js';

const CHECK = 'locale';
const ELSE = 'else programs print no Unicode.';

/** @param charmap the character set of programs with that environment; undefined if the system does not report it */
export function examineLocale(host: Host, charmap = charmapOf): Finding {
  const { env } = host;
  const named = namedLocale(env);
  const locale = named?.locale ?? lcCtypeOf(host);
  if (locale === '') return warning(CHECK, 'none is set, and "lc_ctype" is empty', `Set LANG=C.UTF-8, ${ELSE}`);
  const says = named === undefined ? `none is set: programs get LC_CTYPE=${locale}` : locale;
  const isNamedUtf8 = /utf-?8/i.test(locale);
  const charset = charmap(named === undefined ? { ...env, LC_CTYPE: locale } : env);
  if (charset === undefined ? isNamedUtf8 : /utf-?8/i.test(charset)) return passed(CHECK, says);
  if (isNamedUtf8) return warning(CHECK, `${says}, which is not installed`, `Set LANG to one of "locale -a", ${ELSE}`);
  return warning(CHECK, says, `Set LANG=C.UTF-8, ${ELSE}`);
}

/** LC_CTYPE that a daemon would start with. Another check reports a wrong file. */
function lcCtypeOf(host: Host): string {
  const set = host.env['T4A_LC_CTYPE'];
  if (set) return set;
  try {
    const ofFile = host.configFile()?.fields['lc_ctype'];
    return typeof ofFile === 'string' ? ofFile : C_UTF_8;
  } catch (error) {
    if (isT4aError(error)) return C_UTF_8;
    throw error;
  }
}

function charmapOf(env: Environment): string | undefined {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { status, stdout } = spawnSync('locale', ['charmap'], { env, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
