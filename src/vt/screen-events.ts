/** Events of a screen while it parses: effects in their order, then `onParsed` for the slice. */
import { Emitter } from '../base/emitter.js';
import type { Query, UnknownSequence } from './replies/sequences.js';
import type { OscMessage, ScreenEffect } from './screen-effects.js';
import type { RowChange } from './snapshot.js';

export interface ParsedEvent {
  /** Whether the visible grid, the cursor or the title changed. */
  readonly changed: boolean;
  readonly rev: number;
  /** Bytes of output that this slice parsed. */
  readonly bytes: number;
}

/** Slice that a screen has just applied. */
export type ScreenSlice =
  | {
      readonly kind: 'output';
      /** Bytes as the program wrote them: they may begin and end within a character. Valid during the call only. */
      readonly bytes: Uint8Array;
      /** Whole characters: text, or plain ASCII bytes. Valid during the call only. */
      readonly text: string | Uint8Array;
    }
  | { readonly kind: 'resize'; readonly cols: number; readonly rows: number };

/** Effects of output beyond the grid, in the order of its bytes. */
export type ShownEffect =
  /** Consecutive bells are one effect, with their number. */
  | { readonly kind: 'bell'; readonly count: number }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'osc'; readonly message: OscMessage }
  | { readonly kind: 'alt-screen'; readonly on: boolean }
  /** RIS. */
  | { readonly kind: 'reset' }
  /** Once there was a mark of a shell, or somebody has asked for them. */
  | { readonly kind: 'rows'; readonly change: RowChange };

export class ScreenEvents {
  /** Each slice, in order, for recorders; published before its effects. */
  readonly onSlice = new Emitter<ScreenSlice>();
  readonly onReply = new Emitter<string>();
  readonly onEffect = new Emitter<ShownEffect>();
  readonly onUnknownSequence = new Emitter<UnknownSequence>();
  readonly onQuery = new Emitter<Query>();
  readonly onParsed = new Emitter<ParsedEvent>();
  /** The emulator threw: the rest of its slice is lost, later output is parsed. */
  readonly onFault = new Emitter<unknown>();

  protected emitEffects(effects: readonly ScreenEffect[]): void {
    for (let i = 0; i < effects.length; i++) {
      const effect = effects[i];
      if (effect === undefined) continue;
      if (effect.kind === 'bell') {
        let count = 1;
        while (effects[i + 1]?.kind === 'bell') {
          count++;
          i++;
        }
        this.onEffect.emit({ kind: 'bell', count });
      } else if (effect.kind === 'reply') this.onReply.emit(effect.bytes);
      else if (effect.kind === 'query') {
        const next = effects[i + 1];
        this.onQuery.emit({ ...effect.sequence, answer: next?.kind === 'reply' ? next.bytes : undefined });
      } else if (effect.kind === 'unknown') this.onUnknownSequence.emit(effect.sequence);
      else this.onEffect.emit(effect);
    }
  }

  protected clearListeners(): void {
    const { onSlice, onReply, onEffect, onUnknownSequence, onQuery, onParsed, onFault } = this;
    for (const emitter of [onSlice, onReply, onEffect, onUnknownSequence, onQuery, onParsed, onFault]) emitter.clear();
  }
}
