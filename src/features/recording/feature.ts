/** Recordings: `record`, `recordings`, and `open`, which shows one in a terminal. Loaded with the first of them. */
import type { Terminal } from '../../terminal/terminal.js';
import type { Core } from '../core.js';
import type { Feature } from '../feature.js';
import { open, type OpenOptions } from './open.js';
import { inputRecorder, record, recordings as list } from './record.js';
import { RecordedTerminal } from './recorded-terminal.js';
import { type FrozenRecordings, Recordings } from './recordings.js';

export interface RecordingOptions extends OpenOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface RecordingFeature extends Feature<'record' | 'recordings' | 'open'> {
  readonly recordings: Recordings;
  /** @param withInput what is typed is recorded, too */
  start(terminal: Terminal, withInput: boolean): Promise<unknown>;
}

export function recordingFeature(core: Core, options: RecordingOptions): RecordingFeature {
  const { version, env } = options;
  const warn = (terminal: string, message: string): void =>
    core.bus.announce({ event: 'warning', code: 'recording', message, terminal });
  const recordings = new Recordings({
    clock: core.clock,
    version,
    env,
    warn,
    redactor: (terminal) => core.redactor(terminal),
  });
  return {
    recordings,
    handlers: { record: record(core, recordings), recordings: list(core, recordings), open: open(core, options) },
    start: (terminal, withInput) =>
      recordings.start(terminal, { hasInput: withInput, begin: withInput ? inputRecorder(terminal) : undefined }),
    keeps: () => recordings.hindrances,
    thawTerminal: ({ setup, ...frozen }) =>
      new RecordedTerminal(setup.recording ?? '', {
        setup: { ...setup, shellScripts: options.shellDir },
        parts: options.parts,
        startedAtMs: frozen.recorded?.startedAtMs ?? 0,
        observe: options.observe,
        frozen: { ...frozen, setup },
      }),
    settle: () => recordings.settle(),
    freeze: () => recordings.freeze(),
    thaw(state: FrozenRecordings) {
      const terminals = core.terminals.all();
      recordings.restore(state, terminals, (recorded) => {
        const terminal = terminals.find((one) => one === recorded);
        return terminal && inputRecorder(terminal);
      });
    },
    written: () => recordings.settled(),
    dispose: () => recordings.finishAll(),
  };
}
