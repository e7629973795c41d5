import type { Work } from '../../search/work.js';
import type { Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { Screen } from '../../vt/screen.js';
import type { Core } from '../core.js';
import { LineReader } from '../../vt/line-reader.js';
import { regionRange } from '../../vt/region.js';
import { processName } from '../../terminal/system/process-name.js';
import { listenersOf } from '../../terminal/system/proc/listeners.js';
import { allPids, readStat } from '../../terminal/system/processes.js';
import type { Terminal } from '../../terminal/terminal.js';

const MAX_URLS = 20;

export const ports =
  (core: Core): Handler<'ports'> =>
  async ({ id }, call) => {
    const terminal = core.terminals.use(id, call);
    await terminal.settle();
    const urls = await core.work.finish(findUrls(terminal.screen), call.signal);
    const listeners = await listenersOf(terminal.recording === undefined ? processesOf(terminal) : []);
    return { listeners: listeners.map((listener) => ({ ...listener, process: nameOf(listener.pid) })), urls };
  };

/** Linear: no part of it can match in two ways. What ends a sentence after it is cut off. */
const URL = /\bhttps?:\/\/[^\s"'`<>(){}[\]]+/g;
const SENTENCE_END = /[.,;:!?]+$/;

function* findUrls(screen: Screen): Work<string[]> {
  const urls = new Set<string>();
  const reader = new LineReader(screen, regionRange(screen, 'all'));
  reader.holdViewport();
  for (const { text } of reader.blocks()) {
    yield text.length;
    for (const [match] of text.matchAll(URL)) {
      const url = match.replace(SENTENCE_END, '');
      urls.delete(url);
      urls.add(url);
    }
  }
  return [...urls].slice(-MAX_URLS);
}

/** Those of its session and their descendants, which may have sessions of their own. */
function processesOf({ pid: leader }: Terminal): number[] {
  const children = new Map<number, number[]>();
  const found = new Set<number>();
  for (const pid of allPids()) {
    const stat = readStat(pid);
    if (stat === undefined) continue;
    if (stat.session === leader) found.add(pid);
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), pid]);
  }
  // A set goes on with what is added meanwhile.
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
  return [...found];
}

function nameOf(pid: number): Reply<'ports'>['listeners'][number]['process'] {
  const name = readStat(pid)?.name;
  return name === undefined ? null : processName(pid, name);
}
