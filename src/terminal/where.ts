/** The terminals that a request means by their labels, ids, makers or programs, and those below a terminal. */
import { doingOf } from '../events/status/doing-view.js';
import { isDoing } from '../events/waits/doing.js';
import { finish } from '../search/work.js';
import { Regex } from '../search/regex.js';
import { needOf } from '../protocol/needs-person.js';
import type { Where } from '../protocol/labels.js';
import { identityOf } from './identity.js';
import type { Terminal } from './terminal.js';
import type { Terminals } from './terminals.js';

/** @throws T4aError bad_regex */
export function terminalsWhere(terminals: Pick<Terminals, 'all'>, where: Where): Terminal[] {
  return terminals.all().filter(terminalTest(where));
}

/** @throws T4aError bad_regex */
export function terminalTest({
  id,
  labels = {},
  owner,
  command_regex: pattern,
  doing,
  needs_you: needsYou,
}: Where): (terminal: Terminal) => boolean {
  const regex = pattern === undefined ? undefined : new Regex({ text: pattern, field: 'where.command_regex' });
  return (terminal) => {
    if (id !== undefined && !id.includes(terminal.id)) return false;
    const own = identityOf(terminal);
    if (!Object.entries(labels).every(([name, value]) => own.labels[name] === value)) return false;
    if (owner !== undefined && own.owner !== owner) return false;
    if (doing !== undefined || needsYou !== undefined) {
      const now = doingOf(terminal)?.now().doing;
      if (doing !== undefined && (now === undefined || !isDoing(now, doing))) return false;
      if (needsYou !== undefined && (needOf({ doing: now }) !== null) !== needsYou) return false;
    }
    return regex === undefined || finish(regex.test(terminal.command.join(' ')));
  };
}

/** The terminal and those that were created from within it, children first. */
export function treeOf(terminals: Pick<Terminals, 'all'>, root: Terminal): Terminal[] {
  const all = terminals.all();
  const found: Terminal[] = [];
  const visit = (terminal: Terminal): void => {
    if (found.includes(terminal)) return;
    found.push(terminal);
    for (const child of all) if (identityOf(child).parent === terminal.id) visit(child);
  };
  visit(root);
  return found.toReversed();
}
