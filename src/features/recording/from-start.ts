/** Recordings that begin with their terminal, as its request or the configuration says. */
import type { Config } from '../../protocol/commands/config.js';
import { T4aError } from '../../protocol/errors.js';
import type { Core, RecordFields, StartRecording } from '../core.js';
import type { Later } from '../feature.js';
import type { RecordingFeature } from './feature.js';

/** @throws T4aError invalid_field */
function recordingOf({ config }: Core, { record: asked, record_input: input }: RecordFields): Config['record'] {
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

/** See `Launcher`. @param asked what is absent follows the configuration: then an error is a warning, and the terminal goes on without it */
export function recordFromStart(
  core: Core,
  feature: Later<RecordingFeature>,
  asked: RecordFields,
): Promise<StartRecording> | undefined {
  const recording = recordingOf(core, asked);
  return recording === 'off' ? undefined : recorded(feature, asked, recording);
}

async function recorded(
  feature: Later<RecordingFeature>,
  asked: RecordFields,
  recording: Exclude<Config['record'], 'off'>,
): Promise<StartRecording> {
  const loaded = await feature.load();
  return async (terminal) => {
    try {
      await loaded.start(terminal, recording === 'input');
    } catch (error) {
      // The recorder has published the warning.
      const isAsked = asked.record === true || asked.record_input === true;
      if (isAsked || !(error instanceof T4aError)) throw error;
    }
  };
}
