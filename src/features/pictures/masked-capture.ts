/** What a picture will show, without its secrets, for those whose replies are masked. */
import { MAX_PRIVATE_KEY_LINES } from '../../redaction/known-secrets.js';
import { RowMask } from '../../redaction/row-mask.js';
import type { Redactor } from '../../redaction/redactor.js';
import type { Core } from '../core.js';
import type { Capture } from './capture.js';

/** Rows that are unchanged stay the same objects, and are not drawn again. */
const masks = new WeakMap<Redactor, RowMask>();

export function maskedCapture<T extends Pick<Capture, 'terminal' | 'snapshot' | 'over'>>(core: Core, captured: T): T {
  const redactor = core.redactor(captured.terminal);
  if (redactor === undefined) return captured;
  const mask = masks.get(redactor) ?? new RowMask(redactor);
  masks.set(redactor, mask);
  return { ...captured, snapshot: mask.snapshot(captured.snapshot, captured.over?.(MAX_PRIVATE_KEY_LINES)).snapshot };
}
