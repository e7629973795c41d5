/**
 * What a connection may do, once `restrict` has lowered it. It guards a door that passes on the requests of others (a page, a
 * gateway), not the daemon from its owner, who opens a new connection.
 */
import { z } from 'zod';
import type { CommandSpec } from '../protocol/command.js';
import { isWithin, type Reach } from '../protocol/reach.js';
import { refusal, type T4aError } from '../protocol/errors.js';
import type { Params } from '../protocol/registry.js';
import { Right } from './right.js';

export interface Restriction {
  readonly reach: Reach;
  /** Whether what a person alone may decide is admitted. */
  readonly person: boolean;
  /** Conditions of the connection, all of which last. Set for a door, which may have none. */
  readonly rights?: readonly Right[];
}

/** Most rights of a connection: each is looked at before each key. */
export const MOST_RIGHTS = 16;

export const UNRESTRICTED: Restriction = { reach: 'admin', person: true };

/** Never more than before. */
export function lowered(before: Restriction, { reach, person, as_long_as: files }: Params<'restrict'>): Restriction {
  const { rights = [] } = before;
  const isDoor = before.rights !== undefined || files !== undefined;
  const added = (files ?? []).filter((file) => !rights.some((one) => one.isOf(file)));
  return {
    reach: isWithin(reach, before.reach) ? reach : before.reach,
    person: before.person && person !== false,
    ...(isDoor ? { rights: [...rights, ...added.map((file) => new Right(file))] } : {}),
  };
}

/** @returns `not_allowed` if a right of it is over */
export function whyOver({ rights = [] }: Restriction): T4aError | undefined {
  for (const right of rights) {
    const why = right.whyOver();
    if (why !== undefined) return why;
  }
  return undefined;
}

type Restricted = Pick<CommandSpec, 'name' | 'params' | 'traits'>;

/** @returns `not_allowed` with what the request needs, or undefined if it has that */
export function refusalOf(spec: Restricted, params: object, has: Restriction): T4aError | undefined {
  const { reach, fieldReach = {}, person } = spec.traits;
  if (!isWithin(reach, has.reach)) return needsReach(quoted(spec), reach, has);
  if (person === true && !has.person) return needsPerson(quoted(spec));
  const fields = [...Object.keys(fieldReach), ...(person === true ? [] : (person ?? []))];
  for (const field of fields.filter((name) => isRaised(spec, name, params))) {
    const raised = fieldReach[field] ?? reach;
    const what = `"${field}" of ${quoted(spec)}`;
    if (!isWithin(raised, has.reach)) return needsReach(what, raised, has, field);
    if (Array.isArray(person) && person.includes(field) && !has.person) return needsPerson(what, field);
  }
  return undefined;
}

/** A field with its default is as if it were absent. */
function isRaised({ params: { shape } }: Restricted, field: string, params: object): boolean {
  const value = (params as Readonly<Record<string, unknown>>)[field];
  const schema: unknown = shape[field];
  return value !== undefined && !(schema instanceof z.ZodDefault && schema.def.defaultValue === value);
}

const quoted = ({ name }: Restricted): string => `"${name}"`;

function needsReach(what: string, reach: Reach, has: Restriction, field?: string): T4aError {
  const message = `${what} needs the reach "${reach}", and this connection is restricted to "${has.reach}".`;
  return notAllowed(message, field);
}

function needsPerson(what: string, field?: string): T4aError {
  return notAllowed(`${what} needs a person, and this connection is restricted to programs.`, field);
}

function notAllowed(message: string, field: string | undefined): T4aError {
  return refusal('not_allowed', message, {
    hint: 'A restriction lasts as long as its connection.',
    ...(field === undefined ? {} : { field }),
  });
}
