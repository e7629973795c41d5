import { describe, expect, test } from 'vitest';
import { isPrompt } from '../../src/search/shown-question.js';

describe('the end of a line', () => {
  test.each([
    'Password: ',
    'Overwrite? [y/N] ',
    'Name (default) ',
    'ada@far:~$ ',
    '# ',
    'host% ',
    '>>> ',
    'press any key',
    '\u276f ',
  ])('is that of a prompt: %j', (text) => expect(isPrompt(text)).toBe(true));

  test.each(['', 'building', 'Compiling...', 'copied 12 %', '45%', '1.5 %', '#####', 'Resolving\u2026', '(3/10)'])(
    'is that of no prompt: %j',
    (text) => expect(isPrompt(text)).toBe(false),
  );
});
