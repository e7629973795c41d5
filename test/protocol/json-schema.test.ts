/** The published contract agrees with the code. */
import { describe, expect, test } from 'vitest';
import { ERRORS } from '../../src/protocol/errors.js';
import { DAEMON_EVENTS, EVENTS, EVENT_TYPES, PUBLISHED_TYPES } from '../../src/protocol/events.js';
import { protocolSchema } from '../../src/protocol/json-schema.js';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import { COMMANDS, COMMAND_NAMES } from '../../src/protocol/registry.js';
import { CONTRACT } from './contract.js';

const schema = JSON.parse(JSON.stringify(protocolSchema())) as typeof CONTRACT & Readonly<Record<string, unknown>>;

describe('the schema of the contract', () => {
  test('equals the published one in every part', () => {
    expect(Object.keys(schema)).toEqual(['$schema', 'title', 'protocol', 'features', 'commands', 'events', 'errors']);
    for (const name of COMMAND_NAMES) expect(schema.commands[name], name).toEqual(CONTRACT.commands[name]);
    for (const type of PUBLISHED_TYPES) expect(schema.events[type], type).toEqual(CONTRACT.events[type]);
    expect(schema).toEqual(CONTRACT);
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 't4a protocol',
      protocol: PROTOCOL_VERSION,
    });
  });

  test('has every command, event and error, and no others', () => {
    expect(Object.keys(schema.commands)).toEqual(Object.values(COMMANDS).map(({ name }) => name));
    expect(Object.keys(COMMANDS)).toEqual(COMMAND_NAMES);
    expect(Object.keys(schema.events)).toEqual(PUBLISHED_TYPES);
    expect(PUBLISHED_TYPES).toEqual([...Object.keys(EVENTS), ...Object.keys(DAEMON_EVENTS)]);
    expect(EVENT_TYPES).toEqual(Object.keys(EVENTS));
    expect(Object.keys(schema.errors)).toEqual(Object.keys(ERRORS));
  });

  test('has the summary, details, kind and errors of each command, and omits absent details', () => {
    for (const spec of Object.values(COMMANDS)) {
      const { description, details, reply_kind: kind, errors } = schema.commands[spec.name] ?? {};
      expect([description, details, kind, errors]).toEqual([spec.summary, spec.details, spec.kind, spec.errors]);
    }
    expect(schema.commands['ping']).not.toHaveProperty('details');
  });

  test('forbids further fields in requests, and does not explicitly allow them in replies', () => {
    for (const { request, reply } of Object.values(schema.commands)) {
      expect(request.additionalProperties).toBe(false);
      expect(reply.additionalProperties).not.toBe(true);
    }
  });

  test('has a revision only in events of terminals, which also have a terminal', () => {
    for (const type of PUBLISHED_TYPES) {
      const fields = Object.keys(schema.events[type]?.properties ?? {});
      const isOfTerminal = Object.hasOwn(EVENTS, type);
      expect(fields, type).toEqual(expect.arrayContaining(['event', 'seq', 'ts']));
      expect(fields.includes('rev'), type).toBe(isOfTerminal);
      if (isOfTerminal) expect(fields).toContain('terminal');
    }
  });
});
