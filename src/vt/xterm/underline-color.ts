/**
 * SGR 59, an underline in the text's colour again. The library sets the colour to -1 for it, of which all bits of a colour
 * are left: white, which no program asked for.
 */
import type { Internals } from './internals.js';

/** Prototypes that are already corrected: all terminals share them. */
const mended = new WeakSet<object>();

export function resetUnderlineColor({ _inputHandler: input }: Internals): void {
  const shared = Object.getPrototypeOf(input._curAttrData.extended) as object;
  const property = Object.getOwnPropertyDescriptor(shared, 'underlineColor');
  if (mended.has(shared) || property === undefined) return;
  Object.defineProperty(shared, 'underlineColor', {
    ...property,
    set(value: number) {
      property.set?.call(this, value === -1 ? 0 : value);
    },
  });
  mended.add(shared);
}
