import { describe, expect, test } from 'vitest';
import { shellLine, typedLine } from '../../../src/features/acting/shell-line.js';
import { DEFAULT_INPUT_MODES } from '../../../src/vt/input-modes.js';

const PASTES = { ...DEFAULT_INPUT_MODES, bracketedPaste: true };

function typed(line: string, modes = DEFAULT_INPUT_MODES): string {
  return Buffer.from(typedLine(line, modes, { field: 'command' })).toString();
}

describe('words as a line of a shell', () => {
  test.each([
    [['ls', '-la', '/tmp/a_b.c', 'a@b', '50%', '+x', 'a:b,c'], 'ls -la /tmp/a_b.c a@b 50% +x a:b,c'],
    [['make', 'CC=gcc'], 'make CC=gcc'],
    [['=x', '~', '~a', 'a~'], "'=x' '~' '~a' 'a~'"],
    [['', 'a b', '$HOME', 'é'], "'' 'a b' '$HOME' 'é'"],
  ])('%j is %s in every shell', (words, line) => {
    for (const shell of ['bash', 'zsh', 'fish', 'sh', undefined]) expect(shellLine(words, shell)).toBe(line);
  });

  test.each([
    ['bash', String.raw`$'it\'s\x21'`],
    ['zsh', String.raw`$'it\'s\x21'`],
  ])('with a control, %s quotes it, and the special characters of the line', (shell, expected) => {
    expect(shellLine(["it's!\n"], shell)).toBe(expected.replace(/'$/, String.raw`\x0a'`));
    expect(shellLine(['\\^\x7f\x9f'], shell)).toBe(String.raw`$'\\\x5e\x7f\xc2\x9f'`);
  });

  test.each(['bash', 'zsh', 'sh', undefined])('an apostrophe is outside of the quotes in %s', (shell) => {
    expect(shellLine([`it's!`], shell)).toBe(String.raw`'it'\''s!'`);
  });

  test('in fish have a backslash before apostrophes and backslashes, and controls outside of the quotes', () => {
    expect(shellLine([String.raw`it's\ `], 'fish')).toBe(String.raw`'it\'s\\ '`);
    expect(shellLine(['a\tb'], 'fish')).toBe(String.raw`'a'\X09'b'`);
    expect(shellLine(['\x9f'], 'fish')).toBe(String.raw`''\Xc2\X9f''`);
  });

  test('keep controls unchanged for an unknown shell', () => {
    expect(shellLine(['a\tb'], 'dash')).toBe("'a\tb'");
  });
});

describe('typed text', () => {
  test('ends with Enter, and is a paste if the shell accepts pastes', () => {
    expect(typed('ls é')).toBe('ls é\r');
    expect(typed('a\n\tb', PASTES)).toBe('\x1b[200~a\r\tb\x1b[201~\r');
  });

  test.each([
    ['a line break', 'a\nb'],
    ['a tab', 'a\tb'],
  ])('has no %s if the shell accepts no pastes', (_, line) => {
    expect(() => typed(line)).toThrow(
      expect.objectContaining({
        code: 'invalid_field',
        details: expect.objectContaining({ field: 'command' }) as object,
      }) as Error,
    );
  });

  test.each([DEFAULT_INPUT_MODES, PASTES])('holds no other controls, which would be keys', (modes) => {
    expect(() => typed('a\x03b', modes)).toThrow(
      expect.objectContaining({
        code: 'invalid_field',
        details: expect.objectContaining({ field: 'command' }) as object,
      }) as Error,
    );
  });
});

test('a line with tabs is refused where the shell drops them, with the way out', () => {
  const line = "printf 'a\tb'";
  const toFish = (dropsTabs: boolean) => typedLine(line, PASTES, { field: 'command', dropsTabs });
  expect(Buffer.from(toFish(false)).toString()).toContain('a\tb');
  expect(() => toFish(true)).toThrow(
    expect.objectContaining({
      code: 'invalid_field',
      message: expect.stringContaining('fish before version 4') as string,
      details: expect.objectContaining({ hint: expect.stringContaining('--') as string }) as object,
    }) as Error,
  );
});
