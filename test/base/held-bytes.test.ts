/** Who holds most pays, and nobody else. */
import { describe, expect, test } from 'vitest';
import { array, assert, boolean, nat, property, tuple } from 'fast-check';
import { HeldBytes, type Holder } from '../../src/base/held-bytes.js';

class One implements Holder {
  heldBytes = 0;
  isCut = false;

  cutOff(): void {
    this.isCut = true;
    this.heldBytes = 0;
  }
}

const MOST = 100;

describe('what all hold', () => {
  test('stays within the bound, and only one that held most is cut off, after any changes', () => {
    assert(
      property(array(tuple(nat(9), nat(60)), { maxLength: 60 }), boolean(), (changes, sparesOne) => {
        const all = Array.from({ length: 10 }, () => new One());
        const held = new HeldBytes({ mostBytes: () => MOST, sparesOne });
        for (const [n, bytes] of changes) {
          const one = all[n] as One;
          if (one.isCut) continue;
          const before = all.map((each) => each.heldBytes);
          one.heldBytes = bytes;
          before[n] = bytes;
          held.note(one);
          const cut = all.flatMap((each, i) => (each.heldBytes === before[i] ? [] : [before[i] as number]));
          const living = all.filter((each) => !each.isCut).map((each) => each.heldBytes);
          const spared = sparesOne ? Math.max(0, ...living) : 0;
          expect(living.reduce((sum, each) => sum + each, -spared)).toBeLessThanOrEqual(MOST);
          for (const each of cut) expect(each).toBeGreaterThanOrEqual(Math.max(...living));
        }
      }),
    );
  });

  test('is looked at anew before one of them is cut off, and what has gone counts no more', () => {
    const [idle, busy, gone] = [new One(), new One(), new One()];
    const held = new HeldBytes({ mostBytes: () => MOST });
    for (const one of [idle, gone]) {
      one.heldBytes = 50;
      held.note(one);
    }
    held.forget(gone);
    expect(held.bytes).toBe(50);
    idle.heldBytes = 0;
    busy.heldBytes = 90;
    held.note(busy);
    expect([idle.isCut, busy.isCut, held.bytes]).toEqual([false, false, 90]);
  });
});
