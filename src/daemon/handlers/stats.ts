import type { Looks } from '../../features/pictures/looking-core.js';
import { readdirSync } from 'node:fs';
import { listenerCount } from '../../base/emitter.js';
import type { Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { Later } from '../../features/feature.js';
import type { RulesFeature } from '../../features/rules/feature.js';
import type { Daemon } from '../daemon.js';
import type { Terminal } from '../../terminal/terminal.js';

export const stats =
  (daemon: Daemon, rulesFeature: Later<RulesFeature>): Handler<'stats'> =>
  async (params) => {
    const rules = params.rules ? ((await rulesFeature.load()).used?.tally() ?? []) : undefined;
    const { options, core, resources, facts } = daemon;
    const { bus, terminals, looks } = core;
    const all = terminals.all();
    const sum = (of: (terminal: Terminal) => number): number => all.reduce((total, one) => total + of(one), 0);
    return {
      version: options.version,
      pid: process.pid,
      node: process.version,
      uptime_ms: Math.round(options.clock.now() - facts.startedAtMs),
      memory: { ...resources.memory(), state: resources.governor.state, ...resources.governor.steps },
      pictures: keptBy(looks),
      event_loop: resources.lag.figures(),
      terminals: { total: all.length, running: all.filter((terminal) => terminal.alive).length },
      output: {
        parsed_bytes: facts.parsedBytesOfRemoved + sum(({ screen }) => screen.parsedBytes),
        pending_bytes: sum(({ screen }) => screen.pendingBytes),
      },
      input: { pending_bytes: sum((terminal) => terminal.pendingInputBytes) },
      connections: options.connectionCounts(),
      events: { last_seq: bus.lastSeq, subscriptions: bus.subscriptionCount, dropped: bus.dropped },
      descriptors: countDescriptors(),
      timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
      listeners: listenerCount(),
      faults: options.log.errors,
      widths: options.widthProblem() ?? null,
      predecessor: facts.predecessor ?? null,
      ...(params.terminals ? { per_terminal: all.map(describe) } : {}),
      ...(rules === undefined ? {} : { rules }),
    };
  };

function keptBy({ pictures }: Looks): Reply<'stats'>['pictures'] {
  const { glyphs, pictures: finished } = pictures.keptBytes;
  return { glyph_bytes: glyphs, finished_bytes: finished };
}

function describe(terminal: Terminal): NonNullable<Reply<'stats'>['per_terminal']>[number] {
  const { screen } = terminal;
  return {
    id: terminal.id,
    parsed_bytes: screen.parsedBytes,
    pending_bytes: screen.pendingBytes,
    input_pending_bytes: terminal.pendingInputBytes,
    lines: screen.totalLines,
    memory_bytes: terminal.memory.weigh(),
    paused: terminal.memory.outputPaused,
  };
}

/** Count of descriptors without the one that the listing itself opens. */
function countDescriptors(): number | null {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    // ENOENT: a system without /proc.
    return null;
  }
}
