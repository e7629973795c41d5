import { expect, test } from 'vitest';
import { ScreenEvents } from '../../src/vt/screen-events.js';
import type { ScreenEffect } from '../../src/vt/screen-effects.js';
import { onEffect } from '../support/screen-effects.js';

class Events extends ScreenEvents {
  readonly told: unknown[] = [];

  listen(): this {
    onEffect(this, 'bell', ({ count }) => this.told.push(['bell', { count }]));
    this.onReply.on((value) => this.told.push(['reply', value]));
    onEffect(this, 'title', ({ title }) => this.told.push(['title', title]));
    onEffect(this, 'osc', ({ message }) => this.told.push(['osc', message]));
    this.onQuery.on((value) => this.told.push(['query', value]));
    onEffect(this, 'alt-screen', ({ on }) => this.told.push(['alt', on]));
    this.onUnknownSequence.on((value) => this.told.push(['unknown', value]));
    this.onParsed.on((value) => this.told.push(['parsed', value]));
    this.onFault.on((value) => this.told.push(['fault', value]));
    return this;
  }

  from(...effects: readonly ScreenEffect[]): unknown[] {
    this.told.length = 0;
    this.emitEffects(effects);
    return [...this.told];
  }

  end(): void {
    this.clearListeners();
  }
}

const BELL: ScreenEffect = { kind: 'bell' };
const TITLE: ScreenEffect = { kind: 'title', title: 'one' };
const REPLY: ScreenEffect = { kind: 'reply', bytes: 'yes' };
const SEQUENCE = { kind: 'csi', text: '5n' } as const;
const QUERY: ScreenEffect = { kind: 'query', sequence: SEQUENCE };
const UNKNOWN: ScreenEffect = { kind: 'unknown', sequence: SEQUENCE };
const MESSAGE = { code: 7, data: 'x', line: 1, col: 2 };

test('each effect is reported to its listeners', () => {
  const events = new Events().listen();
  expect(events.from(REPLY)).toEqual([['reply', 'yes']]);
  expect(events.from(TITLE)).toEqual([['title', 'one']]);
  expect(events.from({ kind: 'osc', message: MESSAGE })).toEqual([['osc', MESSAGE]]);
  expect(events.from({ kind: 'alt-screen', on: true })).toEqual([['alt', true]]);
  expect(events.from(UNKNOWN)).toEqual([['unknown', SEQUENCE]]);
  expect(events.from()).toEqual([]);
});

test('consecutive bells are one event with their count', () => {
  const events = new Events().listen();
  expect(events.from(BELL, BELL, BELL, TITLE, BELL, TITLE, BELL, BELL)).toEqual([
    ['bell', { count: 3 }],
    ['title', 'one'],
    ['bell', { count: 1 }],
    ['title', 'one'],
    ['bell', { count: 2 }],
  ]);
});

test('a query is reported with the reply directly after it, and the reply is reported too', () => {
  const events = new Events().listen();
  expect(events.from(QUERY, REPLY, QUERY, TITLE, REPLY, QUERY)).toEqual([
    ['query', { ...SEQUENCE, answer: 'yes' }],
    ['reply', 'yes'],
    ['query', { ...SEQUENCE, answer: undefined }],
    ['title', 'one'],
    ['reply', 'yes'],
    ['query', { ...SEQUENCE, answer: undefined }],
  ]);
});

test('no listener is called after the listeners are cleared', () => {
  const events = new Events().listen();
  events.end();
  expect(
    events.from(
      BELL,
      REPLY,
      TITLE,
      { kind: 'osc', message: MESSAGE },
      { kind: 'alt-screen', on: true },
      QUERY,
      UNKNOWN,
    ),
  ).toEqual([]);
  events.onParsed.emit({ changed: true, rev: 1, bytes: 1 });
  events.onFault.emit(new Error('fault'));
  expect(events.told).toEqual([]);
});
