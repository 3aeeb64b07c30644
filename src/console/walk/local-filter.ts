import { type FilterPart, inDefaultWorkspace, LocalFilter } from '../../admin/find/local-filter.ts';
import type { LocalName, RosterQuery } from './query.ts';

/** A value in the address that no filter of the console can have. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

type PartOf = (value: string, name: LocalName) => FilterPart;

const parts: Readonly<Record<LocalName, PartOf>> = {
  default_workspace: value => {
    if (value !== 'true') throw new AddressError('default_workspace: must be true');
    return inDefaultWorkspace;
  },
  creator_type: value => ({ matches: ({ created_by }) => created_by.type === value }),
  created_from: (value, name) => {
    const from = momentOf(value, name);
    return { matches: ({ created_at }) => created_at >= from, ends: 'forwards' };
  },
  created_before: (value, name) => {
    const before = momentOf(value, name);
    return { matches: ({ created_at }) => created_at < before, ends: 'backwards' };
  },
  name: value => ({ matches: ({ name }) => name === value }),
};

/** Those of the query's filters that the console applies itself. Throws an `AddressError`. */
export function localFilterOf(query: RosterQuery): LocalFilter {
  const { created_from: from, created_before: before } = query;
  const given = (Object.keys(parts) as LocalName[]).flatMap(name => {
    const value = query[name];
    return value === undefined ? [] : [parts[name](value, name)];
  });
  if (from && before && momentOf(from, 'created_from') >= momentOf(before, 'created_before'))
    throw new AddressError('Created from is not before Created before: no key can match');
  return new LocalFilter(given);
}

/** As the service writes times, which compare as text. A date is its first moment, UTC. */
function momentOf(value: string, name: LocalName): string {
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
