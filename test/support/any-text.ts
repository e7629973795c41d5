import * as fc from 'fast-check';

const LAST = 0x10ffff;
const SURROGATES = { first: 0xd800, count: 0x800 };

const codePoint = fc
  .integer({ min: 0, max: LAST - SURROGATES.count })
  .map((index) => (index < SURROGATES.first ? index : index + SURROGATES.count));

/**
 * Texts of any code points but halves of pairs; lengths are in code points. `fc.string({ unit: 'binary' })` makes the same, but its
 * first use in a process takes a second.
 */
export function anyText(
  lengths: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  return fc.array(codePoint, lengths).map((points) => points.map((point) => String.fromCodePoint(point)).join(''));
}
