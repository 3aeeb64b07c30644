import type { ApiKeyRecord } from '../../client/client.ts';
import type { LocalName, RosterQuery } from './query.ts';

/** A value in the address that no filter of the console can have. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** The filters that the console applies itself, parsed. */
export interface LocalFilter {
  matches(key: ApiKeyRecord): boolean;
  /** Keys that are as new as this or newer don't match; `null`: no bound. As the service writes times, which compare as text. */
  readonly before: string | null;
  /** Keys that are older than this don't match. */
  readonly from: string | null;
}

type Matches = (key: ApiKeyRecord) => boolean;

/** The two that are bounds of time are parsed apart, since a walk begins and ends by them. */
type BoundName = 'created_from' | 'created_before';

const parsers: Readonly<Record<Exclude<LocalName, BoundName>, (value: string) => Matches>> = {
  default_workspace: value => {
    if (value !== 'true') throw new AddressError('default_workspace: must be true');
    return ({ workspace_id }) => workspace_id === null;
  },
  creator_type:
    value =>
    ({ created_by }) =>
      created_by.type === value,
  name:
    value =>
    ({ name }) =>
      name === value,
};

/** Throws an `AddressError`. */
export function localFilterOf(query: RosterQuery): LocalFilter {
  const all = (Object.keys(parsers) as (keyof typeof parsers)[]).flatMap(name => {
    const value = query[name];
    return value === undefined ? [] : [parsers[name](value)];
  });
  const from = boundOf(query, 'created_from');
  const before = boundOf(query, 'created_before');
  if (from !== null && before !== null && from >= before)
    throw new AddressError('Created from is not before Created before: no key can match');
  const isWithin: Matches = ({ created_at }) =>
    (from === null || created_at >= from) && (before === null || created_at < before);
  return { matches: key => isWithin(key) && all.every(matches => matches(key)), from, before };
}

/** A date is its first moment, UTC. */
function boundOf(query: RosterQuery, name: BoundName): string | null {
  const value = query[name];
  if (value === undefined) return null;
  const [, date, time = 'T00:00:00', fraction = ''] =
    /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z)?$/.exec(value) ?? [];
  if (date === undefined || !isMoment(`${date}${time}`))
    throw new AddressError(
      `${name}: must be a date such as 2025-11-21, or a time such as 2025-11-21T08:30:00Z`,
    );
  return `${date}${time}.${fraction.padEnd(6, '0')}Z`;
}

/** Whether the text is a date alone, without a time. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isMoment(`${text}T00:00:00`);
}

/** `Date.parse` takes the 30th of February for the 2nd of March. */
function isMoment(text: string): boolean {
  const milliseconds = Date.parse(`${text}Z`);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(text);
}
