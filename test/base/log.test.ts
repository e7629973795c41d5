import { expect, test } from 'vitest';
import { Log, silentLog, type LogLevel } from '../../src/base/log.js';

const said = (level: LogLevel): string[] => {
  const lines: string[] = [];
  const log = new Log((line) => lines.push(line), level);
  log.error('e');
  log.warn('w');
  log.info('i');
  log.debug('d');
  return lines.map((line) => line.split(' ')[1] ?? '');
};

test('the log has entries of its level and of more important ones', () => {
  expect(said('error')).toEqual(['error']);
  expect(said('warn')).toEqual(['error', 'warn']);
  expect(said('info')).toEqual(['error', 'warn', 'info']);
  expect(said('debug')).toEqual(['error', 'warn', 'info', 'debug']);
});

test('the level is info by default, and can be changed at any time', () => {
  const lines: string[] = [];
  const log = new Log((line) => lines.push(line));
  expect(log.level).toBe('info');
  log.debug('unheard');
  log.level = 'debug';
  expect(log.level).toBe('debug');
  log.debug('heard');
  log.level = 'error';
  log.warn('unheard');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z debug heard\n$/);
});

test('an entry is one line, so that no message forges another', () => {
  const lines: string[] = [];
  const log = new Log((line) => lines.push(line));
  log.warn('a\nb\r\nc');
  expect(lines[0]?.slice(25)).toBe('warn a | b | c\n');
});

test('an error has its stack, other values their text; both are counted at any level', () => {
  const lines: string[] = [];
  const log = new Log((line) => lines.push(line), 'error');
  log.error('it broke', new RangeError('too far'));
  log.error('it broke', 'a text');
  log.error('it broke');
  log.warn('unheard');
  expect(lines[0]).toMatch(/error it broke: RangeError: too far \|.* at .*log\.test/);
  expect(lines[1]).toMatch(/error it broke: a text\n$/);
  expect(lines[2]).toMatch(/error it broke\n$/);
  expect(log.errors).toBe(3);
  const bare = new TypeError('bare');
  delete bare.stack;
  log.error('it broke', bare);
  expect(lines[3]).toMatch(/error it broke: TypeError: bare\n$/);
  expect(() => silentLog.info('nobody')).not.toThrow();
});

test('a message does nothing on the terminal of a person', () => {
  const lines: string[] = [];
  const log = new Log((line) => lines.push(line));
  log.warn('/d\x1b]52;c;eA==\x07\u009b6n\u202e/x\r\ty');
  expect(lines[0]?.slice(25)).toBe('warn /d\\u001b]52;c;eA==\\u0007\\u009b6n\\u202e/x\\u000d\ty\n');
});
