/** Gives a new terminal the triggers of the owner's file that are meant for it. */
import { isT4aError } from '../../protocol/errors.js';
import type { NotifyRule } from '../../protocol/triggers.js';
import type { ActingCore } from '../acting/acting-core.js';
import { compilePattern } from '../../search/pattern.js';
import type { Terminal } from '../../terminal/terminal.js';
import { terminalTest } from '../../terminal/where.js';
import { type SavedTrigger, TriggersFile } from './triggers-file.js';
import { type Act, callOf } from './actions.js';
import { checkTrigger, entriesFor } from './commands.js';
import type { Triggers } from './triggers.js';

export interface SavedTriggersOptions {
  readonly core: ActingCore;
  readonly triggers: Triggers;
  readonly act: Act;
  /** Whether or not it exists. */
  readonly path: string;
}

export class SavedTriggers {
  readonly #options: SavedTriggersOptions;
  readonly #file: TriggersFile;

  constructor(options: SavedTriggersOptions) {
    this.#options = options;
    this.#file = new TriggersFile(options.path, check, (message) => this.#warn(message));
  }

  /** As the file says now. */
  get notify(): readonly NotifyRule[] {
    return this.#file.read().notify;
  }

  /** Those of a file that cannot be used are left out, with a `warning`. */
  async addTo(terminal: Terminal): Promise<void> {
    const { core, triggers, act, path } = this.#options;
    const { triggers: saved } = this.#file.read();
    const entries = await entriesFor(core, terminal, saved);
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
          takers: undefined,
          isRequested: false,
          openEntry: entries?.open,
          act,
        });
      } catch (error) {
        if (!isT4aError(error)) throw error;
        this.#warn(`Trigger ${params.name ?? ''} of ${path}: ${error.message}`);
      }
    }
  }

  #warn(message: string): void {
    this.#options.core.bus.announce({ event: 'warning', code: 'trigger', message });
  }
}

/** @throws T4aError */
function check({ where, as, ...params }: SavedTrigger): void {
  checkTrigger(params, as);
  if (where !== undefined) terminalTest(where);
  for (const { regex: text } of params.when)
    if (text !== undefined) compilePattern({ text, fixed: false, ignoreCase: false, field: 'when' });
}
