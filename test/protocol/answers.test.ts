/** What answers a program that waits for input, read off its last line. */
import { expect, test } from 'vitest';
import { answerTo } from '../../src/protocol/answers.js';

test.each([
  ['less', 'raw', ':', { act: 'press', key: 'q' }],
  ['pager', 'raw', ':', { act: 'press', key: 'q' }],
  ['more', 'raw', '--More--(12%)', { act: 'press', key: 'q' }],
  ['vim', 'raw', '-- INSERT --', { act: 'press', key: 'KEY' }],
  ['apt', 'raw', 'Continue? [Y/n]', { act: 'press', key: 'KEY (y or n)' }],
  ['apt', 'line', 'Do you want to continue? [Y/n] ', { act: 'type', text: 'ANSWER (y or n)' }],
  ['ssh', 'line', 'continue connecting (yes/no/[fingerprint])? ', { act: 'type', text: 'ANSWER (yes or no)' }],
  [
    'ssh-keygen',
    'password',
    'Enter passphrase (empty for no passphrase): ',
    { act: 'type', text: 'ANSWER', secret: true, orEnter: true },
  ],
  ['git', 'line', '(1/2) Stage this hunk [y,n,q,a,d,e,?]? ', { act: 'type', text: 'ANSWER' }],
  ['sh', 'line', 'Your name (yours/nothing): ', { act: 'type', text: 'ANSWER' }],
  ['sudo', 'password', 'Really? [y/n] ', { act: 'type', text: 'ANSWER', secret: true }],
])('%s that reads a %s after %j', (process, kind, last, expected) => {
  expect(answerTo({ process, kind }, ['Overwrite? [y/n]', last, ''])).toEqual(expected);
});

test('a program that shows nothing is asked nothing', () => {
  expect(answerTo({ process: 'cat', kind: 'line' }, [])).toEqual({ act: 'type', text: 'ANSWER' });
});
