/** Prompts that provably arrive: `deliver`. */
import type { Feature } from '../feature.js';
import type { ActingCore } from '../acting/acting-core.js';
import { senderOf } from '../../terminal/input/input-gate.js';
import { Delivery } from './delivery.js';
import { lineOf } from './line.js';
import { PromptText } from './prompt-text.js';
import { type Receipt, withReceipt } from './receipts.js';

export function deliveryFeature(core: ActingCore): Feature<'deliver'> {
  return {
    handlers: {
      async deliver(params, call) {
        const text = new PromptText(params.text);
        const terminal = core.terminals.use(params.id, call);
        const rules = await core.rules.load();
        // It ends by a signal of its own, once all have gone that wait for it.
        const { gone: _, ...sender } = senderOf(call, {});
        const deliver = (signal: AbortSignal): Promise<Receipt> =>
          lineOf(terminal).within(
            terminal.id,
            (line) => new Delivery({ terminal, rules, line, text, params, sender, signal }),
            call.connection,
          );
        const { key } = params;
        return key === undefined ? deliver(call.signal) : withReceipt(terminal, key, text.text, call.signal, deliver);
      },
    },
  };
}
