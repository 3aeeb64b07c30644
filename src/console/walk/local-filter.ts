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

const parsers: Readonly<Record<LocalName, (value: string) => Matches>> = {
  default_workspace: value => {
    if (value !== 'true') throw new AddressError('default_workspace: must be true');
    return ({ workspace_id }) => workspace_id === null;
  },
  creator_type:
    value =>
    ({ created_by }) =>
      created_by.type === value,
  created_from: value => {
    const from = timeOf('created_from', value);
    return ({ created_at }) => created_at >= from;
  },
  created_before: value => {
    const before = timeOf('created_before', value);
    return ({ created_at }) => created_at < before;
  },
  name:
    value =>
    ({ name }) =>
      name === value,
};

/** Throws an `AddressError`. */
export function localFilterOf(query: RosterQuery): LocalFilter {
  const all = (Object.keys(parsers) as LocalName[]).flatMap(name => {
    const value = query[name];
    return value === undefined ? [] : [parsers[name](value)];
  });
  const { created_from, created_before } = query;
  const from = created_from === undefined ? null : timeOf('created_from', created_from);
  const before = created_before === undefined ? null : timeOf('created_before', created_before);
  if (from !== null && before !== null && from >= before)
    throw new AddressError('Created from is not before Created before: no key can match');
  return { matches: key => all.every(matches => matches(key)), from, before };
}

/** A date is its first moment, UTC. */
function timeOf(name: LocalName, value: string): string {
  const [, date, time = 'T00:00:00', fraction = ''] =
    /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z)?$/.exec(value) ?? [];
  if (date === undefined || !isMoment(`${date}${time}`))
    throw new AddressError(
      `${name}: must be a date such as 2025-11-21, or a time such as 2025-11-21T08:30:00Z`,
    );
  return `${date}${time}.${fraction.padEnd(6, '0')}Z`;
}

/** `Date.parse` takes the 30th of February for the 2nd of March. */
function isMoment(text: string): boolean {
  const milliseconds = Date.parse(`${text}Z`);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(text);
}
