/**
 * Terminals that are kept beyond their daemon, as the setting `persist` says: each new one in a folder of its own. Loaded before the first
 * of them is created, so that none of its bytes are missing.
 */
import type { Terminal } from '../../terminal/terminal.js';
import type { Core } from '../core.js';
import type { Feature } from '../feature.js';
import { PERSISTED } from '../past/persisted.js';
import { RECORDING_LIMITS } from '../recording/recordings.js';
import { Writers } from '../recording/writers.js';
import { type FrozenKept, KeptTerminal } from './kept-terminal.js';

/** At a shutdown, for a disk that does not answer. */
const LAST_WRITES_MS = 2000;

/** By the id of the terminal. */
type FrozenPersistence = ReadonlyMap<string, FrozenKept>;

export function persistenceFeature(core: Core, { version }: { readonly version: string }): Feature {
  const { clock, bus } = core;
  const writers = new Writers();
  const open = new Map<KeptTerminal, Terminal>();
  const keep = (terminal: Terminal, frozen?: FrozenKept): KeptTerminal => {
    const { persist: root } = core.config;
    const warn = (message: string): void =>
      bus.announce({ event: 'warning', code: 'persist', message, terminal: terminal.id });
    const kept = new KeptTerminal(terminal, { root, version, clock, writers, limits: RECORDING_LIMITS, warn, frozen });
    terminal.part(PERSISTED).value = kept;
    open.set(kept, terminal);
    const onEvent = ({ event }: { readonly event: string }): void => {
      if (event === 'removed') void kept.closed.finally(() => open.delete(kept));
    };
    terminal.feed.add({ onEvent });
    return kept;
  };
  return {
    handlers: {},
    observe: (terminal: Terminal, isNew) =>
      core.config.persist === '' || !isNew ? undefined : keep(terminal).observer,
    keeps: () => ([...open.keys()].every((kept) => kept.isPortable) ? [] : ['terminals whose folders are being made']),
    settle() {
      for (const kept of open.keys()) kept.settle();
    },
    freeze: (): FrozenPersistence | undefined =>
      open.size === 0 ? undefined : new Map(Array.from(open, ([kept, { id }]) => [id, kept.freeze()] as const)),
    thaw(state: FrozenPersistence) {
      for (const [id, frozen] of state) {
        const terminal = core.terminals.peek(id);
        if (terminal !== undefined) terminal.feed.add(keep(terminal, frozen).observer);
      }
    },
    async written() {
      await Promise.all(Array.from(open.keys(), (kept) => kept.settled()));
    },
    async dispose() {
      const finished = Promise.all(Array.from(open.keys(), (kept) => kept.finish()));
      await new Promise<void>((resolve) => {
        const deadline = clock.after(LAST_WRITES_MS, resolve);
        void finished.then(() => {
          deadline.dispose();
          resolve();
        });
      });
      writers.dispose();
    },
  };
}
