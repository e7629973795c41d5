/** Arguments by position: which field each one fills. */
import { T4aError, quote } from '../../protocol/errors.js';
import type { Invocation } from './invocation.js';
import type { CommandSyntax, PositionalSyntax } from './syntax.js';
import { RANGE, readValue } from './values.js';

export function assignPositionals(invocation: Invocation, given: readonly string[]): void {
  const { command } = invocation;
  const values = withAction(command, given);
  const wanted = leavesOutId(command, values) ? command.positionals.slice(1) : command.positionals;
  const last = wanted.at(-1);
  if (values.length > wanted.length && last?.rest !== true) {
    throw new T4aError(
      'usage',
      `"${command.name}" takes ${countOf(wanted)}; ${quote(values[wanted.length])} is one too many.`,
    );
  }
  for (const [i, positional] of wanted.entries()) {
    const value = values[i];
    if (value !== undefined) assign(invocation, positional, positional.rest === true ? values.slice(i) : value);
    else if (positional.optional !== true) throw new T4aError('usage', `"${command.name}" needs ${positional.label}.`);
  }
}

/** The action of a single argument that is none of the actions: it is the terminal. Only what reads may be left out. */
const LEFT_OUT: Readonly<Record<string, string>> = { control: 'show' };

function withAction({ name, positionals }: CommandSyntax, given: readonly string[]): readonly string[] {
  const action = LEFT_OUT[name];
  const [only] = given;
  if (action === undefined || only === undefined || given.length > 1) return given;
  return positionals[1]?.values?.includes(only) === true ? given : [only, action];
}

/**
 * The terminal's id may be left out where what is there cannot be it: too few arguments for the ones that must come, or
 * only a range (no id holds a colon). `send` with one argument has the id: input from a pipe is the common case.
 */
function leavesOutId(command: CommandSyntax, values: readonly string[]): boolean {
  const [first, ...others] = command.positionals;
  if (first?.field !== 'id') return false;
  const required = others.filter((positional) => positional.optional !== true).length;
  if (values.length <= required) return true;
  return values.length === 1 && others[0]?.type === 'range' && RANGE.test(values[0] ?? '');
}

function assign(invocation: Invocation, positional: PositionalSyntax, given: string | readonly string[]): void {
  const target = invocation.command.local === true ? invocation.options : invocation.params;
  if (typeof given !== 'string') target[positional.field] = given;
  else if (positional.type === 'range') Object.assign(target, readValue(positional, given, positional.label));
  else target[positional.field] = readValue(positional, given, positional.label);
}

function countOf(wanted: readonly PositionalSyntax[]): string {
  if (wanted.length === 0) return 'no arguments';
  const labels = wanted.map((positional) => positional.label).join(' ');
  return wanted.length === 1 ? `one argument (${labels})` : `${wanted.length} arguments (${labels})`;
}
