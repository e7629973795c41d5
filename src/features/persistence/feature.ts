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
import { KeptTerminal } from './kept-terminal.js';

/** At a shutdown, for a disk that does not answer. */
const LAST_WRITES_MS = 2000;

export function persistenceFeature(core: Core, { version }: { readonly version: string }): Feature {
  const { clock, bus } = core;
  const writers = new Writers();
  const open = new Set<KeptTerminal>();
  return {
    handlers: {},
    observe(terminal: Terminal) {
      const { persist: root } = core.config;
      if (root === '') return undefined;
      const warn = (message: string): void =>
        bus.announce({ event: 'warning', code: 'persist', message, terminal: terminal.id });
      const kept = new KeptTerminal(terminal, { root, version, clock, writers, limits: RECORDING_LIMITS, warn });
      terminal.part(PERSISTED).value = kept;
      open.add(kept);
      void kept.closed.finally(() => open.delete(kept));
      return kept.observer;
    },
    keeps: () => (open.size > 0 ? ['terminals that are kept on disk'] : []),
    async dispose() {
      const finished = Promise.all([...open].map((kept) => kept.finish()));
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
