import type { Handler } from '../../rpc/service.js';
import type { Core } from '../../features/core.js';
import type { Later } from '../../features/feature.js';
import { PERSISTED } from '../../features/past/persisted.js';
import { forget as forgetPast } from '../../features/past/forget.js';
import type { RecordingFeature } from '../../features/recording/feature.js';
import type { RulesFeature } from '../../features/rules/feature.js';
import { admitAct } from '../../terminal/admitted-act.js';
import type { Terminal } from '../../terminal/terminal.js';

export const forget =
  (core: Core, rules: Later<RulesFeature>, recording: Later<RecordingFeature>): Handler<'forget'> =>
  async ({ id, from, to, force }, call) => {
    const terminal = core.terminals.use(id, call);
    admitAct(core.terminals, [terminal], force, call);
    const { first, last } = await forgetPast(terminal, { from, to });
    const watch = (await rules.load()).used?.of(terminal);
    watch?.log.forget(first, last);
    const files = await recordingsOf(recording, terminal, last.ts);
    const kept = terminal.part(PERSISTED).value?.folder;
    const own = [watch?.file?.path, kept].filter((path) => path !== undefined);
    return { first, last, files: [...files, ...own] };
  };

/** Recordings that began before that time. */
async function recordingsOf(
  feature: Later<RecordingFeature>,
  { id, createdAtMs, recording }: Terminal,
  untilMs: number,
): Promise<string[]> {
  if (recording !== undefined) return [recording];
  const files = await (await feature.load()).recordings.list();
  // Of whole seconds. An older one is of another terminal of that name.
  const sinceMs = Math.floor(createdAtMs / 1000) * 1000;
  const isOwn = (startedAt: number | null): boolean =>
    startedAt !== null && startedAt >= sinceMs && startedAt <= untilMs;
  return files.filter((file) => file.terminal === id && isOwn(file.started_at)).map(({ path }) => path);
}
