import { T4aError } from '../../protocol/errors.js';
import type { Config } from '../../protocol/commands/config.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { later } from '../later.js';
import type { Recorder } from '../recording/recorder.js';
import { readTerminalFlags } from '../../terminal/system/termios.js';
import type { Terminal } from '../../terminal/terminal.js';

const FIELDS = { path: 'start', title: 'start', input: 'start', label: 'mark' } as const;

export const record =
  (daemon: Daemon): Handler<'record'> =>
  async (params, call) => {
    const { id, action, path, title, input = false, label = '' } = params;
    daemon.assertOpen();
    for (const [field, owner] of Object.entries(FIELDS)) {
      if (params[field as keyof typeof FIELDS] === undefined || action === owner) continue;
      throw new T4aError('invalid_field', `"${field}" goes with the action "${owner}".`, { field });
    }
    const terminal = daemon.terminals.use(id, call);
    const all = await daemon.recordings();
    daemon.assertOpen();
    if (action === 'start') {
      if (!terminal.alive) throw terminal.exitedError();
      const begin = input ? await inputRecorder() : undefined;
      return describe(await all.start(terminal, { path, title, begin: begin?.(terminal) }), true);
    }
    const recorder = all.of(terminal);
    if (action === 'mark') recorder.mark(label);
    if (action === 'stop') await recorder.finish();
    return describe(recorder, action !== 'stop');
  };

export const recordings =
  (daemon: Daemon): Handler<'recordings'> =>
  async () => {
    const all = await daemon.recordings();
    const opened = daemon.terminals
      .all()
      .flatMap(({ id, recording: path }) => (path === undefined ? [] : [{ id, path }]));
    return { recordings: await all.list(opened) };
  };

/** Loads what records input, so that it can begin with the first byte. */
async function inputRecorder(): Promise<(terminal: Terminal) => (recorder: Recorder) => void> {
  const { ShownInput } = await later.shownInput();
  return (terminal) => {
    const { stty } = terminal.parts;
    const readFlags = (): ReturnType<typeof readTerminalFlags> => readTerminalFlags(stty, terminal.device);
    return (recorder) => recorder.recordInput((onShown) => new ShownInput(terminal, { readFlags, onShown }));
  };
}

type StartRecording = (terminal: Terminal) => Promise<void>;
type RecordFields = Pick<Params<'create'>, 'record' | 'record_input'>;

/** How a new terminal is recorded. @param asked what is absent follows the configuration @throws T4aError invalid_field */
function recordingOf({ config }: Daemon, { record: asked, record_input: input }: RecordFields): Config['record'] {
  if (asked === false && input === true) {
    throw new T4aError('invalid_field', '"record_input" is true, and "record" is false.', {
      field: 'record_input',
      hint: 'Leave one of the two out.',
    });
  }
  const isRecorded = asked ?? (input === true || config.record !== 'off');
  if (!isRecorded) return 'off';
  return (input ?? config.record === 'input') ? 'input' : 'on';
}

/**
 * Call it before a terminal is created, and the result right after, so that the recording begins with the first byte.
 * @param asked what is absent follows the configuration: then an error is a warning, and the terminal goes on without it
 * @returns undefined, and no promise, for a terminal that is not recorded: its request overtakes no other and is overtaken by none
 * @throws T4aError invalid_field
 */
export function recordFromStart(daemon: Daemon, asked: RecordFields): Promise<StartRecording> | undefined {
  const recording = recordingOf(daemon, asked);
  return recording === 'off' ? undefined : recorded(daemon, asked, recording);
}

async function recorded(
  daemon: Daemon,
  asked: RecordFields,
  recording: Exclude<Config['record'], 'off'>,
): Promise<StartRecording> {
  const all = await daemon.recordings();
  const begin = recording === 'input' ? await inputRecorder() : undefined;
  return async (terminal) => {
    try {
      await all.start(terminal, { begin: begin?.(terminal) });
    } catch (error) {
      // The recorder has published the warning.
      const isAsked = asked.record === true || asked.record_input === true;
      if (isAsked || !(error instanceof T4aError)) throw error;
    }
  };
}

function describe({ path, size, durationMs, gaps }: Recorder, live: boolean): Reply<'record'> {
  return { path, live, size, duration_ms: durationMs, gaps };
}
