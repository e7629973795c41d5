/**
 * SGR in the form of interminai: `38;2;R;G;B` and `38;5;N`. Parsers that know no colons, such as pyte, drop or misread a
 * sequence that has one, so none is left: an underline of any style is 4, and its colour, which has no old form, is
 * left out.
 */

/** @param line of `text` with the format `ansi`, which begins and ends in the default style */
export function withSemicolons(line: string): string {
  let isDefault = true;
  return line.replaceAll(SGR, (_, given: string) => {
    const [reset = '', ...others] = given.split(';');
    const parameters = others.flatMap(withoutColons);
    const needsReset = !isDefault || parameters.length === 0;
    isDefault = parameters.length === 0;
    return `\x1b[${[...(needsReset ? [reset === '' ? '0' : reset] : []), ...parameters].join(';')}m`;
  });
}

/** Of a line that the daemon has written: its first parameter resets, and is all that an end of styles has. */
// oxlint-disable-next-line no-control-regex -- what is looked for
const SGR = /\x1b\[([0-9:;]*)m/g;

function withoutColons(parameter: string): string[] {
  const [target = '', kind, ...values] = parameter.split(':');
  if (kind === undefined) return [parameter];
  if (target === '4') return ['4'];
  if (target === '58') return [];
  return kind === '5' ? [target, '5', ...values] : [target, '2', ...values.slice(-3)];
}
