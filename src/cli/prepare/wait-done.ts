/** `t4a wait --done` by itself, where no shell could ever report that a command is done: it would wait in vain. */
import { T4aError } from '../../protocol/errors.js';
import type { Prepare } from './preparer.js';

export const prepareWait: Prepare = async ({ params }, _host, client) => {
  const until = params['until'] as readonly object[] | undefined;
  if (until?.every((condition) => 'done' in condition) !== true) return params;
  const { id, alive, has_shell: hasShell } = await (await client()).call('status', { id: String(params['id']) });
  // An older daemon does not say it.
  if (!alive || (hasShell as boolean | undefined) !== false) return params;
  throw new T4aError('no_shell_prompt', `Terminal "${id}" has had no shell so far, so no command can be done.`, {
    hint: `t4a wait ${id} --input waits until its program reads, --exit until it ends.`,
  });
};
