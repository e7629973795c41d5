/** `--set NAME=VALUE` of `label` and `--label NAME=VALUE` of `create`: an object in the request. */
import type { Fields } from '../argv/invocation.js';
import { readLabels } from '../argv/values.js';

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
