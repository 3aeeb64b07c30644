import type { Directory } from '../../admin/directory/directory.ts';

/** The teams in the order of their numbers, from 1: an address has the number, as it may have nothing of a directory. */
export function teamsOf(directory: Directory): readonly string[] {
  const teams = new Map(Array.from(directory.entries, ({ team = '' }) => [team.toLowerCase(), team]));
  teams.delete('');
  return [...teams.keys()].sort().map(team => teams.get(team) ?? team);
}

/** The IDs of those with this name or mail address, whatever its case. */
export function idsNamed(directory: Directory, kind: 'creator' | 'workspace', text: string): string[] {
  const wanted = text.toLowerCase();
  return Array.from(directory.entries)
    .filter(entry => directory[kind](entry.id) === entry)
    .filter(({ name, mail }) => name?.toLowerCase() === wanted || mail?.toLowerCase() === wanted)
    .map(({ id }) => id);
}
