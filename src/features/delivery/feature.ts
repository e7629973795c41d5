/** Prompts that provably arrive: `deliver`. */
import type { Feature } from '../feature.js';
import type { ActingCore } from '../acting/acting-core.js';
import { isT4aError, T4aError } from '../../protocol/errors.js';
import { senderOf } from '../../terminal/input/input-gate.js';
import { Delivery } from './delivery.js';
import { lineOf } from './line.js';
import { PromptText } from './prompt-text.js';
import { type FrozenReceipts, frozenReceipts, type Receipt, restoreReceipts, withReceipt } from './receipts.js';

export function deliveryFeature(core: ActingCore): Feature<'deliver'> {
  const underWay = new Set<Delivery>();
  return {
    handlers: {
      async deliver(params, call) {
        const text = new PromptText(params.text);
        const terminal = core.terminals.use(params.id, call);
        const rules = await core.rules.load();
        // It ends by a signal of its own, once all have gone that wait for it.
        const { gone: _, ...sender } = senderOf(call, {});
        const deliver = async (signal: AbortSignal): Promise<Receipt> => {
          let delivery: Delivery | undefined;
          try {
            return await lineOf(terminal).within(
              terminal.id,
              (line) => {
                delivery = new Delivery({ terminal, rules, line, text, params, sender, signal });
                underWay.add(delivery);
                return delivery;
              },
              call.connection,
            );
          } finally {
            if (delivery !== undefined) underWay.delete(delivery);
          }
        };
        const { key } = params;
        const startedMs = core.clock.now();
        try {
          return await (key === undefined
            ? deliver(call.signal)
            : withReceipt(terminal, key, text.text, call.signal, deliver));
        } catch (error) {
          if (!isT4aError(error) || error.code !== 'replaced') throw error;
          // Of one that had begun the end is awaited first: nothing was written.
          const leftMs = Math.max(1, Math.round(params.timeout_ms - (core.clock.now() - startedMs)));
          const resume = { cmd: 'deliver', ...params, timeout_ms: leftMs };
          throw new T4aError(error.code, error.message, { ...error.details, acted: false, resume });
        }
      },
    },
    keeps: () => ([...underWay].some(({ isBegun }) => isBegun) ? ['prompts without a proof yet'] : []),
    freeze: () => frozenReceipts(core.terminals.all()),
    thaw(state: FrozenReceipts) {
      for (const [id, receipts] of state) {
        const terminal = core.terminals.peek(id);
        if (terminal !== undefined) restoreReceipts(terminal, receipts);
      }
    },
  };
}
