/** State of the daemon on the socket, by its own figures. Starts none. */
import { VERSION } from '../../base/version.js';
import { connect } from '../../client/client.js';
import { isT4aError } from '../../protocol/errors.js';
import type { Reply } from '../../protocol/registry.js';
import { examineHiddenDaemons } from './hidden-daemons.js';
import { failed, passed, warning, type Finding } from './finding.js';

const ANSWER_MS = 5000;
/** A lag that a person typing would notice. */
const HIGH_LAG_MS = 100;

export async function examineDaemon(socketPath: string): Promise<Finding[]> {
  try {
    const client = await connect({ socketPath, autoStart: false, timeoutMs: ANSWER_MS });
    const stats = await client.call('stats', {});
    await client.close();
    return [
      identity(stats),
      load(stats),
      memory(stats),
      losses(stats),
      widths(stats),
      ...examineHiddenDaemons(socketPath, stats.pid),
    ];
  } catch (error) {
    if (!isT4aError(error)) throw error;
    const isAbsent = error.code === 'daemon_unreachable' && error.message.startsWith('No daemon listens');
    if (isAbsent) return [passed('daemon', 'none runs'), ...examineHiddenDaemons(socketPath, undefined)];
    return [failed('daemon', error.message, error.details.hint ?? `Look into ${socketPath}.log.`)];
  }
}

function identity({ version, pid, uptime_ms: uptimeMs, terminals, predecessor }: Reply<'stats'>): Finding {
  const hours = (uptimeMs / 3_600_000).toFixed(1);
  const says = `t4a ${version}, pid ${pid}, up for ${hours} h, ${terminals.running} of ${terminals.total} terminals run`;
  if (version !== VERSION) return warning('daemon', says, 't4a replace: its terminals go on under this version.');
  if (predecessor === null) return passed('daemon', says);
  const left = predecessor.survivors.length === 0 ? '' : `; it left ${predecessor.survivors.join(', ')} running`;
  return warning(
    'daemon',
    `${says}; the one before (pid ${predecessor.pid}) was killed${left}`,
    'Its log has the details.',
  );
}

function load({ event_loop: loop, output }: Reply<'stats'>): Finding {
  const says = `busy ${Math.round(loop.busy * 100)} %, lag p99 ${loop.lag_p99_ms} ms, ${output.pending_bytes} bytes to parse`;
  if (loop.lag_p99_ms < HIGH_LAG_MS) return passed('load', says);
  return warning('load', says, '"t4a stats --terminals" shows which terminal prints most.');
}

function memory({ memory: { rss, limit, pressure } }: Reply<'stats'>): Finding {
  const says = `${Math.round(rss / 1e6)} of ${Math.round(limit / 1e6)} MB`;
  if (pressure === 'none') return passed('memory', says);
  return warning('memory', `${says}: pressure is ${pressure}`, 'Kill terminals, or give them less scrollback.');
}

function losses({ events, faults, connections }: Reply<'stats'>): Finding {
  const says = `${events.dropped} events, ${connections.refused} connections refused, ${faults} faults`;
  if (faults > 0) return warning('losses', says, 'The log has each fault with its stack.');
  if (events.dropped > 0) return warning('losses', says, 'A subscriber does not read: raise "event_queue", or read.');
  return passed('losses', says);
}

function widths({ widths: problem }: Reply<'stats'>): Finding {
  return problem === null
    ? passed('widths', 'every sample is as wide as it should be')
    : failed('widths', problem, 'Reinstall t4a: its parser is not the one that it was tested with.');
}
