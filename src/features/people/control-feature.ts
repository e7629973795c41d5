/** Who may type: `control`. Loaded with the first request. */
import type { Core } from '../core.js';
import type { Feature } from '../feature.js';
import { control } from './control.js';
import { controlOf, type FrozenControl, TerminalControl } from './terminal-control.js';

/** By the id of the terminal. */
type FrozenControls = ReadonlyMap<string, FrozenControl>;

export const controlFeature = (core: Core): Feature<'control'> => ({
  handlers: { control: control(core) },
  freeze: (): FrozenControls =>
    new Map(
      core.terminals
        .all()
        .flatMap(({ id, input: { gate } }) => (gate instanceof TerminalControl ? [[id, gate.freeze()] as const] : [])),
    ),
  thaw(controls: FrozenControls) {
    for (const [id, frozen] of controls) {
      const terminal = core.terminals.peek(id);
      if (terminal !== undefined) controlOf(terminal).restore(frozen);
    }
  },
});
