// A JSON Schema as a reader's words: `integer, 1 to 1000`, `"png" or "webp"`, `array of string`.

export function fieldType(schema) {
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(' or ');
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return branches.map(fieldType).join(' or ');
  if (schema.type === 'array') return `array of ${plainType(schema.items)}${count(schema)}`;
  if (schema.type === 'object') return objectType(schema);
  return `${typeName(schema)}${bounds(schema)}`;
}

const code = (value) => `\`${JSON.stringify(value)}\``;

const typeName = ({ type }) => (type === undefined ? 'any' : [type].flat().join(' or '));

/** Without its bounds, which would be read as those of the array. */
const plainType = (schema) => (schema.enum === undefined ? typeName(schema) : `(${fieldType(schema)})`);

function objectType(schema) {
  const values = schema.additionalProperties;
  if (typeof values === 'object' && Object.keys(values).length > 0) return `object of ${fieldType(values)}`;
  return 'object';
}

const count = ({ minItems }) => (minItems === undefined ? '' : `, at least ${minItems}`);

function bounds({ type, minimum, maximum, minLength, maxLength }) {
  const [low, high] = type === 'string' ? [undefined, maxLength] : [safe(minimum), safe(maximum)];
  const unit = type === 'string' ? ' characters' : '';
  if (low !== undefined && high !== undefined) return `, ${low} to ${high}`;
  if (low !== undefined) return `, at least ${low}`;
  if (high !== undefined) return `, at most ${high}${unit}`;
  return minLength === 1 ? ', not empty' : '';
}

/** The schema library writes the bounds of whole numbers out; they say nothing. */
const safe = (bound) => (Math.abs(bound ?? 0) === Number.MAX_SAFE_INTEGER ? undefined : bound);
