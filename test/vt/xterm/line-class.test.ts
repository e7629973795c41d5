import { expect, onTestFinished, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { replaceLineMethod } from '../../../src/vt/xterm/line-class.js';

function emulatorOf(text: string): Emulator {
  const emulator = new Emulator({ cols: 10, rows: 2, scrollback: 0 });
  onTestFinished(() => emulator.dispose());
  emulator.parse(text);
  return emulator;
}

function methodsOf(emulator: Emulator): unknown[] {
  const line: object = emulator.buffer.lines.get(0)!;
  return ['clone', 'copyFrom', 'insertCells', 'resize'].map((name) => Reflect.get(line, name) as unknown);
}

test('methods of lines are the same for all terminals', () => {
  const before = methodsOf(emulatorOf(''));
  for (const [i, method] of methodsOf(emulatorOf('')).entries()) expect(method).toBe(before[i]);
});

test('a method that was replaced is not replaced again', () => {
  const { internals } = emulatorOf('');
  let asked = 0;
  for (const name of ['clone', 'copyFrom', 'insertCells', 'resize'] as const) {
    replaceLineMethod(internals, name, (original) => {
      asked++;
      return original;
    });
  }
  expect(asked).toBe(0);
});

test('replacements of several methods work together', () => {
  const emulator = emulatorOf('中a\x1b[2G\x1b[@');
  const line = emulator.buffer.lines.get(0)!;
  expect(line.translateToString(true)).toBe('   a');
  const copy = line.clone();
  copy.resize(20, { fg: 0, bg: 0 });
  expect([copy.length, line.length, copy.translateToString(false).slice(0, 4)]).toEqual([20, 10, '   a']);
});
