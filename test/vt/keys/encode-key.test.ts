import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputModes } from '../../../src/vt/input-modes.js';
import { encodeKey, encodeKeyEvent, whyKeyNotSent } from '../../../src/vt/keys/encode-key.js';
import { KEY_NAMES } from '../../../src/vt/keys/key-names.js';
import { type KeyPress, printKey } from '../../../src/vt/keys/key-press.js';
import { KEY_TABLE } from '../../../src/vt/keys/key-table.js';
import { KeyError, parseKey } from '../../../src/vt/keys/parse-key.js';
import { modes, sent } from './notation.js';
import { anyText } from '../../support/any-text.js';
import { runsOf } from '../../support/trial.js';

const anyModes: fc.Arbitrary<InputModes> = fc.record({
  applicationCursor: fc.boolean(),
  applicationKeypad: fc.boolean(),
  modifyOtherKeys: fc.constantFrom(0, 1, 2),
  kittyFlags: fc.integer({ min: 0, max: 31 }),
  bracketedPaste: fc.boolean(),
  mouseTracking: fc.constantFrom('none', 'x10', 'normal', 'button', 'any'),
  mouseEncoding: fc.constantFrom('default', 'utf8', 'sgr', 'sgr-pixels', 'urxvt'),
  focusReporting: fc.boolean(),
  backarrow: fc.boolean(),
});

/** Key presses as `parseKey` makes them: named keys, and whatever grapheme is one. */
const anyPress: fc.Arbitrary<KeyPress> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...KEY_NAMES).map(parseKey),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).map(parseIfKey),
      anyText({ minLength: 1, maxLength: 1 }).map(parseIfKey),
    ),
    fc.integer({ min: 0, max: 31 }),
  )
  .filter(([press]) => press !== undefined)
  .map(([press, modifiers]) => ({ key: press!.key, modifiers: press!.modifiers | modifiers }));

function parseIfKey(name: string): KeyPress | undefined {
  try {
    return parseKey(name);
  } catch (error) {
    if (error instanceof KeyError) return undefined;
    throw error;
  }
}

describe('any key press', () => {
  it('is read back from its printed name', () => {
    fc.assert(
      fc.property(anyPress, (press) => {
        expect(parseKey(printKey(press))).toEqual(press);
      }),
      { numRuns: runsOf({ suite: 700, trial: 2000 }) },
    );
  });

  it('is encoded, or has a reason why it is not', () => {
    fc.assert(
      fc.property(anyPress, anyModes, (press, modes) => {
        const reason = whyKeyNotSent(press, modes);
        if (encodeKey(press, modes) === '') expect(reason).toContain(printKey(press));
        else expect(reason).toBeUndefined();
      }),
      { numRuns: runsOf({ suite: 700, trial: 2000 }) },
    );
  });

  it('with no modifiers but Shift, Alt and Ctrl is encoded, unless the legacy encoding lacks the key', () => {
    const lacking = new Set(KEY_TABLE.filter(({ legacy }) => legacy.kind === 'none').map(({ name }) => name));
    fc.assert(
      fc.property(anyPress, anyModes, ({ key, modifiers }, modes) => {
        fc.pre(!lacking.has(key));
        // A grapheme of several code points is no key that Alt or Ctrl could be told with.
        fc.pre(Array.from(key).length === 1 || KEY_NAMES.includes(key));
        expect(encodeKeyEvent({ key, modifiers: modifiers & 7 }, modes, 'press')).not.toBe('');
      }),
      { numRuns: runsOf({ suite: 700, trial: 2000 }) },
    );
  });

  it('is encoded as well-formed text, so that it can be written as UTF-8', () => {
    fc.assert(
      fc.property(anyPress, anyModes, (press, modes) => {
        const bytes = encodeKey(press, modes);
        expect(Buffer.from(bytes, 'utf8').toString('utf8')).toBe(bytes);
      }),
    );
  });

  it('has its own encoding of repeat and release only if the program has asked for event types', () => {
    fc.assert(
      fc.property(anyPress, anyModes, (press, modes) => {
        fc.pre((modes.kittyFlags & 2) === 0);
        expect(encodeKeyEvent(press, modes, 'release')).toBe('');
        expect(encodeKeyEvent(press, modes, 'repeat')).toBe(encodeKeyEvent(press, modes, 'press'));
      }),
    );
  });
});

const PREFIXES = ['', 'S-', 'M-', 'M-S-', 'C-', 'C-S-', 'C-M-', 'C-M-S-'];
const CHARACTER_KEYS = Array.from("abcdefghijklmnopqrstuvwxyz`1234567890-=[]\\;',./ éж");

/** Pairs of encodings of which one begins with the other. */
function ambiguities(encodings: Iterable<string>): string[] {
  const sorted = [...new Set(encodings)].toSorted((a, b) => (a < b ? -1 : 1));
  return sorted.flatMap((bytes, i) =>
    sorted
      .slice(i + 1)
      .filter((longer) => longer.startsWith(bytes))
      .map((longer) => JSON.stringify([bytes, longer])),
  );
}

function encodings(keys: readonly string[], some: Partial<InputModes>): string[] {
  return keys.flatMap((key) => PREFIXES.map((prefix) => sent(prefix + key, some))).filter((bytes) => bytes !== '');
}

describe('encodings in a stream', () => {
  it.each([
    { applicationCursor: false, applicationKeypad: false },
    { applicationCursor: true, applicationKeypad: true },
    { kittyFlags: 2 },
  ])('of functional keys are never prefixes of each other, with %o', (some) => {
    const escapeCodes = KEY_TABLE.filter(({ legacy }) => ['cursor', 'pf', 'tilde', 'like'].includes(legacy.kind));
    expect(
      ambiguities(
        encodings(
          escapeCodes.map(({ name }) => name),
          some,
        ),
      ),
    ).toEqual([]);
  });

  it.each([1, 5, 8, 9, 12, 13, 24, 25, 28, 29])(
    'of all keys are never prefixes of each other, with kitty flags %i',
    (kittyFlags) => {
      const keys = [...KEY_TABLE.map(({ name }) => name), ...CHARACTER_KEYS];
      expect(ambiguities(encodings(keys, { kittyFlags }))).toEqual([]);
    },
  );

  it.each([8, 12, 24, 28])('are different for different key presses, with kitty flags %i', (kittyFlags) => {
    const keys = [...KEY_TABLE.map(({ name }) => name), ...CHARACTER_KEYS];
    const all = encodings(keys, { kittyFlags });
    expect(all).toHaveLength(keys.length * PREFIXES.length);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('a key that cannot be encoded', () => {
  it('is named with the keyboard protocol that the program has asked for', () => {
    expect(whyKeyNotSent(parseKey('Cmd+c'), modes())).toBe(
      'Super+c cannot be sent to a program that has not asked for the kitty keyboard protocol: it has no encoding there.',
    );
    expect(whyKeyNotSent(parseKey('CapsLock'), modes({ kittyFlags: 1 }))).toBe(
      'CapsLock cannot be sent to a program that asked for kitty keyboard flags 1: it has no encoding there.',
    );
    expect(whyKeyNotSent(parseKey('CapsLock'), modes({ kittyFlags: 8 }))).toBeUndefined();
  });
});
