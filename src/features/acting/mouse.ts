import { T4aError, quote } from '../../protocol/errors.js';
import type { Params } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import { KeyError, parseModifier } from '../../vt/keys/parse-key.js';
import { type CellPosition, encodeMouseAction, type MouseAction } from '../../vt/mouse/mouse-action.js';
import type { Snapshot } from '../../vt/snapshot.js';
import { rowsOver } from '../pictures/capture.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { takeInputTurn } from './input-turn.js';
import { unknownKey } from '../../terminal/input/keyboard.js';
import { compileSearch, type Pattern } from '../../search/pattern.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import { CELL_HEIGHT, CELL_WIDTH } from '../../terminal/cell-pixels.js';
import { middleOf, searchViewport } from '../../search/viewport-search.js';
import { inputModes } from '../../terminal/input/input-modes.js';

export const mouse =
  (core: LookingCore): Handler<'mouse'> =>
  (params, call) => {
    const modifiers = parseModifiers(params.modifiers);
    const pattern = patternOf(params);
    const terminal = core.terminals.use(params.id, call);
    const begin = async (writer: InputWriter) => {
      await terminal.settleForInput();
      const seen = { terminal, snapshot: terminal.snapshot(), over: rowsOver(terminal.screen) };
      const snapshot = await core.looks.shown(seen, call);
      const at = await placeOf(core, params, pattern, snapshot, call.signal);
      const action = actionOf(params, at, snapshot);
      const cell = { width: CELL_WIDTH, height: CELL_HEIGHT };
      const encoded = encodeMouseAction(action, modifiers, inputModes(terminal), cell);
      if ('reason' in encoded) {
        throw new T4aError('mouse_off', encoded.reason, { hint: `Use keys: t4a press ${terminal.id} …` });
      }
      return async () => {
        await writer.write(Buffer.concat(encoded.reports));
        const { row, col, text } = at;
        return { row, col, ...(text === undefined ? {} : { text }), reports: encoded.reports.length };
      };
    };
    return takeInputTurn(core, terminal, params, { echo: '', bytes: 0, begin }, call);
  };

interface MousePlace extends CellPosition {
  /** The match at that place. */
  readonly text?: string;
}

function parseModifiers(names: readonly string[]): number {
  return names.reduce((modifiers, name, i) => {
    try {
      return modifiers | parseModifier(name);
    } catch (error) {
      if (error instanceof KeyError) throw unknownKey(error, `modifiers.${i}`);
      throw error;
    }
  }, 0);
}

function patternOf(params: Params<'mouse'>): Pattern | undefined {
  const given = { text: params.on_text, regex: params.on_regex };
  const searches = given.text !== undefined || given.regex !== undefined;
  const hasCell = params.row !== undefined && params.col !== undefined;
  if (searches && (params.row !== undefined || params.col !== undefined)) {
    throw new T4aError('invalid_field', 'Give either "row" and "col", or a text to find, not both.', {
      field: 'row',
      hint: 'Leave out "row" and "col".',
    });
  }
  if (!searches && !hasCell) {
    throw new T4aError('invalid_field', 'The place is missing: "row" and "col", "on_text" or "on_regex".', {
      field: params.row === undefined ? 'row' : 'col',
      hint: 'For example "on_text": "OK".',
    });
  }
  return searches ? compileSearch({ text: 'on_text', regex: 'on_regex' }, given, false) : undefined;
}

async function placeOf(
  core: LookingCore,
  params: Params<'mouse'>,
  pattern: Pattern | undefined,
  snapshot: Snapshot,
  signal: AbortSignal,
): Promise<MousePlace> {
  if (pattern === undefined) return within({ row: params.row ?? 0, col: params.col ?? 0 }, snapshot, 'row', 'col');
  const matches = await core.work.finish(searchViewport(snapshot, pattern), signal);
  const match = matches.at(params.match_index);
  if (match !== undefined) return { ...middleOf(match), text: match.text };
  const wanted = quote(params.on_text ?? params.on_regex);
  throw new T4aError(
    'no_match',
    matches.length === 0
      ? `Nothing in the viewport matches ${wanted}.`
      : `The viewport holds ${matches.length} matches of ${wanted}, so there is no match ${params.match_index}.`,
    {
      field: matches.length > 0 ? 'match_index' : params.on_text === undefined ? 'on_regex' : 'on_text',
      hint: `t4a text ${params.id}`,
    },
  );
}

function within(at: CellPosition, { rows, cols }: Snapshot, rowField: string, colField: string): CellPosition {
  if (at.row < rows && at.col < cols) return at;
  throw new T4aError('cell_outside', `Row ${at.row}, column ${at.col} is outside of the grid of ${cols}x${rows}.`, {
    field: at.row >= rows ? rowField : colField,
    hint: `Rows go from 0 to ${rows - 1}, columns from 0 to ${cols - 1}.`,
  });
}

function actionOf(params: Params<'mouse'>, at: CellPosition, snapshot: Snapshot): MouseAction {
  const { action, button = 'left', clicks, direction, steps } = params;
  switch (action) {
    case 'click':
      return { action, at, button, clicks };
    case 'press':
    case 'release':
      return { action, at, button };
    case 'move':
      return { action, at, ...(params.button === undefined ? {} : { button }) };
    case 'scroll':
      return { action, at, direction, steps };
    default: {
      if (params.to_row === undefined || params.to_col === undefined) {
        throw new T4aError('invalid_field', 'A drag needs its end: "to_row" and "to_col".', {
          field: params.to_row === undefined ? 'to_row' : 'to_col',
          hint: 'For example "to_row": 3, "to_col": 10.',
        });
      }
      const to = within({ row: params.to_row, col: params.to_col }, snapshot, 'to_row', 'to_col');
      return { action: 'drag', from: at, to, button };
    }
  }
}
