import { expect, test } from 'vitest';
import { toolHint } from '../../src/tools/tool-hints.js';

test.each([
  ['t4a list', 'the tool list'],
  ['t4a kill t1', 'the tool kill with {"id":"t1"}'],
  [
    't4a wait t1 --done, or t4a press t1 Ctrl+C',
    'the tool wait with {"id":"t1","until":{"done":true}}, or the tool press with {"id":"t1","keys":["Ctrl+C"]}',
  ],
  ['t4a wait t1 --input-kind password', 'the tool wait with {"id":"t1","until":{"awaiting_input":"password"}}'],
  ['t4a wait t1 --control free', 'the tool wait with {"id":"t1","until":{"control":"free"}}'],
  ['t4a wait t1 --control mine --as ada', 'the tool wait with {"id":"t1","until":{"control":"mine"}}'],
  ['"t4a shutdown" ends the daemon.', '"t4a shutdown" ends the daemon.'],
  ['Leave one of the two out.', 'Leave one of the two out.'],
  ['t4a press --help', undefined],
])('the hint %j is, for a model, %j', (hint, expected) => {
  expect(toolHint(hint)).toBe(expected);
});
