import { expect, test } from 'vitest';
import { toolHint } from '../../src/tools/tool-hints.js';

test.each([
  ['t4a list', 'the tool list'],
  ['t4a kill t1', 'the tool kill with {"id":"t1"}'],
  [
    't4a wait t1 --done, or t4a press t1 Ctrl+C',
    'the tool wait with {"id":"t1","for":"done"}, or the tool press with {"id":"t1","keys":["Ctrl+C"]}',
  ],
  ['t4a wait t1 --input-kind password', 'the tool wait with {"id":"t1","for":"input"}'],
  ['t4a wait t1 --control free', 'the tool wait with {"id":"t1","until":{"control":"free"}}'],
  ['t4a wait t1 --control mine --as ada', 'the tool wait with {"id":"t1","until":{"control":"mine"}}'],
  ['"t4a shutdown" ends the daemon.', 'For the person: "t4a shutdown" ends the daemon.'],
  ['t4a hosts resolve web1', 'For the person: t4a hosts resolve web1'],
  ['Type it: t4a type t1 exit --submit.', 'Type it: the tool type with {"id":"t1","text":"exit","submit":true}.'],
  ['t4a entries @ --open', 'the tool entries with {"id":"@","open":true}'],
  ['t4a text t1 --no-such-flag', undefined],
  ['t4a triggers t1 lists them; t4a untrigger NUMBER removes one.', undefined],
  [
    'End some with "kill", or raise "max_terminals" with "config".',
    'End some with "kill", or ask the person to raise "max_terminals".',
  ],
  ['On the command line: --as NAME, or T4A_AS.', undefined],
  ['It has: id, keys.', 'It has: id, keys.'],
  ['Did you mean "text"?', 'Did you mean "text"?'],
  ['Leave one of the two out.', 'Leave one of the two out.'],
  ['t4a press --help', undefined],
])('the hint %j is, for a model, %j', (hint, expected) => {
  expect(toolHint(hint, { profile: 'full' })).toBe(expected);
});

test.each([
  ['t4a status t1', undefined],
  ['The modes that it has set: t4a status t1', undefined],
  ['t4a entries @ --open', undefined],
  ['t4a wait t1 --control free', 'the tool wait with {"id":"t1","until":{"control":"free"}}'],
])('of %j the default profile is left %j', (hint, expected) => {
  expect(toolHint(hint, { profile: 'default' })).toBe(expected);
});

test.each([
  ['create', 'Give its full path, or set PATH in "env".', 'Give its full path.'],
  ['create', 'Choose another name. Where it is meant to be shared, "reuse": true returns it.', 'Choose another name.'],
  ['press', 'It has: id, keys, if_inputs, wait.', 'It has: id, keys, wait.'],
  ['create', 'Give an existing directory as "cwd".', 'Give an existing directory as "cwd".'],
])('a hint for the tool %s names its fields alone: %j', (tool, hint, expected) => {
  expect(toolHint(hint, { profile: 'default', tool })).toBe(expected);
});

test('a hint names no tool that is not allowed, and terminals as the model names them', () => {
  const host = 'web1';
  expect(toolHint('t4a wait t1 --done, or t4a press t1 Ctrl+C', { allow: 'read', host })).toBe(
    'the tool wait with {"id":"web1/t1","for":"done"}',
  );
  expect(toolHint('t4a list', { host })).toBe('the tool list with {"host":"web1"}');
  expect(toolHint('t4a kill t1', { allow: 'use' })).toBeUndefined();
});

test('a hint about the last terminal names the one of the call', () => {
  const hint = 'To type text: t4a type @ TEXT.';
  const call = 'To type text: the tool type with {"id":"b","text":"TEXT"}.';
  expect(toolHint(hint, { tool: 'press', id: 'b' })).toBe(call);
  expect(toolHint(hint, { tool: 'press', id: 'h/b', host: 'h' })).toBe(call.replace('"b"', '"h/b"'));
});
