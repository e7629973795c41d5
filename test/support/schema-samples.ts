/** Values that a JSON schema allows. */
import type { z } from 'zod';

/** Each with the others in turn. @param words of a field that has a text */
export function samples(
  schema: z.core.JSONSchema.JSONSchema,
  words: (field: string) => string = () => 'words',
  field = '',
): unknown[] {
  const { anyOf, enum: listed, type, items, properties = {} } = schema;
  if (anyOf !== undefined) return anyOf.flatMap((one) => samples(one, words, field));
  if (listed !== undefined) return listed;
  if (type === 'array') return [[], samples(items as z.core.JSONSchema.JSONSchema, words, field)];
  if (type === 'object') {
    const whole = Object.entries(properties).map(
      ([name, one]) => [name, samples(one as z.core.JSONSchema.JSONSchema, words, name)] as const,
    );
    const most = Math.max(1, ...whole.map(([, values]) => values.length));
    return Array.from({ length: most }, (_, i) =>
      Object.fromEntries(whole.map(([name, values]) => [name, values[i % values.length]])),
    );
  }
  if (Array.isArray(type)) return type.flatMap((one) => samples({ ...schema, type: one }, words, field));
  if (type === 'null') return [null];
  return [type === 'string' ? words(field) : type === 'boolean' ? true : 3];
}
