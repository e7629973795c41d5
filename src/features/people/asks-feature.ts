/** Questions to persons: `ask`, `asks`, `answer`. Loaded with the first of them. */
import { presenceOf } from '../../terminal/presence.js';
import type { ActingCore } from '../acting/acting-core.js';
import type { Feature } from '../feature.js';
import { answer } from './answer.js';
import { ask, asks as list } from './ask.js';
import { Asks } from './asks.js';

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
    keeps: () => (asks.open.length > 0 ? ['questions to persons'] : []),
    dispose: () => asks.dispose(),
  };
}
