/** Histories of all terminals, and marks in them: `marker`. */
import { memoryLimit } from '../../terminal/system/memory.js';
import type { Core } from '../core.js';
import type { Feature } from '../feature.js';
import { type FrozenHistories, Histories } from './histories.js';
import type { Handler } from '../../rpc/service.js';

export interface PastFeature extends Feature<'marker'> {
  readonly histories: Histories;
}

export function pastFeature(core: Core): PastFeature {
  const histories = new Histories({
    clock: core.clock,
    limits: () => core.config,
    memoryLimit: () => memoryLimit(core.config.max_memory_bytes),
  });
  return {
    histories,
    handlers: { marker: marker(core) },
    observe: (terminal) => histories.observe(terminal),
    freeze: () => histories.freeze(),
    leave: () => histories.leave(),
    thaw: (state: FrozenHistories) => histories.restore(state),
    dropCaches: () => histories.halve(),
  };
}

export const marker =
  (core: Core): Handler<'marker'> =>
  async ({ id, label }, call) => {
    const terminal = core.terminals.use(id, call);
    await terminal.settle();
    terminal.publish({ event: 'marker', terminal: terminal.id, label });
    return { seq: core.bus.lastSeq };
  };
