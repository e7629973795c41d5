/** A wait for events that clients publish, of no terminal: clients find each other without polling. */
import { DisposableScope } from '../../base/lifetime.js';
import { Shares } from '../../base/shares.js';
import type { WaitParams, WaitReply } from '../../protocol/conditions.js';
import { T4aError } from '../../protocol/errors.js';
import type { Call } from '../../rpc/service.js';
import { waitersOf } from '../../rpc/takers.js';
import type { Core } from '../core.js';

type Names = readonly (string | undefined)[];

/** Whose waits they are, of each daemon. */
const pending = new WeakMap<Core, readonly (readonly object[])[]>();

/** @throws T4aError invalid_field, too_many_waits; the signal's reason */
export async function waitPublished(core: Core, params: WaitParams, call: Call): Promise<WaitReply> {
  const { clock } = core;
  const { signal } = call;
  const until = params.until.map(({ published }) => published);
  const fail = (params.fail ?? []).map(({ published }) => published);
  assertNames([...fail, ...until]);
  const waiters = waitersOf(call);
  const before = pending.get(core) ?? [];
  const lack = new Shares(core.config.max_waits, before).lack(waiters);
  if (lack !== undefined) {
    const bound = lack === 'all' ? 'which is the limit' : 'and one client may have half';
    const message = `${before.length} waits are for what clients publish, ${bound}.`;
    throw new T4aError('too_many_waits', message, { hint: 'Close connections whose waits are no longer needed.' });
  }
  signal.throwIfAborted();
  const startMs = clock.now();
  const scope = new DisposableScope();
  pending.set(core, [...before, waiters]);
  try {
    return await new Promise((resolve, reject) => {
      const end = (outcome: Pick<WaitReply, 'outcome' | 'index' | 'event'>): void =>
        resolve({ ...outcome, elapsed_ms: Math.round(clock.now() - startMs), rev: 0, tail: [] });
      const abort = (): void => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      scope.defer(() => signal.removeEventListener('abort', abort));
      scope.add(clock.after(params.timeout_ms, () => end({ outcome: 'timeout' })));
      scope.add(
        core.bus.on((event) => {
          if (event.event !== 'published') return;
          const failed = fail.indexOf(event.name);
          const index = failed === -1 ? until.indexOf(event.name) : failed;
          if (index !== -1) end({ outcome: failed === -1 ? 'matched' : 'failed', index, event: { ...event } });
        }),
      );
    });
  } finally {
    scope.dispose();
    // Each has a list of its own.
    pending.set(core, pending.get(core)?.filter((one) => one !== waiters) ?? []);
  }
}

function assertNames(names: Names): void {
  if (!names.includes(undefined)) {
    if (new Set(names).size === names.length) return;
    throw new T4aError('invalid_field', 'A name is there twice in "until" and "fail".', { field: 'until' });
  }
  throw new T4aError('invalid_field', 'Exactly one of "id" and "where" of "wait" is needed.', {
    field: 'id',
    hint: 'Name the terminal, or "@" for the one used last. Only a wait for "published" alone needs none.',
  });
}
