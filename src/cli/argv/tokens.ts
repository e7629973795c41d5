/**
 * Arguments as options and positionals, as Node's `util.parseArgs` with `tokens` and without `strict` returns them (a
 * property of the tests): that takes half a millisecond to load, a twentieth of what a command may cost.
 */

/** Option that a spelling means, without dashes: long, or one letter. */
export interface OptionSyntax {
  readonly name: string;
  readonly takesValue: boolean;
}

export type Token =
  | {
      readonly kind: 'option';
      readonly index: number;
      /** Long; of unknown letters the letter. */
      readonly name: string;
      /** Name as typed: `--cols`, `-o`. */
      readonly rawName: string;
      readonly value: string | undefined;
      readonly inlineValue: boolean | undefined;
    }
  | { readonly kind: 'positional'; readonly index: number; readonly value: string }
  | { readonly kind: 'option-terminator'; readonly index: number };

/** @param long by long name @param short by letter */
export function tokensOf(
  args: readonly string[],
  long: ReadonlyMap<string, OptionSyntax>,
  short: ReadonlyMap<string, OptionSyntax>,
): Token[] {
  const tokens: Token[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    if (arg === '--') {
      tokens.push({ kind: 'option-terminator', index });
      for (index++; index < args.length; index++)
        tokens.push({ kind: 'positional', index, value: args[index] as string });
    } else if (arg.startsWith('--')) {
      // An equals sign right after the dashes begins a name.
      const equals = arg.indexOf('=', 3);
      const rawName = equals === -1 ? arg : arg.slice(0, equals);
      const option = long.get(rawName.slice(2));
      const inline = equals === -1 ? undefined : arg.slice(equals + 1);
      const next = inline === undefined && option?.takesValue === true ? args[index + 1] : undefined;
      tokens.push(optionToken(index, rawName.slice(2), rawName, inline, next));
      if (next !== undefined) index++;
    } else if (arg.startsWith('-') && arg !== '-') {
      index += pushLetters(tokens, args, index, short);
    } else {
      tokens.push({ kind: 'positional', index, value: arg });
    }
  }
  return tokens;
}

/** `-abc`: each a letter, up to one that takes a value, whose value is the rest or the next argument. @returns 1 if it took that */
function pushLetters(
  tokens: Token[],
  args: readonly string[],
  index: number,
  short: ReadonlyMap<string, OptionSyntax>,
): number {
  const letters = (args[index] as string).slice(1);
  for (let at = 0; at < letters.length; at++) {
    const letter = letters.charAt(at);
    const option = short.get(letter);
    const name = option?.name ?? letter;
    const isLast = at === letters.length - 1;
    if (option?.takesValue !== true) {
      tokens.push(optionToken(index, name, `-${letter}`, undefined, undefined));
      continue;
    }
    const next = isLast ? args[index + 1] : undefined;
    tokens.push(optionToken(index, name, `-${letter}`, isLast ? undefined : letters.slice(at + 1), next));
    return next === undefined ? 0 : 1;
  }
  return 0;
}

function optionToken(
  index: number,
  name: string,
  rawName: string,
  inline: string | undefined,
  next: string | undefined,
): Token {
  const value = inline ?? next;
  const inlineValue = value === undefined ? undefined : inline !== undefined;
  return { kind: 'option', index, name, rawName, value, inlineValue };
}
