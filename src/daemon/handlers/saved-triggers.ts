/** Gives a new terminal the triggers of the owner's file that are meant for it. */
import { isT4aError } from '../../protocol/errors.js';
import type { Daemon } from '../daemon.js';
import { compilePattern } from '../reading/pattern.js';
import type { Terminal } from '../terminal/terminal.js';
import { terminalTest } from '../terminal/where.js';
import { type SavedTrigger, TriggersFile } from '../triggers/triggers-file.js';
import { checkTrigger, entriesFor } from './trigger.js';
import { act, callOf } from './trigger-actions.js';

const files = new WeakMap<Daemon, TriggersFile>();

/** Those of a file that cannot be used are left out, with a `warning`. */
export async function addSavedTriggers(daemon: Daemon, terminal: Terminal): Promise<void> {
  const triggers = await daemon.triggers();
  const saved = fileOf(daemon).read();
  const entries = await entriesFor(daemon, terminal, saved);
  if (terminal.state.kind === 'removed') return;
  for (const { where, as, ...params } of saved) {
    if (where !== undefined && !terminalTest(where)(terminal)) continue;
    const { connection } = callOf(as)('trigger');
    try {
      triggers.add({
        terminal,
        params,
        as,
        connection,
        isRequested: false,
        openEntry: entries?.open,
        act: (own, firing) => act(daemon, own, firing),
      });
    } catch (error) {
      if (!isT4aError(error)) throw error;
      warn(daemon, `Trigger ${params.name ?? ''} of ${daemon.triggersFile}: ${error.message}`);
    }
  }
}

function fileOf(daemon: Daemon): TriggersFile {
  let file = files.get(daemon);
  if (file === undefined) {
    file = new TriggersFile(daemon.triggersFile, check, (message) => warn(daemon, message));
    files.set(daemon, file);
  }
  return file;
}

/** @throws T4aError */
function check({ where, as, ...params }: SavedTrigger): void {
  checkTrigger(params, as);
  if (where !== undefined) terminalTest(where);
  for (const { regex: text } of params.when)
    if (text !== undefined) compilePattern({ text, fixed: false, ignoreCase: false, field: 'when' });
}

function warn(daemon: Daemon, message: string): void {
  daemon.bus.announce({ event: 'warning', code: 'trigger', message });
}
