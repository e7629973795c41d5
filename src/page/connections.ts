/** The page's connections: one to each daemon that `t4a web` names, all with the key of this browser. */
import type { StreamLine } from '../protocol/events.js';
import { keepKey } from './admission.js';
import { browserName } from './browser-name.js';
import { DaemonLink } from './daemon-link.js';
import { DaemonState } from './daemon-state.js';
import type { KeyGrant, Remembered, Welcome } from './greeting.js';
import type { ShutOut } from './proof.js';

export interface ConnectionsSink {
  opened(daemon: DaemonState, welcome: Welcome): void;
  /** No daemon was reached so far. @param reason a sentence */
  unreached(reason: string): void;
  /** No `t4a web` has answered for minutes. */
  stopped(): void;
  unauthorized(why: ShutOut): void;
  event(daemon: DaemonState, event: StreamLine): void;
  changed(): void;
  /** It is dropped only when it is not. */
  isShown(daemon: string): boolean;
}

export class Connections {
  /** By their names, in the order that `t4a web` gives. */
  readonly daemons = new Map<string, DaemonState>();
  readonly #sink: ConnectionsSink;
  #first: DaemonLink | undefined;
  #key: KeyGrant | undefined;
  #names: readonly string[] = [];

  constructor(sink: ConnectionsSink) {
    this.#sink = sink;
  }

  /** The first connection names the others. */
  begin(key: KeyGrant): void {
    this.#key = key;
    this.#first = this.#linkTo(key, undefined);
    this.#first.open();
  }

  /** Tries at once what waits or has stopped. */
  wake(): void {
    this.#first?.wake();
    for (const { link } of this.daemons.values()) link.wake();
  }

  get isRemembered(): boolean {
    return this.#key?.until !== undefined;
  }

  /** A link to one terminal has opened it. */
  get isOfOne(): boolean {
    return this.#welcomed?.welcome?.one === true;
  }

  /** The server remembers browsers, and this one is not yet. */
  get mayBeRemembered(): boolean {
    return this.#welcomed?.welcome?.remembers === true && !this.isRemembered;
  }

  /** All go on with a key that outlives the server. @throws RequestError */
  async beRemembered(): Promise<Remembered | undefined> {
    const remembered = await this.#welcomed?.remember(browserName(navigator));
    if (remembered === undefined) return undefined;
    this.#key = remembered;
    keepKey(remembered);
    for (const { link } of this.daemons.values()) link.renew(remembered);
    return remembered;
  }

  get #welcomed(): DaemonLink | undefined {
    return [...this.daemons.values()].find(({ isOpen }) => isOpen)?.link;
  }

  /** @param name undefined for the first one that answers */
  #linkTo(key: KeyGrant, name: string | undefined): DaemonLink {
    const link: DaemonLink = new DaemonLink(key, name, {
      opened: (welcome) => this.#opened(link, welcome),
      lost: (reason) => this.#lost(link.daemon, reason),
      stopped: () => this.#sink.stopped(),
      unauthorized: (why) => this.#sink.unauthorized(why),
      named: (names) => this.#named(names),
      event: (event) => {
        const daemon = this.daemons.get(link.daemon ?? '');
        if (daemon !== undefined) this.#sink.event(daemon, event);
      },
    });
    return link;
  }

  #opened(link: DaemonLink, welcome: Welcome): void {
    const { daemon: name, daemons } = welcome;
    const daemon = this.daemons.get(name) ?? this.#stateOf(name, link);
    this.daemons.set(name, daemon);
    this.#named(daemons);
    daemon.isOpen = true;
    this.#sink.opened(daemon, welcome);
  }

  #stateOf(name: string, link: DaemonLink): DaemonState {
    return new DaemonState(name, link, () => this.#sink.changed());
  }

  /** In the order of the names. */
  #named(names: readonly string[]): void {
    const key = this.#key;
    if (key === undefined) return;
    this.#names = names;
    for (const name of names) {
      let daemon = this.daemons.get(name);
      if (daemon === undefined) {
        daemon = this.#stateOf(name, this.#linkTo(key, name));
        daemon.link.open();
      }
      this.daemons.delete(name);
      this.daemons.set(name, daemon);
    }
    this.#dropUnnamed();
    this.#sink.changed();
  }

  /** What is still open, or shown, stays as long as that. */
  #dropUnnamed(): void {
    for (const { name, isOpen, link } of this.daemons.values()) {
      if (isOpen || this.#names.includes(name) || this.#sink.isShown(name)) continue;
      link.close();
      this.daemons.delete(name);
    }
  }

  #lost(name: string | undefined, reason: string): void {
    const daemon = name === undefined ? undefined : this.daemons.get(name);
    if (daemon === undefined) this.#sink.unreached(reason);
    else Object.assign(daemon, { isOpen: false, reason });
    this.#dropUnnamed();
    this.#sink.changed();
  }
}
