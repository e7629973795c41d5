/** The fields that local flags stand for: the conditions of `wait`, the wait and the look of a turn, an attached picture. */
import type { CommandSyntax } from '../argv/syntax.js';
import type { Host } from '../host.js';
import type { Fields } from '../argv/invocation.js';
import { attachedPicture } from './picture-file.js';
import { triggerFields } from './trigger.js';
import { turnFields } from './turn.js';
import { waitConditions } from './wait.js';
import { readLabels } from '../argv/values.js';

interface Given {
  readonly command: CommandSyntax;
  readonly params: Fields;
  readonly options: Fields;
}

/** @throws T4aError usage */
export function preparedFields(
  { command: { name, turn }, params: given, options }: Given,
  host: Host,
): Record<string, unknown> {
  const params = withLabels(name, given);
  if (name === 'trigger') return triggerFields(params, options, host);
  if (turn?.includes('until') === true) return { ...params, ...waitConditions(options) };
  if (turn !== undefined) return { ...params, ...turnFields(options, host) };
  const file = options['screenshot'];
  return file === undefined ? { ...params } : { ...params, screenshot: attachedPicture(file) };
}

/** `--set NAME=VALUE` of `label` and `--label NAME=VALUE` of `create`: an object in the request. */
const FLAGS: Readonly<Record<string, { readonly field: string; readonly flag: string }>> = {
  create: { field: 'labels', flag: '--label' },
  label: { field: 'set', flag: '--set' },
};

/** @throws T4aError usage */
export function withLabels(command: string, params: Fields): Fields {
  const { field, flag } = FLAGS[command] ?? {};
  const given = field === undefined ? undefined : params[field];
  if (field === undefined || flag === undefined || !Array.isArray(given)) return params;
  return { ...params, [field]: readLabels(given.map(String), flag) };
}
