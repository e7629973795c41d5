import { T4aError } from '../../protocol/errors.js';
import type { Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { Core } from '../core.js';
import type { Recorder } from './recorder.js';
import type { Recordings } from './recordings.js';
import { ShownInput } from './shown-input.js';
import type { Terminal } from '../../terminal/terminal.js';

const FIELDS = { path: 'start', title: 'start', input: 'start', label: 'mark' } as const;

export const record =
  (core: Core, all: Recordings): Handler<'record'> =>
  async (params, call) => {
    const { id, action, path, title, input = false, label = '' } = params;
    core.assertOpen();
    for (const [field, owner] of Object.entries(FIELDS)) {
      if (params[field as keyof typeof FIELDS] === undefined || action === owner) continue;
      throw new T4aError('invalid_field', `"${field}" goes with the action "${owner}".`, { field });
    }
    const terminal = core.terminals.use(id, call);
    if (action === 'start') {
      if (!terminal.alive) throw terminal.exitedError();
      return describe(
        await all.start(terminal, { path, title, hasInput: input, begin: input ? inputRecorder(terminal) : undefined }),
        true,
      );
    }
    const recorder = all.of(terminal);
    if (action === 'mark') recorder.mark(label);
    if (action === 'flush') await recorder.flush();
    if (action === 'stop') await recorder.finish();
    return describe(recorder, action !== 'stop');
  };

export const recordings =
  (core: Core, all: Recordings): Handler<'recordings'> =>
  async () => {
    const opened = core.terminals
      .all()
      .flatMap(({ id, recording: path }) => (path === undefined ? [] : [{ id, path }]));
    return { recordings: await all.list(opened) };
  };

/** Records what is typed, from the first byte on. */
export function inputRecorder(terminal: Terminal): (recorder: Recorder) => void {
  const readFlags: Terminal['flags'] = () => terminal.flags();
  return (recorder) => recorder.recordInput((onShown) => new ShownInput(terminal, { readFlags, onShown }));
}

function describe({ path, size, durationMs, gaps, masked }: Recorder, live: boolean): Reply<'record'> {
  return { path, live, size, duration_ms: durationMs, gaps, masked };
}
