/** Small commands about the daemon itself. */
import { FEATURES } from '../../protocol/features.js';
import { protocolSchema } from '../../protocol/json-schema.js';
import { PROTOCOL_VERSION } from '../../protocol/limits.js';
import type { Reply } from '../../protocol/registry.js';
import { EncodedReply } from '../../rpc/encoded-fields.js';
import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { later } from '../later.js';
import type { Replacement } from '../replacing/replace.js';

export const config =
  (daemon: Daemon): Handler<'config'> =>
  ({ sources: wanted, ...params }) => {
    const given = Object.entries(params).filter(([, value]) => value !== undefined);
    const values = daemon.settings.change(Object.fromEntries(given));
    return wanted
      ? { ...values, sources: { ...daemon.settings.sources }, file: daemon.options.configFile }
      : { ...values };
  };

export const ping =
  (daemon: Daemon): Handler<'ping'> =>
  () => ({
    version: daemon.options.version,
    protocol: PROTOCOL_VERSION,
    pid: process.pid,
    socket: daemon.options.socketPath,
    uptime_ms: Math.round(daemon.options.clock.now() - daemon.facts.startedAtMs),
    terminals: daemon.core.terminals.size,
    instance: daemon.options.instance?.(),
    ...(daemon.facts.replaced > 0 ? { replaced: daemon.facts.replaced } : {}),
    features: [...FEATURES],
  });

/** One at a time; loaded with the first request. */
let replacement: Replacement | undefined;

/** Schema as JSON, made once: that takes some 25 ms, in which no other request is served. */
let made: Uint8Array | undefined;

export const schema = (): Handler<'schema'> => () => {
  made ??= Buffer.from(JSON.stringify(protocolSchema()));
  return new EncodedReply<Reply<'schema'>>({}, { schema: [made] });
};

export const replace =
  (daemon: Daemon): Handler<'replace'> =>
  async (params) => {
    const { Replacement } = await later.replacing();
    replacement ??= new Replacement(daemon);
    return replacement.replace(params);
  };

export const shutdown =
  (daemon: Daemon): Handler<'shutdown'> =>
  async () => {
    try {
      const orphans = await daemon.shutdown();
      return orphans.length === 0 ? {} : { survivors: orphans };
    } finally {
      daemon.options.stop();
    }
  };
