/** The exit status of a command whose request was answered. */
import { constants } from 'node:os';
import { expect, test } from 'vitest';
import { commandSyntax } from '../../src/cli/argv/command-table.js';
import { exitStatusOf, exitStatusOfError, reportsProgram } from '../../src/cli/exit-status.js';
import type { Fields } from '../../src/cli/argv/invocation.js';
import { host } from '../support/host.js';

function statusOf(name: string, reply: Fields, where: ReturnType<typeof host>): number {
  const command = commandSyntax(name);
  if (command === undefined) throw new Error(`no command ${name}`);
  return exitStatusOf(command, reply, where);
}

test.each<[string, Fields, number]>([
  ['list', { terminals: [] }, 0],
  ['wait', { outcome: 'matched' }, 0],
  ['wait', { outcome: 'matched', exit_code: 7, signal: null }, 7],
  ['wait', { outcome: 'matched', exit_code: null, signal: null }, 6],
  ['wait', { outcome: 'matched', exit_code: 265, signal: null }, 137],
  ['wait', { outcome: 'matched', exit_code: 256, signal: null }, 255],
  ['wait', { outcome: 'exited', exit_code: 512, signal: null }, 255],
  ['wait', { outcome: 'matched', exit_code: -1, signal: null }, 255],
  ['wait', { outcome: 'matched', exit_code: null, signal: null, nothing_ran: true }, 0],
  ['wait', { outcome: 'matched', exit_code: null, signal: 'SIGTERM' }, 143],
  ['wait', { outcome: 'timeout' }, 124],
  ['wait', { outcome: 'failed' }, 3],
  ['wait', { outcome: 'exited', exit_code: 0, signal: null }, 4],
  ['wait', { outcome: 'exited', exit_code: 9, signal: null }, 9],
  ['send', {}, 0],
  ['send', { wait: { outcome: 'matched' } }, 0],
  ['send', { wait: { outcome: 'matched', exit_code: 1, signal: null } }, 1],
  ['type', { wait: { outcome: 'matched', exit_code: null, signal: null } }, 6],
  ['press', { wait: { outcome: 'timeout' } }, 124],
  ['type', { wait: { outcome: 'failed' } }, 3],
  ['create', { wait: { outcome: 'exited' } }, 4],
  ['grep', { total: 0, matches: [] }, 1],
  ['grep', { total: 1, matches: [] }, 0],
  ['find', { total: 0, matches: [] }, 1],
  ['find', { total: 2, matches: [] }, 0],
  ['commands', { total: 0, commands: [] }, 0],
  ['ask', { outcome: 'answered', answer: true }, 0],
  ['ask', { outcome: 'answered', answer: 'no' }, 0],
  ['ask', { outcome: 'answered', answer: false }, 1],
  ['ask', { outcome: 'declined' }, 1],
  ['ask', { outcome: 'open' }, 124],
  ['ask', { outcome: 'gone' }, 4],
])('the exit status of %s with the reply %j is %i', (command, reply, status) => {
  const where = host();
  expect(statusOf(command, reply, where)).toBe(status);
  expect(where.noted()).toBe('');
});

test.each<[Fields, number, string]>([
  [{ outcome: 'exited', exit_code: 0, signal: null }, 0, ''],
  [{ outcome: 'exited', exit_code: 7, signal: null }, 7, ''],
  [{ outcome: 'done', exit_code: 3, signal: null, n: 2 }, 3, ''],
  [{ outcome: 'done', exit_code: 258, signal: null, n: 2 }, 130, ''],
  [{ outcome: 'done', exit_code: 1024, signal: null, n: 2 }, 255, ''],
  [
    { outcome: 'done', exit_code: null, signal: null, n: 2 },
    6,
    'The command ended with exit code unknown, perhaps a failure.',
  ],
  [{ outcome: 'done', exit_code: 6, signal: null, n: 2 }, 6, ''],
  [{ outcome: 'exited', exit_code: null, signal: 'SIGKILL' }, 128 + constants.signals.SIGKILL, 'ended by SIGKILL'],
  [{ outcome: 'exited', exit_code: null, signal: 'SIGNEW' }, 128, 'ended by SIGNEW'],
  [{ outcome: 'not_run', exit_code: null, signal: null }, 2, 'ran nothing'],
])('the exit status of run with the reply %j is %i', (reply, status, said) => {
  const where = host();
  expect(statusOf('run', reply, where)).toBe(status);
  expect(where.noted()).toContain(said);
  expect(where.noted() === '').toBe(said === '');
});

