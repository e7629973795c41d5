/** What a picture will show, without its secrets, for those whose replies are masked. */
import type { Call } from '../../rpc/service.js';
import { RowMask } from '../../redaction/row-mask.js';
import type { Redactor } from '../../redaction/redactor.js';
import type { Core } from '../core.js';
import type { Capture } from './capture.js';

/** Rows that are unchanged stay the same objects, and are not drawn again. */
const masks = new WeakMap<Redactor, RowMask>();

export function maskedCapture(core: Core, captured: Capture, call: Call | undefined): Capture {
  if (call === undefined || !isMasked(core, call)) return captured;
  const redactor = core.redactor(captured.terminal);
  if (redactor === undefined) return captured;
  const mask = masks.get(redactor) ?? new RowMask(redactor);
  masks.set(redactor, mask);
  return { ...captured, snapshot: mask.snapshot(captured.snapshot).snapshot };
}

/** Programs, as the tools of models are: persons see what their terminals show. */
export function isMasked({ config }: Core, { restriction }: Pick<Call, 'restriction'>): boolean {
  return config.redact.replies && restriction?.person === false;
}
