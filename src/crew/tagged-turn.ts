/** Text that is given to an agent in the name of another: further lines are indented, so that none looks like the first line of another message. */

/** @param from in brackets before it */
export function taggedTurn(from: string, text: string): string {
  const [first = '', ...rest] = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  return [`[${withoutBrackets(from)}] ${first}`, ...rest.map((line) => `  ${line}`)].join('\n');
}

function withoutBrackets(name: string): string {
  return name.replaceAll(/[[\]\p{Cc}]/gu, '_');
}
