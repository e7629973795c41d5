/** Questions to persons: `ask`, `asks`, `answer`. Loaded with the first of them. */
import { presenceOf } from '../../terminal/presence.js';
import type { ActingCore } from '../acting/acting-core.js';
import type { Feature } from '../feature.js';
import { answer } from './answer.js';
import { ask, asks as list, follow } from './ask.js';
import { Asks, type FrozenAsks } from './asks.js';

export function asksFeature(core: ActingCore): Feature<'ask' | 'asks' | 'answer'> {
  const asks = new Asks({
    clock: core.clock,
    announce: (event) => core.bus.announce(event),
    show(id, numbers) {
      const terminal = core.terminals.peek(id);
      if (terminal !== undefined) presenceOf(terminal).asks = numbers;
    },
  });
  return {
    handlers: { ask: ask(core, asks), asks: list(core, asks), answer: answer(core, asks) },
    freeze: () => asks.freeze(),
    thaw(state: FrozenAsks) {
      asks.restore(state, (open) => {
        const terminal = open.terminal === undefined ? undefined : core.terminals.peek(open.terminal);
        if (terminal !== undefined) follow(asks, open, terminal);
      });
    },
    dispose: () => asks.dispose(),
  };
}
