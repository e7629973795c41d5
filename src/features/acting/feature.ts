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
import { isToResume, run, runsUnderWay } from './run.js';
import { send } from './send.js';
import { type } from './type.js';
import { wait } from './wait.js';

type Name = 'send' | 'press' | 'type' | 'paste' | 'mouse' | 'focus' | 'resize' | 'clear' | 'wait' | 'run';

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
      const ids = runsUnderWay(core.terminals.all());
      return ids.length === 0 ? undefined : ids;
    },
    thaw(ids: readonly string[]) {
      for (const terminal of ids.map((id) => core.terminals.peek(id))) if (terminal !== undefined) isToResume(terminal);
    },
  };
}
