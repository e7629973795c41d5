/** Arguments of an action of `t4a crew`. */
import type { PresetKind } from '../../crew/preset.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';

export type Room = Awaited<ReturnType<LazyBundles['crew']>>;
type CrewOf = InstanceType<Room['Crew']>;
export type CrewClient = Awaited<ReturnType<Room['connect']>>;

export interface Given {
  readonly words: readonly string[];
  readonly options: CrewOptions;
  readonly host: Host;
  readonly crew: CrewOf;
  readonly room: Room;
  readonly connected: () => Promise<CrewClient>;
}

export interface CrewOptions {
  readonly json?: boolean;
  readonly kind?: PresetKind;
  readonly list?: boolean;
  readonly fresh?: boolean;
  readonly revoke?: string;
  readonly name?: string;
  readonly cols?: number;
  readonly rows?: number;
  readonly on_exit?: 'keep' | 'end';
  readonly share?: boolean;
}
