import { MAX_LABELS } from '../../protocol/labels.js';
import { T4aError } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import type { Core } from '../../features/core.js';
import { identityOf } from '../../terminal/identity.js';
import { admitAct } from '../../terminal/admitted-act.js';

export const label =
  (core: Core): Handler<'label'> =>
  ({ id, set = {}, unset = [], force }, call) => {
    const changes = Object.keys(set).length + unset.length > 0;
    const terminal = core.terminals.use(id, call, changes);
    if (changes) admitAct(core.terminals, [terminal], force, call);
    const identity = identityOf(terminal);
    const next = new Map(Object.entries({ ...identity.labels, ...set }));
    for (const name of unset) next.delete(name);
    if (next.size > MAX_LABELS) {
      throw new T4aError(
        'over_limit',
        `Terminal "${terminal.id}" would have ${next.size} labels: at most ${MAX_LABELS}.`,
        {
          field: 'set',
          hint: 'Remove some with "unset".',
        },
      );
    }
    const labels = Object.fromEntries(next);
    if (JSON.stringify(labels) !== JSON.stringify(identity.labels)) {
      identity.labels = labels;
      terminal.publish({ event: 'labelled', terminal: terminal.id, labels: { ...labels } });
    }
    return { labels: { ...labels }, parent: identity.parent };
  };