test('the exit status of run after its timeout is 124, with a note if the command continues', () => {
  const killed = host();
  const reply = { outcome: 'timeout', id: 't1', duration_ms: 50, exit_code: null, signal: null, kept: false };
  expect(statusOf('run', reply, killed)).toBe(124);
  expect(killed.noted()).toBe('t4a: The command had not ended after 50 ms.\n');
  const goesOn = host();
  expect(statusOf('run', { ...reply, n: 4, kept: true }, goesOn)).toBe(124);
  expect(goesOn.noted()).toBe('t4a: The command had not ended after 50 ms, and continues: t4a wait t1 --done.\n');
  const kept = host();
  expect(statusOf('run', { ...reply, kept: true }, kept)).toBe(124);
  expect(kept.noted()).toBe('t4a: The command had not ended after 50 ms, and continues: t4a wait t1 --exit.\n');
});

test('the exit status of run whose command waits for input is 123, with a note of how to go on', () => {
  const awaiting_input = { kind: 'password', process: 'su\u202edo', pid: 1, certain: true, secrecy: 'hidden' };
  const reply = { outcome: 'awaiting_input', id: 't1', exit_code: null, signal: null, lines: [], awaiting_input };
  const gone = host();
  expect(statusOf('run', { ...reply, kept: false }, gone)).toBe(123);
  expect(gone.noted()).toBe('t4a: su\\u202edo waits for input (password).\n');
  const likely = host();
  const doubtful = { ...reply, awaiting_input: { ...awaiting_input, certain: false }, kept: false };
  expect(statusOf('run', doubtful, likely)).toBe(123);
  expect(likely.noted()).toBe('t4a: su\\u202edo probably waits for input (password).\n');
  const kept = host();
  expect(statusOf('run', { ...reply, kept: true }, kept)).toBe(123);
  expect(kept.noted()).toContain(
    'in terminal t1.\n  hint: t4a type t1 ANSWER --secret --submit, then t4a wait t1 --exit',
  );
});

test.each<[string, Fields, number]>([
  ['wait', { outcome: 'matched', exit_code: 7, signal: null }, 0],
  ['wait', { outcome: 'exited', exit_code: 7, signal: null }, 4],
  ['wait', { outcome: 'timeout' }, 124],
  ['type', { wait: { outcome: 'matched', exit_code: null, signal: 'SIGTERM' } }, 0],
  ['run', { outcome: 'exited', exit_code: 7, signal: null }, 0],
  ['run', { outcome: 'not_run', exit_code: null, signal: null }, 2],
])('the exit status of %s with the reply %j and --no-status is %i', (name, reply, status) => {
  const command = commandSyntax(name);
  if (command === undefined) throw new Error(`no command ${name}`);
  expect(exitStatusOf(command, reply, host(), { status: false })).toBe(status);
});

test.each([
  ['run', {}, 125],
  ['wait', {}, 125],
  ['type', { wait: ['settled', 'done'] }, 125],
  ['type', { wait: ['exit'] }, 125],
  ['type', { wait: ['text=done'] }, 4],
  ['text', {}, 4],
])('the exit status of an error of %s with %j is %i', (name, options, status) => {
  expect(exitStatusOfError('terminal_not_found', reportsProgram(commandSyntax(name), options))).toBe(status);
});

test('the exit status of a program that cannot be run is that of a shell', () => {
  expect(exitStatusOfError('program_not_found', true)).toBe(127);
  expect(exitStatusOfError('program_not_executable', true)).toBe(126);
  expect(exitStatusOfError('program_not_found', false)).toBe(2);
});
