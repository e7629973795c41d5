/** A terminal that a person creates from within attach: on which host, where there are several, and by which name. */
import type { DaemonConnection } from '../../client/connection.js';
import { openConnection, type ConnectOptions } from '../../client/open-connection.js';
import type { ParamsInput } from '../../protocol/registry.js';
import type { Panel } from '../panel.js';
import type { Size } from '../../mirror/fit.js';
import { Picker } from '../picker.js';
import type { Within } from '../sitting.js';

/** A daemon, as attach reaches it. */
export interface Place {
  readonly daemon: ConnectOptions;
  readonly within: Within | undefined;
  readonly newTerminal: (fields: Size & { readonly name: string }) => ParamsInput<'create'>;
}

/** The daemons that the person may choose between. */
export interface Hosts {
  /** Name of the one that the session began with. */
  readonly current: string;
  /** All of them, down ones too. @throws T4aError if the list is wrong */
  names(): readonly string[];
  /** @throws T4aError `host_unknown`, `host_ambiguous` */
  at(name: string): Promise<Place>;
}

/** A terminal on another daemon than that of the session. */
export interface Arrival {
  readonly host: string;
  readonly place: Place;
  readonly connection: DaemonConnection;
  readonly id: string;
}

export interface CreationOptions extends Pick<Place, 'newTerminal'> {
  readonly connection: DaemonConnection;
  /** Undefined where there is only this machine. */
  readonly hosts: Hosts | undefined;
  /** Ends the session, and begins one there. */
  readonly move: (to: Arrival) => void;
}

export interface CreatingSession {
  readonly size: Size;
  open(panel: Panel): void;
  show(id: string): Promise<void>;
  during(act: () => Promise<void>): Promise<void>;
}

type AskName = (then: (name: string) => Promise<void>) => void;

const WORDS = { label: 'Host of the new terminal:', enter: 'choose', none: 'no host of that name' } as const;

/** @param askName asks the person for the name of the terminal */
export function beginCreation(
  session: CreatingSession,
  { connection, hosts, newTerminal, move }: CreationOptions,
  askName: AskName,
): void {
  const here = async (name: string): Promise<void> => {
    if (name === '') return;
    const { id } = await connection.call('create', newTerminal({ name, ...session.size }));
    await session.show(id);
  };
  const names = hosts?.names() ?? [];
  if (hosts === undefined || names.length < 2) return askName(here);
  const there = async (host: string, name: string): Promise<void> => {
    if (name !== '') move(await created(await hosts.at(host), host, { name, ...session.size }));
  };
  const choices = [hosts.current, ...names.filter((name) => name !== hosts.current)].map((id) => ({
    id,
    about: id === hosts.current ? 'this one' : '',
  }));
  const onPick = (host: string): void => askName(host === hosts.current ? here : (name) => there(host, name));
  session.open(new Picker(choices, onPick, WORDS));
}

async function created(place: Place, host: string, fields: Size & { readonly name: string }): Promise<Arrival> {
  const { connection } = await openConnection({ ...place.daemon, isLasting: true });
  try {
    const { id } = await connection.call('create', place.newTerminal(fields));
    return { host, place, connection, id };
  } catch (error) {
    void connection.close();
    throw error;
  }
}
