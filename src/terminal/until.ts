import { DisposableScope } from '../base/lifetime.js';

export interface Ends<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A promise that listens to several sources while it is pending, and to none afterwards. Rejected with the signal's
 * reason if the signal comes first.
 * @param arm adds its listeners to the scope, and calls `resolve` or `reject`
 */
export function until<T>(
  signal: AbortSignal | undefined,
  arm: (ends: Ends<T>, scope: DisposableScope) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const scope = new DisposableScope();
    const ends: Ends<T> = {
      resolve(value) {
        scope.dispose();
        resolve(value);
      },
      reject(error) {
        scope.dispose();
        reject(error);
      },
    };
    const gone = (): void => ends.reject(signal?.reason);
    signal?.addEventListener('abort', gone, { once: true });
    scope.defer(() => signal?.removeEventListener('abort', gone));
    arm(ends, scope);
  });
}
