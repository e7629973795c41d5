/** Formats that name themselves, or grow: they end, with what a format without an end gives in tmux, or with nothing. */
import { expect, test } from 'vitest';
import { type Context, expand, FormatRoom } from '../../src/tmux/formats.js';

function contextOf(variables: Readonly<Record<string, string>>): Context {
  const context: Context = {
    variable: (name) => variables[name],
    each: () => Array.from({ length: 20 }, () => ({ context, isActive: false })),
    exists: () => false,
  };
  return context;
}

/** As tmux 3.3a answers: at most a hundred levels. */
test.each([
  ['a#{E:@x}', 99],
  ['#{T:@x}b', 99],
  ['#{?#{==:a,a},#{E:@x}c,}', 49],
])('%s is expanded %d times when it names itself', (format, times) => {
  expect(expand('#{E:@x}', contextOf({ '@x': format }))).toHaveLength(times);
});

test.each([
  '#{E:@x}#{E:@x}',
  '#{E:@x}#{T:@x}',
  '#{?#{E:@x},#{E:@x},#{E:@x}}',
  '#{==:#{E:@x},#{E:@x}}',
  '#{&&:#{E:@x},#{E:@x}}',
  '#{e|+|:#{E:@x},#{E:@x}}',
  '#{s/#{E:@x}/#{E:@x}/:#{E:@x}}',
  '#{=/#{E:@x}/#{E:@x}:#{E:@x}}',
  '#{m/#{E:@x}:#{E:@x},#{E:@x}}',
  '#{N/w:#{E:@x}}#{C:#{E:@x}}#{E:@x}',
  '#{W:#{E:@x}}',
  '#{S:#{W:#{P:#{E:@x}}}}',
  '#{W:x#{W:x#{W:x#{W:x#{W:x#{W:x}}}}}}',
])('%s ends when it names itself more than once', (format) => {
  expect(expand('#{E:@x}', contextOf({ '@x': format })).length).toBeLessThan(4 * 1024 * 1024);
});

test.each([
  `${'#{s/a/aaaaaaaaaa/:'.repeat(20)}a${'}'.repeat(20)}`,
  `${'#{s/a*$/#{@long}/:'.repeat(20)}a${'}'.repeat(20)}`,
  `${'#{p1000000:'.repeat(20)}a${'}'.repeat(20)}`,
  '#{p1000000:x}'.repeat(1000),
  '#{@long}'.repeat(1000),
  `#{s/a/#{@long}/:#{@long}}`,
  `#{=/3/#{@long}:#{@long}}`.repeat(1000),
  `#{q:${'#{q:'.repeat(30)}#{@long}${'}'.repeat(30)}}`,
])('%.40s… has a length that is bounded', (format) => {
  expect(expand(format, contextOf({ '@long': 'a'.repeat(100_000) })).length).toBeLessThan(4 * 1024 * 1024);
});

test('a format that was too much leaves nothing to the next one', () => {
  const context = contextOf({ '@x': '#{E:@x}#{E:@x}', a: 'b' });
  expect(expand('1#{E:@x}2#{a}', context)).toBe('12b');
  expect(expand('#{a}', context)).toBe('b');
});

test('the formats of one call share a bound, and small ones are whole then, too', () => {
  const context = contextOf({ '@x': 'a#{E:@x}#{E:@x}', b: 'c' });
  const room = new FormatRoom();
  const lengths = [1, 2, 3].map(() => expand('#{E:@x}', context, undefined, room).length);
  expect(lengths[0]).toBeGreaterThan(10_000);
  expect(lengths.slice(1).every((length) => length > 0 && length <= 100)).toBe(true);
  expect(expand('#{?#{b},#{b},}', context, undefined, room)).toBe('c');
});
