/** What programs are doing: `explain`, `report`, the event, and what lists, waits and watchers know of it. */
import { PartKey } from '../../base/parts.js';
import { DOING } from '../../events/status/doing-view.js';
import type { Core } from '../core.js';
import type { Feature } from '../feature.js';
import { DoingWatch, type FrozenDoing } from './doing-watch.js';

const WATCH = new PartKey<DoingWatch | undefined>(() => undefined);

/** By the id of the terminal. */
type FrozenDoings = ReadonlyMap<string, FrozenDoing>;

export function doingFeature(core: Core): Feature<'explain' | 'report'> {
  return {
    handlers: {
      async report(params, call) {
        const { report } = await import('./report.js');
        return report(core, (terminal) => terminal.part(WATCH).value)(params, call);
      },
      async explain({ id, at }, call) {
        const terminal = core.terminals.use(id, call);
        await terminal.settle();
        const { explainDoing } = await import('./explain.js');
        return explainDoing(terminal, terminal.part(WATCH).value, at);
      },
    },
    observe(terminal) {
      // Of an opened recording nothing is said: it is no program.
      if (terminal.recording !== undefined) return undefined;
      const watch = new DoingWatch(terminal);
      terminal.part(WATCH).value = terminal.part(DOING).value = watch;
      return watch;
    },
    freeze: (): FrozenDoings =>
      new Map(
        core.terminals.all().flatMap((terminal) => {
          const watch = terminal.part(WATCH).value;
          return watch === undefined ? [] : [[terminal.id, watch.freeze()] as const];
        }),
      ),
    thaw(doings: FrozenDoings) {
      for (const [id, frozen] of doings) core.terminals.peek(id)?.part(WATCH).value?.restore(frozen);
    },
  };
}
