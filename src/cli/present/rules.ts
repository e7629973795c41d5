import type { Reply } from '../../protocol/registry.js';
import type { Host } from '../host.js';
import { formatTable } from '../output/table.js';
import { firstLine } from './entries.js';
import type { Present } from './presenter.js';

/** The profiles; of a check the verdict, and what the rules would find; of a replay what it has corrected. */
export const presentRules: Present<'rules'> = ({ reply, params }, host) => {
  if (params['action'] === 'check') {
    host.out('The rules are valid.\n');
    for (const { kind, rule, data } of reply.entries ?? []) {
      host.out(formatTable([[kind, rule, firstLine(data)]], Number.POSITIVE_INFINITY));
    }
    if (reply.profile !== undefined && reply.profile !== null) noteDifferences(reply.differences ?? [], host);
    return;
  }
  if (reply.corrections !== undefined) {
    if (reply.profile === null) return host.note('This terminal has no rules: none was run.\n');
    host.out(reply.corrections === 0 ? 'Nothing differs.\n' : `${reply.corrections} corrections have followed.\n`);
    return;
  }
  const rows = reply.profiles.map(({ id, rules, automatic }) => [
    id,
    String(rules),
    automatic ? 'by program' : 'by name',
  ]);
  host.out(formatTable([['PROFILE', 'RULES', 'CHOSEN'], ...rows], Number.POSITIVE_INFINITY));
  if (reply.profile !== undefined) host.note(`This terminal has ${reply.profile ?? 'no rules'}.\n`);
};

function noteDifferences(differences: NonNullable<Reply<'rules'>['differences']>, host: Host): void {
  const count = (of: string): string => `${differences.filter(({ change }) => change === of).length} ${of}`;
  host.note(`Of the entries of now: ${['added', 'changed', 'removed'].map(count).join(', ')}.\n`);
}
