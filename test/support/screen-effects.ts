import type { Disposable } from '../../src/base/lifetime.js';
import type { ScreenEvents, ShownEffect } from '../../src/vt/screen-events.js';

type Kind = ShownEffect['kind'];
type Of<K extends Kind> = Extract<ShownEffect, { kind: K }>;

/** Effects of one kind. */
export function onEffect<K extends Kind>(screen: ScreenEvents, kind: K, listener: (effect: Of<K>) => void): Disposable {
  return screen.onEffect.on((effect) => {
    if (effect.kind === kind) listener(effect as Of<K>);
  });
}
