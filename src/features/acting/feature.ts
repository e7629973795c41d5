/** Input to terminals, waits, and runs of commands. */
import type { StreamedRuns } from '../../terminal/streamed-runs.js';
import type { Feature } from '../feature.js';
import type { Launcher } from '../core.js';
import type { ActingCore } from './acting-core.js';
import { clear } from './clear.js';
import { focus } from './focus.js';
import { mouse } from './mouse.js';
import { paste } from './paste.js';
import { press } from './press.js';
import { resize } from './resize.js';
import { run } from './run.js';
import { isToResume, runsUnderWay } from './runs-under-way.js';
import { lineToResume, lineUnderWay } from './run-at-prompt.js';
import type { FrozenShellCommand } from './running-line.js';
import { send } from './send.js';
import { type } from './type.js';
import { wait } from './wait.js';

type Name = 'send' | 'press' | 'type' | 'paste' | 'mouse' | 'focus' | 'resize' | 'clear' | 'wait' | 'run';

interface FrozenRuns {
  /** By the id of the terminal: whether it stays. */
  readonly runs: ReadonlyMap<string, boolean>;
  readonly lines: ReadonlyMap<string, FrozenShellCommand>;
}

export function actingFeature(core: ActingCore, launcher: Launcher, streamedRuns: StreamedRuns): Feature<Name> {
  return {
    handlers: {
      send: send(core),
      press: press(core),
      type: type(core),
      paste: paste(core),
      mouse: mouse(core),
      focus: focus(core),
      resize: resize(core),
      clear: clear(core),
      wait: wait(core),
      run: run({ core, launcher, streamedRuns }),
    },
    freeze() {
      const all = core.terminals.all();
      const lines = all.flatMap((terminal) => {
        const line = lineUnderWay(terminal);
        return line === undefined ? [] : [[terminal.id, line] as const];
      });
      return { runs: runsUnderWay(all), lines: new Map(lines) };
    },
    thaw(frozen: FrozenRuns | readonly string[]) {
      const isList = Array.isArray as (value: typeof frozen) => value is readonly string[];
      // Of version 2, which does not say whether they stay.
      const state = isList(frozen) ? { runs: new Map(frozen.map((id) => [id, true])), lines: [] } : frozen;
      for (const [id, stays] of state.runs) {
        const terminal = core.terminals.peek(id);
        if (terminal !== undefined) isToResume(terminal, stays, () => void launcher.remove(terminal));
      }
      for (const [id, line] of state.lines) {
        const terminal = core.terminals.peek(id);
        if (terminal !== undefined) lineToResume(terminal, core.clock, line);
      }
    },
  };
}
