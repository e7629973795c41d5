/** What a person has set for their crews: `t4a/crew.json` of their configuration. Read at each use. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { T4aError } from '../protocol/errors.js';
import { fieldError } from '../protocol/field-error.js';
import { DEFAULT_LIMITS, type Limits } from './limits.js';
import { errorIn, objectIn, readOwnFile } from './own-file.js';
import type { CrewPlaces } from './places.js';

const MAX_BYTES = 64 * 1024;
const MAX_BINDINGS = 100;

/** Not Ctrl+C, nor what Backspace, Tab and Enter send. */
const LEADER = /^ctrl-[abdefgklnopqrstuvwxyz]$/;
// prettier-ignore
export const NAMED_KEYS = [
  'tab', 'up', 'down', 'left', 'right', 'home', 'end',
  'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9', 'f10', 'f11', 'f12',
] as const;
const KEY = new RegExp(`^(?:[!-~]|ctrl-[a-z]|${NAMED_KEYS.join('|')})$`);

const DEFAULT_LEADER = 'ctrl-k';

const form = z.strictObject({
  leader: z.string().regex(LEADER, 'ctrl-a to ctrl-z without ctrl-c, -h, -i, -j and -m').optional(),
  rail_cols: z.union([z.literal(0), z.int().min(20).max(200)]).optional(),
  limits: z
    .strictObject({
      depth: z.int().min(1).max(8).optional(),
      children: z.int().min(1).max(256).optional(),
      spawns_a_minute: z.int().min(1).max(600).optional(),
    })
    .optional(),
  bindings: z
    .record(
      z.string().regex(KEY, `a character, ctrl-a to ctrl-z, ${NAMED_KEYS.slice(0, 7).join(', ')}, f1 to f12`),
      z.string().min(1).max(200),
    )
    .refine((all) => Object.keys(all).length <= MAX_BINDINGS, `at most ${MAX_BINDINGS} keys`)
    .optional(),
});

export interface CrewSettings {
  /** Such as `ctrl-k`. */
  readonly leader: string;
  /** Columns of the rail; 0 for none, undefined for a quarter of the terminal. */
  readonly railCols: number | undefined;
  readonly limits: Limits;
  /** Lines of the palette by the names of keys after the leader. */
  readonly bindings: Readonly<Record<string, string>>;
}

/** @throws T4aError `usage` with file and line */
export function readCrewSettings({ settings: path }: CrewPlaces): CrewSettings {
  const given = existsSync(path) ? read(path) : {};
  const { leader = DEFAULT_LEADER, rail_cols: railCols, limits = {}, bindings = {} } = given;
  return {
    leader,
    railCols,
    bindings,
    limits: {
      depth: limits.depth ?? DEFAULT_LIMITS.depth,
      children: limits.children ?? DEFAULT_LIMITS.children,
      spawnsAMinute: limits.spawns_a_minute ?? DEFAULT_LIMITS.spawnsAMinute,
    },
  };
}

function read(path: string): z.infer<typeof form> {
  const text = readOwnFile(path, MAX_BYTES);
  const fields = objectIn(path, text);
  const parsed = form.safeParse(fields);
  const { leader = DEFAULT_LEADER, bindings = {} } = parsed.data ?? {};
  if (leader in bindings) {
    const field = `bindings.${leader}`;
    throw errorIn(
      path,
      text,
      new T4aError('usage', `"${field}" is the leader: twice it is one for the program.`, { field }),
    );
  }
  if (parsed.success) return parsed.data;
  const hint = 'For example {"leader":"ctrl-a"}.';
  throw errorIn(path, text, fieldError({ name: 'crew', schema: form, hint }, parsed.error, fields));
}
