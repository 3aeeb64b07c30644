import type { Directory } from '../directory/directory.ts';
import type { Counted } from './status-counts.ts';

/**
 * The keys of each team, whatever its case, those with the most active keys first. It is no figure of a report: as JSON that has nothing
 * of a directory.
 */
export function byTeam(directory: Directory, creators: Iterable<readonly [id: string, counts: Counted]>) {
  const teams = new Map<string, { team: string; keys: number; active: number }>();
  for (const [id, { keys, active }] of creators) {
    const { team } = directory.creator(id) ?? {};
    if (!team) continue;
    const sum = teams.get(team.toLowerCase()) ?? { team, keys: 0, active: 0 };
    teams.set(team.toLowerCase(), sum);
    sum.keys += keys;
    sum.active += active;
  }
  return [...teams.values()].sort(
    (a, b) => b.active - a.active || b.keys - a.keys || (a.team < b.team ? -1 : 1),
  );
}
