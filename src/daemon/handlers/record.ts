import { T4aError } from '../../protocol/errors.js';
import type { Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import type { Recorder } from '../recording/recorder.js';
import { readTerminalFlags } from '../system/termios.js';
import type { Terminal } from '../terminal/terminal.js';

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
      const begin = input ? await inputRecorder(terminal) : undefined;
      return describe(await all.start(terminal, { path, title, ...(begin === undefined ? {} : { begin }) }), true);
    }
    const recorder = all.of(terminal);
    if (action === 'mark') recorder.mark(label);
    if (action === 'stop') await recorder.finish();
    return describe(recorder, action !== 'stop');
  };

export const recordings =
  (daemon: Daemon): Handler<'recordings'> =>
  async () => ({ recordings: await (await daemon.recordings()).list() });

async function inputRecorder(terminal: Terminal): Promise<(recorder: Recorder) => void> {
  const { ShownInput } = await import('../recording/shown-input.js');
  const readFlags = (): ReturnType<typeof readTerminalFlags> => readTerminalFlags(terminal.parts.stty, terminal.device);
  return (recorder) => recorder.recordInput((onShown) => new ShownInput(terminal, { readFlags, onShown }));
}

/** @param asked undefined follows the configuration */
export function isRecorded({ config }: Daemon, asked: boolean | undefined): boolean {
  return asked ?? config.record === 'on';
}

/**
 * Call it before a terminal is created, and the result right after, so that the recording begins with the first byte.
 * @param asked undefined follows the configuration: then an error is a warning, and the terminal goes on without it
 */
export async function recordFromStart(
  daemon: Daemon,
  asked: boolean | undefined,
): Promise<(terminal: Terminal) => Promise<void>> {
  const all = await daemon.recordings();
  return async (terminal) => {
    try {
      await all.start(terminal, {});
    } catch (error) {
      // The recorder has published the warning.
      if (asked === true || !(error instanceof T4aError)) throw error;
    }
  };
}

function describe({ path, size, durationMs, gaps }: Recorder, live: boolean): Reply<'record'> {
  return { path, live, size, duration_ms: durationMs, gaps };
}
