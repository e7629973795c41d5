import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KITTY_STACK_LIMIT, KittyKeyboardStack } from '../../../src/vt/keys/kitty-stack.js';

describe('the stack of kitty keyboard flags', () => {
  it('starts without flags and reports 0', () => {
    const stack = new KittyKeyboardStack();
    expect(stack.current).toBe(0);
    expect(stack.report()).toBe('\x1b[?0u');
  });

  it('returns to the previous flags after a pop', () => {
    const stack = new KittyKeyboardStack();
    stack.push(1);
    stack.push(5);
    expect(stack.report()).toBe('\x1b[?5u');
    stack.pop();
    expect(stack.current).toBe(1);
    stack.push();
    expect(stack.current).toBe(0);
    stack.pop(2);
    expect(stack.current).toBe(0);
  });

  it('removes one entry for a count of 0', () => {
    const stack = new KittyKeyboardStack();
    stack.push(1);
    stack.push(5);
    stack.pop(0);
    expect(stack.current).toBe(1);
  });

  it('has no flags after a pop beyond its bottom, and accepts new ones', () => {
    const stack = new KittyKeyboardStack();
    stack.push(3);
    stack.pop(99);
    expect(stack.current).toBe(0);
    stack.pop();
    stack.push(9);
    expect(stack.current).toBe(9);
  });

  it.each([
    ['replaces', 1, 0b10110, 0b01100, 0b01100],
    ['replaces (mode omitted)', 0, 0b10110, 0b01100, 0b01100],
    ['adds', 2, 0b10110, 0b01100, 0b11110],
    ['removes', 3, 0b10110, 0b01100, 0b10010],
    ['keeps', 4, 0b10110, 0b01100, 0b10110],
  ])('%s flags on a set with mode %i', (_, mode, before, flags, after) => {
    const stack = new KittyKeyboardStack();
    stack.push(before);
    stack.set(flags, mode);
    expect(stack.current).toBe(after);
    stack.pop();
    expect(stack.current).toBe(0);
  });

  it('keeps flags that were set without a push until they are popped', () => {
    const stack = new KittyKeyboardStack();
    stack.set(1);
    stack.push(8);
    stack.pop();
    expect(stack.current).toBe(1);
    stack.pop();
    expect(stack.current).toBe(0);
  });

  it('keeps separate flags for each screen', () => {
    const stack = new KittyKeyboardStack();
    stack.push(1);
    stack.useScreen('alternate');
    expect(stack.current).toBe(0);
    stack.push(31);
    stack.useScreen('main');
    expect(stack.current).toBe(1);
    stack.useScreen('alternate');
    expect(stack.current).toBe(31);
    stack.reset();
    expect(stack.current).toBe(0);
    stack.push(2);
    stack.useScreen('alternate');
    expect(stack.current).toBe(0);
    stack.useScreen('main');
    expect(stack.current).toBe(2);
  });

  it('ignores bits that the protocol does not define', () => {
    const stack = new KittyKeyboardStack();
    stack.push(0xffff);
    expect(stack.current).toBe(31);
    stack.set(64 + 2, 1);
    expect(stack.current).toBe(2);
  });

  it('loses the oldest entries when it is full', () => {
    const stack = new KittyKeyboardStack();
    stack.push(31);
    for (let i = 0; i < KITTY_STACK_LIMIT; i++) stack.push(1);
    stack.pop(KITTY_STACK_LIMIT - 1);
    expect(stack.current).toBe(1);
    stack.pop();
    expect(stack.current).toBe(0);
  });

  it('keeps its flags in range for any input', () => {
    const integer = fc.integer({ min: 0, max: 2 ** 31 - 1 });
    const step = fc.oneof(
      integer.map((flags) => (stack: KittyKeyboardStack) => stack.push(flags)),
      integer.map((count) => (stack: KittyKeyboardStack) => stack.pop(count)),
      fc.tuple(integer, integer).map(
        ([flags, mode]) =>
          (stack: KittyKeyboardStack) =>
            stack.set(flags, mode),
      ),
      fc.constantFrom('main', 'alternate').map((screen) => (stack: KittyKeyboardStack) => stack.useScreen(screen)),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const stack = new KittyKeyboardStack();
        for (const act of steps) act(stack);
        expect(stack.current).toBeGreaterThanOrEqual(0);
        expect(stack.current).toBeLessThanOrEqual(31);
      }),
    );
  });
});
