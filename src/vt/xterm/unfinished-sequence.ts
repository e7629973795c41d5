/**
 * The beginning of a sequence whose end has not come, as text: another parser that gets it is where this one is. It is made from the
 * parser's state when it is asked for, so that nothing is kept meanwhile, and what a sequence has done already is not done again.
 */
import { type ControlStrings, WINDOW_NAME } from './control-strings.js';
import { wholeInternals, type WholeInternals } from './frozen-internals.js';
import type { Internals, RawParams } from './internals.js';

type Parser = WholeInternals['_inputHandler']['_parser'];

/** States of the library's parser (its parser/Constants). */
const BY_STATE: readonly ((parser: Parser, strings: ControlStrings) => string)[] = [
  () => '',
  () => '\x1b',
  (parser) => `\x1b${collected(parser).join('')}`,
  () => '\x1b[',
  (parser) => `\x1b[${parameters(parser)}`,
  (parser) => `\x1b[${parameters(parser)}${intermediates(parser)}`,
  () => `\x1b[${IGNORED}`,
  () => '\x1b_',
  osc,
  () => '\x1bP',
  (parser) => `\x1bP${parameters(parser)}`,
  () => `\x1bP${IGNORED}`,
  (parser) => `\x1bP${parameters(parser)}${intermediates(parser)}`,
  dcs,
];

/** No sequence goes on like this: the rest of it is dropped. */
const IGNORED = '0<';

export function unfinishedSequence(internals: Internals, strings: ControlStrings): string {
  const { _parser: parser } = wholeInternals(internals)._inputHandler;
  const begin = BY_STATE[parser.currentState];
  if (begin === undefined) throw new Error(`the parser is in state ${parser.currentState}, which is unknown`);
  return begin(parser, strings);
}

/** State of the number of an OSC, which a parser of its own reads. */
const OSC_NUMBER = 1;
const OSC_PAYLOAD = 2;

function osc({ _oscParser: { _state: state, _id: id } }: Parser, strings: ControlStrings): string {
  if (state <= OSC_NUMBER) return id === -1 ? '\x1b]' : `\x1b]${id}`;
  const payload = state === OSC_PAYLOAD ? strings.payloadOf('osc') : undefined;
  // A string without a number is ignored up to its end, as one is that is too long.
  return payload === undefined ? '\x1b]x' : `\x1b]${id};${payload.text}`;
}

function dcs(parser: Parser, strings: ControlStrings): string {
  const payload = strings.payloadOf('dcs');
  if (payload === undefined) return `\x1bP${IGNORED}`;
  if (payload.name === WINDOW_NAME) return `\x1b${WINDOW_NAME}${payload.text}`;
  const [, prefix = '', name = ''] = /^([<=>?]?)(.*)$/s.exec(payload.name) ?? [];
  return `\x1bP${prefix}${numbers(parser._params)}${name}${payload.text}`;
}

/** Characters that are no parameter, in their order; the library packs them into a number. */
function collected({ _collect: packed }: Parser): string[] {
  const characters: string[] = [];
  for (let left = packed; left > 0; left >>= 8) characters.unshift(String.fromCharCode(left & 0xff));
  return characters;
}

const isPrefix = (character: string | undefined): boolean => character !== undefined && '<=>?'.includes(character);

function parameters(parser: Parser): string {
  const [first] = collected(parser);
  return `${isPrefix(first) ? first : ''}${numbers(parser._params)}`;
}

function intermediates(parser: Parser): string {
  const characters = collected(parser);
  return characters.slice(isPrefix(characters[0]) ? 1 : 0).join('');
}

/** More than the library takes are as if they were not there; one of them says so again. */
function numbers(params: RawParams & Pick<Parser['_params'], '_rejectDigits' | '_rejectSubDigits'>): string {
  const parts: string[] = [];
  for (const each of params.toArray()) {
    if (typeof each === 'number') parts.push(String(each));
    else parts.push(`${parts.pop() ?? ''}:${each.map((sub) => (sub === -1 ? '' : String(sub))).join(':')}`);
  }
  return `${parts.join(';')}${params._rejectSubDigits ? ':0' : ''}${params._rejectDigits ? ';0' : ''}`;
}
