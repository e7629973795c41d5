/** Hints of the daemon in the words of the command line: fields are its options, and settings are those of `t4a config`. */
import { hintForCode } from '../protocol/code-hints.js';
import type { T4aError } from '../protocol/errors.js';
import type { Invocation } from './argv/invocation.js';
import { asked, withHostOf } from './here.js';

/** Perhaps with its value, as in `"reuse": true`. */
const FIELD = /"([a-z_0-9]+)"(?:: (true|"[^"]*"|\d+))?/g;

/** Fields that name a terminal or its host: what is wrong with them has nothing to do with the command. */
const NAMING: ReadonlySet<string> = new Set(['id', 'terminal', 'scope', 'host']);

const SETTING = /raise "([a-z_]+)" with "config"/g;

/** These quote what the caller wrote, or may write. */
const OF_VALUES = /^(?:Did you mean|One of|If that is)\b/;

/** @param invocation undefined where the command line could not be read */
export function hintHere(hint: string, invocation: Invocation | undefined): string {
  if (invocation === undefined || OF_VALUES.test(hint)) return hint;
  const { command, params, options } = invocation;
  const isCondition = command.turn?.includes('until') === true;
  const words = hint
    .replaceAll(SETTING, (_, name: string) => `raise it with "t4a config --${name.replaceAll('_', '-')} N"`)
    .replaceAll('with "kill"', 'with "t4a kill"')
    .replaceAll(FIELD, (quoted, name: string, value: string | undefined) => {
      // Of the command line's own only the conditions of `wait` have the names of the wire.
      const flag = command.flags.find((one) => one.field === name && (one.local !== true || isCondition));
      if (flag === undefined) return quoted;
      const given = value === undefined || value === 'true' ? '' : ` ${value.replaceAll('"', '')}`;
      return `--${flag.flag}${given}`;
    });
  return asked(words, withHostOf(params, options));
}

/** Details with the hint, and the id that it proposes, as the caller can give them. */
export function detailsHere({ code, details }: T4aError, invocation: Invocation | undefined): T4aError['details'] {
  const { closest } = details;
  const on = invocation === undefined ? undefined : withHostOf(invocation.params, invocation.options)['on'];
  const hint = details.hint ?? (on === undefined ? undefined : hintForCode(code, invocation?.params['id']));
  const own = invocation?.standsFor;
  const isOfField = code === 'usage' || (details.field !== undefined && !NAMING.has(details.field));
  const isOfArguments = own !== undefined && isOfField;
  const isId = code === 'terminal_not_found' && closest !== undefined;
  return {
    ...details,
    ...(isOfArguments
      ? { hint: [own, ...(hint === undefined ? [] : [hintHere(hint, invocation)])].join(' ') }
      : hint === undefined
        ? {}
        : { hint: hintHere(hint, invocation) }),
    ...(isId && typeof on === 'string' && !/[/:]/.test(on) ? { closest: `${on}/${closest}` } : {}),
  };
}
