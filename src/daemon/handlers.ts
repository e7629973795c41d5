/** All features of a daemon, and one handler for each command of the registry; compilation fails while one is missing. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CommandName } from '../protocol/registry.js';
import type { Handlers } from '../rpc/service.js';
import type { ActingCore } from '../features/acting/acting-core.js';
import { actingFeature } from '../features/acting/feature.js';
import { doingFeature } from '../features/doing/feature.js';
import { type Feature, Later, LaterFeature } from '../features/feature.js';
import type { Launcher } from '../features/core.js';
import { pastFeature } from '../features/past/feature.js';
import { watch } from '../features/people/watch.js';
import type { LookingCore } from '../features/pictures/looking-core.js';
import { persistFromStart } from '../features/persistence/from-start.js';
import { picturesFeature } from '../features/pictures/feature.js';
import { reportedColors } from '../features/pictures/themes.js';
import { readingFeature } from '../features/reading/feature.js';
import { recordFromStart } from '../features/recording/from-start.js';
import { StreamedRuns } from '../terminal/streamed-runs.js';
import type { Daemon } from './daemon.js';
import { cancel, publish, restrict } from './handlers/connection-commands.js';
import { create } from './handlers/create.js';
import { config, ping, replace, schema, shutdown } from './handlers/daemon-commands.js';
import { debug } from './handlers/debug.js';
import { events } from './handlers/events.js';
import { forget } from './handlers/forget.js';
import { kill } from './handlers/kill.js';
import { label } from './handlers/label.js';
import { list, status } from './handlers/list.js';
import { restart } from './handlers/restart.js';
import { stats } from './handlers/stats.js';
import { later } from './later.js';
import { assertMemory, spawnTerminal } from './spawn.js';

export function makeHandlers(daemon: Daemon): Handlers {
  const { core } = daemon;
  const { env, version, shellDir } = daemon.options;
  const feature = <Name extends CommandName, F extends Feature<Name>>(
    commands: readonly Name[],
    load: () => Promise<F>,
    isWanted?: () => boolean,
  ): LaterFeature<Name, F> => {
    const onError = (error: unknown): void => core.log.error(`the feature of ${commands.join(', ')}`, error);
    return new LaterFeature({ commands, load, onError, ...(isWanted === undefined ? {} : { isWanted }) });
  };

  const past = pastFeature(core);
  const pastSearch = feature(['seek', 'export'], async () => (await later.pastSearch()).pastSearchFeature(core));
  const pictures = picturesFeature(core);
  const film = feature(['film'], async () => (await later.film()).filmFeature(core));
  const recording = feature(['record', 'recordings', 'open'], async () =>
    (await later.recording()).recordingFeature(core, {
      env,
      version,
      shellDir,
      parts: daemon.parts,
      observe: (terminal, now) => past.histories.observe(terminal, now),
      colors: () => reportedColors(core.looks.themes),
      assertMemory: () => assertMemory(daemon),
      restoreEntries: async (terminal) => (await rules.load()).activity().restore(terminal),
    }),
  );
  const rulesFile = fileOfOwner(daemon, 'rules.json');
  const rules = feature(
    ['rules', 'entries'],
    async () => (await later.rules()).rulesFeature(core, { file: rulesFile, env }),
    () => existsSync(rulesFile),
  );
  const persistence = new Later(async () => (await later.persistence()).persistenceFeature(core, { version }));
  const acts = withRules(core, rules);
  const streamedRuns = new StreamedRuns();
  const launcher: Launcher = {
    recordFromStart: (asked) => persistFromStart(core, persistence, recordFromStart(core, recording, asked)),
    spawn: (params, asker) => spawnTerminal(daemon, params, asker),
    remove: (...ending) => daemon.remove(...ending),
  };
  const reading = readingFeature(core, streamedRuns);
  const acting = actingFeature(acts, launcher, streamedRuns);
  const control = feature(['control'], async () => (await later.control()).controlFeature(core));
  const delivery = feature(['deliver'], async () => (await later.delivery()).deliveryFeature(acts));
  const doing = doingFeature(core);
  const triggersFile = fileOfOwner(daemon, 'triggers.json');
  const triggers = feature(
    ['trigger', 'triggers', 'untrigger'],
    async () => (await later.triggers()).triggersFeature(acts, handlers, triggersFile),
    () => existsSync(triggersFile),
  );
  const asks = feature(['ask', 'asks', 'answer'], async () => {
    // Order: before the first question, for which the owner may be called, also where no terminal was made yet.
    if (existsSync(triggersFile)) await triggers.load();
    return (await later.asks()).asksFeature(acts);
  });

  // Questions read who has control, and triggers what programs do.
  const features: Readonly<Record<string, Feature>> = {
    past,
    persistence: persisting(persistence),
    pastSearch,
    pictures,
    film,
    recording,
    rules,
    reading,
    acting,
    control,
    asks,
    delivery,
    doing,
    triggers,
  };
  for (const [name, each] of Object.entries(features)) daemon.features.set(name, each);
  const handlers: Handlers = {
    ...past.handlers,
    ...pastSearch.handlers,
    ...pictures.handlers,
    ...film.handlers,
    ...recording.handlers,
    ...rules.handlers,
    ...reading.handlers,
    ...acting.handlers,
    ...asks.handlers,
    ...control.handlers,
    ...delivery.handlers,
    ...doing.handlers,
    ...triggers.handlers,
    watch: watch(core),
    create: create(daemon, launcher, rules),
    list: list(core),
    status: status(core),
    kill: kill(daemon),
    restart: restart(daemon),
    forget: forget(core, rules, recording),
    events: events(core),
    cancel: cancel(),
    debug: debug(core),
    config: config(daemon),
    label: label(core),
    publish: publish(core),
    ping: ping(daemon),
    restrict: restrict(),
    stats: stats(daemon, rules),
    schema: schema(),
    replace: replace(daemon),
    shutdown: shutdown(daemon),
  };
  return handlers;
}

/** Persistence that is loaded at once: the first byte of a terminal is kept, too. */
function persisting(feature: Later<Feature>): Feature {
  return {
    handlers: {},
    observe: (terminal, isNew) => feature.value?.observe?.(terminal, isNew),
    keeps: () => feature.value?.keeps?.() ?? [],
    settle: () => feature.value?.settle?.(),
    freeze: () => feature.value?.freeze?.(),
    thaw: async (state: never) => (await feature.load()).thaw?.(state),
    written: async () => feature.value?.written?.(),
    dispose: () => feature.value?.dispose?.(),
  };
}

function withRules(core: LookingCore, rules: ActingCore['rules']): ActingCore {
  return {
    ...core,
    rules,
    get config() {
      return core.config;
    },
  };
}

/** A path beside the configuration file, whether or not there is such a file. */
function fileOfOwner({ options }: Daemon, name: string): string {
  return path.join(path.dirname(options.configFile), name);
}
