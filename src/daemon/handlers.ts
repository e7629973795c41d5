/** One handler for each command of the registry; compilation fails while one is missing. */
import { existsSync } from 'node:fs';
import type { Handlers } from '../rpc/service.js';
import type { Daemon } from './daemon.js';
import { cancel } from './handlers/cancel.js';
import { commands } from './handlers/commands.js';
import { config } from './handlers/config.js';
import { control } from './handlers/control.js';
import { create } from './handlers/create.js';
import { cursor } from './handlers/cursor.js';
import { debug } from './handlers/debug.js';
import { entries } from './handlers/entries.js';
import { events } from './handlers/events.js';
import { exportPast } from './handlers/export.js';
import { film } from './handlers/film.js';
import { find } from './handlers/find.js';
import { forget } from './handlers/forget.js';
import { marker } from './handlers/marker.js';
import { seek } from './handlers/seek.js';
import { focus } from './handlers/focus.js';
import { grep } from './handlers/grep.js';
import { mouse } from './handlers/mouse.js';
import { open } from './handlers/open.js';
import { output } from './handlers/output.js';
import { paste } from './handlers/paste.js';
import { ports } from './handlers/ports.js';
import { press } from './handlers/press.js';
import { type } from './handlers/type.js';
import { kill } from './handlers/kill.js';
import { label } from './handlers/label.js';
import { list, status } from './handlers/list.js';
import { ping } from './handlers/ping.js';
import { publish } from './handlers/publish.js';
import { record, recordings } from './handlers/record.js';
import { resize } from './handlers/resize.js';
import { restart } from './handlers/restart.js';
import { restrict } from './handlers/restrict.js';
import { rules } from './handlers/rules.js';
import { run } from './handlers/run.js';
import { schema } from './handlers/schema.js';
import { screenshot } from './handlers/screenshot.js';
import { send } from './handlers/send.js';
import { shutdown } from './handlers/shutdown.js';
import { stats } from './handlers/stats.js';
import { text } from './handlers/text.js';
import { wait } from './handlers/wait.js';
import { watch } from './handlers/watch.js';
import { LaterFeature } from './feature.js';
import { later } from './later.js';

export function makeHandlers(daemon: Daemon): Handlers {
  const asks = new LaterFeature({
    commands: ['ask', 'asks', 'answer'],
    load: async () => (await later.asks()).asksFeature(daemon),
  });
  const triggers = new LaterFeature({
    commands: ['trigger', 'triggers', 'untrigger'],
    load: async () => (await later.triggers()).triggersFeature(daemon, handlers, daemon.triggersFile),
    isWanted: () => existsSync(daemon.triggersFile),
  });
  daemon.features.push(asks, triggers);
  const handlers: Handlers = {
    create: create(daemon),
    list: list(daemon),
    status: status(daemon),
    kill: kill(daemon),
    restart: restart(daemon),
    send: send(daemon),
    press: press(daemon),
    type: type(daemon),
    paste: paste(daemon),
    mouse: mouse(daemon),
    focus: focus(daemon),
    screenshot: screenshot(daemon),
    text: text(daemon),
    grep: grep(daemon),
    find: find(daemon),
    film: film(daemon),
    seek: seek(daemon),
    marker: marker(daemon),
    forget: forget(daemon),
    export: exportPast(daemon),
    cursor: cursor(daemon),
    resize: resize(daemon),
    control: control(daemon),
    ...asks.handlers,
    run: run(daemon),
    record: record(daemon),
    recordings: recordings(daemon),
    open: open(daemon),
    wait: wait(daemon),
    commands: commands(daemon),
    ports: ports(daemon),
    events: events(daemon),
    watch: watch(daemon),
    cancel: cancel(),
    output: output(daemon),
    entries: entries(daemon),
    debug: debug(daemon),
    config: config(daemon),
    rules: rules(daemon),
    label: label(daemon),
    publish: publish(daemon),
    ...triggers.handlers,
    ping: ping(daemon),
    restrict: restrict(),
    stats: stats(daemon),
    schema: schema(),
    shutdown: shutdown(daemon),
  };
  return handlers;
}
