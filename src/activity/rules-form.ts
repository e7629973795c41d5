/** The form of a rules file: profiles with rules, each rule in the form of t4a or in that of orbitmesh. */
import { z } from 'zod';

export const MAX_PROFILES = 64;
export const MAX_RULES = 200;

const name = z.string().regex(/^\w[\w.-]{0,63}$/, 'letters, digits, "_", "." and "-" only, at most 64');
const pattern = z.string().min(1).max(4096);
const kind = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'lower-case letters, digits and "_"');
const confidence = z.number().min(0).max(1);
const place = z.int().min(-1000).max(1000);

const region = z.strictObject({
  top: place.default(0).describe('First row; negative from below.'),
  left: place.default(0),
  bottom: place.optional().describe('Row after the last; negative from below.'),
  right: place.optional().describe('Column after the last.'),
});

const step = z.strictObject({
  match: pattern,
  optional: z.boolean().default(false),
  repeat: z.boolean().default(false),
  ahead: z.boolean().default(false),
});

const emit = z.strictObject({
  kind,
  key: z.string().min(1).max(256).optional(),
  confidence: confidence.default(1),
  data: z.record(z.string(), z.union([z.string().max(256), z.number(), z.boolean()])).default({}),
  numbers: z.array(name).max(16).default([]),
});

export const ownRule = z.strictObject({
  id: name,
  enabled: z.boolean().default(true),
  on: z.enum(['lines', 'region', 'title', 'report', 'box']).default('lines'),
  region: region.optional(),
  start: pattern.optional().describe('Default: the first of the steps.'),
  continue: pattern.optional(),
  end: pattern.optional(),
  steps: z.array(step).min(1).max(16).optional(),
  unfinished: z.boolean().default(false),
  max_lines: z.int().min(1).max(200).default(50),
  min_confidence: confidence.default(0),
  fallback: name.optional(),
  hint: pattern.optional(),
  opens_menu: pattern.optional(),
  opens_shell: pattern.optional(),
  cursor: z.boolean().default(true),
  emit,
});

/** A rule of orbitmesh (extractors/pty-rules.v1.json). */
export const seedRule = z.strictObject({
  id: name,
  enabled: z.boolean().default(true),
  trigger: z.strictObject({ region_changed: region }).optional(),
  extract: z.strictObject({ type: z.literal('region_regex'), region, pattern }),
  emit: z.strictObject({
    kind,
    key: z.string().min(1).max(256).optional(),
    confidence: confidence.default(1),
    update_window: z.literal('recent_open').optional(),
  }),
});

export const profile = z.strictObject({
  id: name,
  match: z.strictObject({ command_regex: pattern, args_regex: pattern.optional() }).optional(),
  extends: z.array(name).max(8).default([]).describe('Profiles whose rules follow its own.'),
  rules: z.array(z.record(z.string(), z.unknown())).max(MAX_RULES).default([]),
});

export const rulesFile = z.strictObject({
  version: z.literal(1),
  profiles: z.array(profile).max(MAX_PROFILES),
});

export type OwnRule = z.infer<typeof ownRule>;
export type SeedRule = z.infer<typeof seedRule>;
export type ProfileForm = z.infer<typeof profile>;
