import { describe, expect, it } from 'vitest';
import { DEFAULT_INPUT_MODES } from '../../../src/vt/input-modes.js';
import { encodeKey } from '../../../src/vt/keys/encode-key.js';
import { parseKey } from '../../../src/vt/keys/parse-key.js';
import { readCapabilities, XTERM_256COLOR_KEYS } from './terminfo.js';

const CAPABILITIES = readCapabilities(XTERM_256COLOR_KEYS);

/** terminfo(5): which key each capability is. Not keys: `kmous` introduces mouse reports. */
const KEYS: Readonly<Record<string, string>> = {
  kbs: 'Backspace',
  kcbt: 'BTab',
  kcub1: 'Left',
  kcud1: 'Down',
  kcuf1: 'Right',
  kcuu1: 'Up',
  kdch1: 'Delete',
  kend: 'End',
  kent: 'KPEnter',
  khome: 'Home',
  kich1: 'Insert',
  knp: 'PageDown',
  kpp: 'PageUp',
  kbeg: 'KPBegin',
  kp5: 'KPBegin',
  // The corners and sides of the keypad, and its middle.
  ka1: 'KP7',
  ka2: 'KP8',
  ka3: 'KP9',
  kb1: 'KP4',
  kb2: 'KP5',
  kb3: 'KP6',
  kc1: 'KP1',
  kc2: 'KP2',
  kc3: 'KP3',
  kpADD: 'KP+',
  kpCMA: 'KP,',
  kpDIV: 'KP/',
  kpDOT: 'KP.',
  kpMUL: 'KP*',
  kpSUB: 'KP-',
  kpZRO: 'KP0',
  kind: 'S-Down',
  kri: 'S-Up',
};

/** Capabilities with a modifier: a base, and xterm's parameter (2 Shift, 3 Alt, … 7 Ctrl+Alt) behind it. */
const MODIFIED: Readonly<Record<string, string>> = {
  kDC: 'Delete',
  kDN: 'Down',
  kEND: 'End',
  kHOM: 'Home',
  kIC: 'Insert',
  kLFT: 'Left',
  kNXT: 'PageDown',
  kPRV: 'PageUp',
  kRIT: 'Right',
  kUP: 'Up',
};
const PREFIXES: Readonly<Record<string, string>> = { 2: 'S-', 3: 'M-', 4: 'M-S-', 5: 'C-', 6: 'C-S-', 7: 'C-M-' };

/** kf1..kf63 are F1..F12 plain, with Shift, Ctrl, Ctrl+Shift, Alt and Alt+Shift in turn. */
const FUNCTION_KEY_PREFIXES = ['', 'S-', 'C-', 'C-S-', 'M-', 'M-S-'];

function keyOf(capability: string): string | undefined {
  const [, base = '', parameter = '2'] = /^(k[A-Z]+)(\d)?$/u.exec(capability) ?? [];
  if (MODIFIED[base] !== undefined) return `${PREFIXES[parameter]}${MODIFIED[base]}`;
  const n = Number(/^kf(\d+)$/u.exec(capability)?.[1] ?? 0);
  if (n > 0) return `${FUNCTION_KEY_PREFIXES[Math.floor((n - 1) / 12)]}F${((n - 1) % 12) + 1}`;
  return KEYS[capability];
}

/** What `smkx` (`CSI ? 1 h`, `ESC =`) puts in force: terminfo describes the keys in this state. */
const KEYPAD_TRANSMIT = { ...DEFAULT_INPUT_MODES, applicationCursor: true, applicationKeypad: true };

describe('terminfo xterm-256color', () => {
  it('has 157 capabilities, of which 63 are function keys', () => {
    expect(CAPABILITIES.size).toBe(157);
    expect([...CAPABILITIES.keys()].filter((name) => /^kf\d+$/u.test(name))).toHaveLength(63);
  });

  it.each([...CAPABILITIES].filter(([name]) => name !== 'kmous'))(
    'has in %s the bytes that its key sends',
    (name, bytes) => {
      const key = keyOf(name);
      if (key === undefined) throw new Error(`no key is known for ${name}`);
      expect(encodeKey(parseKey(key), KEYPAD_TRANSMIT)).toBe(bytes);
    },
  );

  it('has in kf13 to kf35 the bytes that F13 to F35 send', () => {
    for (let n = 13; n <= 35; n++) {
      expect(encodeKey(parseKey(`F${n}`), KEYPAD_TRANSMIT)).toBe(CAPABILITIES.get(`kf${n}`));
    }
  });
});
