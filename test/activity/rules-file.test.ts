/** Rules files: what is read, and the places that errors name. */
import { describe, expect, it } from 'vitest';
import { parseRules, parsingRules } from '../../src/activity/rules-file.js';
import { profileFor } from '../../src/activity/rule.js';
import { isT4aError } from '../../src/protocol/errors.js';

const RULE = { id: 'error', start: '^ERROR', emit: { kind: 'diagnostic' } };

function file(...rules: readonly object[]): string {
  return JSON.stringify({ version: 1, profiles: [{ id: 'mine', rules }] }, undefined, 1);
}

function errorOf(text: string): { message: string; field: string | undefined } {
  try {
    parseRules('rules.json', text);
  } catch (error) {
    if (isT4aError(error) && error.code === 'rules_invalid') {
      return { message: error.message, field: error.details.field };
    }
    throw error;
  }
  throw new Error('the rules were taken');
}

describe('a broken rules file', () => {
  it.each([
    ['no JSON', '{"version":1,\n"profiles":}', 'In "rules.json", line 2: expected a value', undefined],
    ['no object', '[]', '"rules.json" is not a JSON object', undefined],
    ['another version', '{"version":2,"profiles":[]}', 'line 1: "version"', 'version'],
    [
      'a pattern that is none',
      file({ ...RULE, start: '(' }),
      'line 9: "profiles.0.rules.0.start"',
      'profiles.0.rules.0.start',
    ],
    ['look-around', file({ ...RULE, start: '(?=a)' }), '"(?=a)"', 'profiles.0.rules.0.start'],
    ['a pattern that is too large', file({ ...RULE, start: '(a{100}){100}' }), 'too large', 'profiles.0.rules.0.start'],
    ['a mistyped field', file({ ...RULE, strat: 'x' }), '"strat"', 'profiles.0.rules.0.strat'],
    ['a missing field', file({ id: 'a', emit: { kind: 'x' } }), 'is missing', 'profiles.0.rules.0.start'],
    ['two rules of one name', file(RULE, RULE), 'there are two rules error', 'profiles.0.rules.1.id'],
    ['an unknown fallback', file({ ...RULE, fallback: 'eror' }), 'no rule "eror"', 'profiles.0.rules.0.fallback'],
    [
      'a fallback of itself',
      file({ ...RULE, fallback: 'error' }),
      'a fallback of itself',
      'profiles.0.rules.0.fallback',
    ],
    [
      'a region of lines',
      file({ ...RULE, region: { top: 1 } }),
      'goes with "on": "region"',
      'profiles.0.rules.0.region',
    ],
    [
      'neither a start nor steps',
      file({ id: 'a', steps: undefined, emit: { kind: 'x' } }),
      'is missing, and so are "steps"',
      'profiles.0.rules.0.start',
    ],
    [
      'a first step that may be left out',
      file({ id: 'a', steps: [{ match: 'x', optional: true }, { match: 'y' }], emit: { kind: 'x' } }),
      'does not go with the step that a rule without "start" starts with',
      'profiles.0.rules.0.steps.0.optional',
    ],
    [
      'a first step that is no part of it',
      file({ id: 'a', steps: [{ match: 'x', ahead: true }], emit: { kind: 'x' } }),
      'does not go with',
      'profiles.0.rules.0.steps.0.ahead',
    ],
    ['no step at all', file({ id: 'a', steps: [], emit: { kind: 'x' } }), 'steps', 'profiles.0.rules.0.steps'],
    [
      'steps and an end',
      file({ ...RULE, end: 'x', steps: [{ match: 'x' }] }),
      'goes without',
      'profiles.0.rules.0.steps',
    ],
  ])('with %s names the place', (_, text, message, field) => {
    const error = errorOf(text);
    expect(error.message).toContain(message);
    expect(error.field).toBe(field);
  });
});

describe('a rules file', () => {
  it('has both forms of rules, and leaves out those that are disabled', () => {
    const seed = {
      extract: { type: 'region_regex', region: { top: 1, bottom: 3 }, pattern: 'x' },
      emit: { kind: 'x' },
    };
    const { profiles } = parseRules(
      'rules.json',
      file(RULE, { id: 'seed', ...seed }, { id: 'off', enabled: false, ...seed }),
    );
    expect(profiles[0]?.rules.map(({ id, whole }) => [id, whole])).toEqual([
      ['error', false],
      ['seed', true],
    ]);
  });

  it('is read in pieces, of one pattern each', () => {
    const patterns = { start: 'a', continue: 'b', end: 'c' };
    const steps = Array.from({ length: 16 }, (_, i) => ({ match: `${i}` }));
    const rules = [
      { ...RULE, ...patterns },
      { id: 'steps', steps, emit: { kind: 'x' } },
    ];
    const match = { command_regex: 'x', args_regex: 'y' };
    const text = JSON.stringify({ version: 1, profiles: [{ id: 'mine', match, rules }] });
    const pieces = [...parsingRules('rules.json', text, [])];
    expect(pieces).toHaveLength(3 + 16 + 2);
  });

  it('has profiles that others extend', () => {
    const profiles = [
      { id: 'base', rules: [RULE] },
      { id: 'mine', extends: ['base'], rules: [{ ...RULE, id: 'own' }] },
    ];
    const read = parseRules('rules.json', JSON.stringify({ version: 1, profiles }));
    expect(read.profiles[1]?.rules.map(({ id }) => id)).toEqual(['own', 'error']);
  });

  it('chooses the first profile whose patterns match the program', () => {
    const match = { command_regex: '(^|/)claude$', args_regex: '.*' };
    const set = parseRules('r', JSON.stringify({ version: 1, profiles: [{ id: 'a' }, { id: 'claude', match }] }));
    expect(profileFor(set, ['/usr/bin/claude', '--x'])?.id).toBe('claude');
    expect(profileFor(set, ['bash'])).toBeUndefined();
  });
});
