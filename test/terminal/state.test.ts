import { describe, expect, it } from 'vitest';
import { transition, type TerminalState, type Transition } from '../../src/terminal/state.js';

const exit = { code: 0, signal: null };
const running: TerminalState = { kind: 'running' };
const draining: TerminalState = { kind: 'draining', exit };
const exited: TerminalState = { kind: 'exited', exit };
const removed: TerminalState = { kind: 'removed', exit };

const processEnded: Transition = { kind: 'process_ended', exit };
const outputParsed: Transition = { kind: 'output_parsed' };
const remove: Transition = { kind: 'remove' };

describe('the life of a terminal', () => {
  it.each([
    [running, processEnded, draining],
    [draining, outputParsed, exited],
    [exited, remove, removed],
    [draining, remove, removed],
    [running, remove, { kind: 'removed', exit: undefined }],
  ] as [TerminalState, Transition, TerminalState][])('goes from %o by %o', (from, step, to) => {
    expect(transition(from, step)).toEqual(to);
  });

  it.each([
    [running, outputParsed],
    [draining, processEnded],
    [exited, processEnded],
    [exited, outputParsed],
    [removed, remove],
    [removed, processEnded],
    [removed, outputParsed],
  ] as [TerminalState, Transition][])('never from %o by %o', (from, step) => {
    expect(() => transition(from, step)).toThrow(/cannot take the step/);
  });
});
