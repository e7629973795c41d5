/** The whole contract as one JSON Schema document: for `schema`, docs/schema.json and wrappers in other languages. */
import { z } from 'zod';
import { envelopeShape } from './command.js';
import { ERRORS } from './errors.js';
import { DAEMON_EVENTS, EVENTS, daemonEventEnvelope, eventEnvelope } from './events.js';
import { FEATURES } from './features.js';
import { PROTOCOL_VERSION } from './limits.js';
import { COMMANDS } from './registry.js';

export function protocolSchema(): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 't4a protocol',
    protocol: PROTOCOL_VERSION,
    features: FEATURES,
    commands: Object.fromEntries(
      Object.values(COMMANDS).map((spec) => [
        spec.name,
        {
          description: spec.summary,
          ...('details' in spec ? { details: spec.details } : {}),
          reply_kind: spec.kind,
          effect: spec.traits.effect,
          reach: spec.traits.reach,
          ...(spec.traits.fieldReach === undefined ? {} : { field_reach: spec.traits.fieldReach }),
          ...(spec.traits.person === undefined ? {} : { person: spec.traits.person }),
          errors: spec.errors,
          request: jsonSchema(
            z.strictObject({ ...envelopeShape, cmd: z.literal(spec.name), ...spec.params.shape }),
            'input',
          ),
          reply: jsonSchema(z.object({ ok: z.literal(true), req: envelopeShape.req, ...spec.reply.shape }), 'output'),
        },
      ]),
    ),
    events: {
      ...eventSchemas(EVENTS, { terminal: z.string() }, eventEnvelope),
      ...eventSchemas(DAEMON_EVENTS, {}, daemonEventEnvelope),
    },
    errors: Object.fromEntries(
      Object.entries(ERRORS).map(([code, spec]) => [
        code,
        { description: spec.meaning, fault: spec.fault, exit_status: spec.exitStatus },
      ]),
    ),
  };
}

function eventSchemas(
  events: Readonly<Record<string, { readonly meaning: string; readonly fields: z.ZodRawShape }>>,
  subject: z.ZodRawShape,
  envelope: z.ZodRawShape,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(events).map(([type, { meaning, fields }]) => [
      type,
      {
        description: meaning,
        ...jsonSchema(z.object({ event: z.literal(type), ...subject, ...fields, ...envelope }), 'output'),
      },
    ]),
  );
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
