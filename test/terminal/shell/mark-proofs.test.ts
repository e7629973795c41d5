import { expect, test } from 'vitest';
import { MarkProofs } from '../../../src/terminal/shell/mark-proofs.js';

// As bash, zsh, dash and mksh compute them from the seed 1 2 3 4.
const FIRST = '2036005168.3685464599';
const SECOND = '3247085123.1798490541';
const SECOND_SIGNED = '-1047882173.1798490541';

test('a proof is accepted once, and with it none before it', () => {
  const proofs = new MarkProofs([1, 2, 3, 4]);
  expect(proofs.accepts(`C;aid=1;proof=${SECOND_SIGNED}`, false)).toBe(true);
  expect(proofs.accepts(`C;aid=1;proof=${SECOND}`, false)).toBe(false);
  expect(proofs.accepts(`D;0;aid=1;proof=${FIRST}`, true)).toBe(false);
  expect(proofs.accepts('D;0;aid=1', true)).toBe(false);
});

test('the marks of a prompt share a proof until its command runs', () => {
  const proofs = new MarkProofs([1, 2, 3, 4]);
  expect(proofs.accepts(`D;0;proof=${FIRST}`, true)).toBe(true);
  expect(proofs.accepts(`A;proof=${FIRST}`, false)).toBe(true);
  expect(proofs.accepts(`B;proof=${FIRST}`, false)).toBe(true);
  expect(proofs.accepts(`D;0;proof=${FIRST}`, false)).toBe(false);
  expect(proofs.accepts(`B;proof=${FIRST}`, true)).toBe(false);
});

test('those of a shell that can run nothing at its prompt are computed from a count', () => {
  // As dash, mksh, ksh93 and busybox compute them from the same seed.
  const [first, second] = ['3438200053.1649602981', '250390031.3527588345'];
  const proofs = new MarkProofs([1, 2, 3, 4], { isCounted: true });
  expect(proofs.accepts(`A;aid=1;proof=${first}`, false)).toBe(true);
  expect(proofs.accepts(`A;aid=1;proof=${second}`, false)).toBe(true);
  expect(proofs.accepts(`A;aid=1;proof=${first}`, false)).toBe(false);
});
