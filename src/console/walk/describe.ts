import { Directory } from '../../admin/directory/directory.ts';
import { teamsOf } from '../people/lookup.ts';
import { orderText } from './orders.ts';
import { ANY_POLICY, type FilterName, filtersOf, type RosterQuery } from './query.ts';

/** What a directory tells of a creator. */
export const CREATOR_STATES: Readonly<Record<string, string>> = {
  left: 'of creators who left',
  disabled: 'of creators who are disabled',
  unknown: 'of creators whom the directory doesn’t know',
};

/** Each filter in words, such as "created before 2025-11-21". With the directory's names, which come into no address and no name of a file. */
export const filterWords: Readonly<Record<FilterName, (value: string, directory: Directory) => string>> = {
  status: value => value,
  default_workspace: () => 'in the default workspace',
  workspace_id: (value, directory) => `in ${directory.workspaceName(value)}`,
  creator_type: value => `created by a ${value.replaceAll('_', ' ')}`,
  expired: () => 'expired',
  expires_within: value => `expiring within ${lengthText(value)}`,
  unused_for: value => `unused for ${lengthText(value)}`,
  breaks: value => (value.startsWith(ANY_POLICY) ? 'to revoke' : `breaking ${value.split(' ', 1)}`),
  creator_state: value => CREATOR_STATES[value] ?? `of creators who are ${value}`,
  team: (value, directory) => `of team ${teamsOf(directory).get(value) ?? value}`,
  created_by_user_id: (value, directory) => `created by ${directory.creatorName(value)}`,
  created_from: value => `created from ${momentText(value)} on`,
  created_before: value => `created before ${momentText(value)}`,
  name: value => (value === '' ? 'without a name' : `named “${value}”`),
  unknown: value => `${value}, which is unknown`,
  oldest_by: value => orderText({ oldest_by: value }),
};

/** What a list shows, such as "active, created before 2025-11-21"; `''`: all keys. */
export function describe(query: RosterQuery): string {
  const nobody = new Directory([]);
  return Array.from(filtersOf(query), ([name, value]) => filterWords[name](value, nobody)).join(', ');
}

/** "90d" as "90 days"; another text as it is. */
export function lengthText(value: string): string {
  return value.replace(/^(\d+)d$/, (_, days) => `${days} ${days === '1' ? 'day' : 'days'}`);
}

/** Midnight is the date alone. */
function momentText(value: string): string {
  const text = value.replace('T', ' ').replace(/(:\d\d)(\.\d+)?Z$/, '$1 UTC');
  return text.replace(' 00:00:00 UTC', '');
}
