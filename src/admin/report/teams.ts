import type { Directory } from '../directory/directory.ts';
import type { Count } from './status-counts.ts';

type Counted = Pick<Count, 'keys' | 'active'>;

export interface TeamCounts extends Counted {
  readonly team: string;
}

/**
 * The keys of each team, whatever its case, those with the most active keys first. It is no figure of a report: as JSON that has nothing
 * of a directory.
 */
export function byTeam(
  directory: Directory,
  creators: Iterable<readonly [id: string, counts: Counted]>,
): readonly TeamCounts[] {
  const teams = new Map<string, TeamCounts>();
  for (const [id, { keys, active }] of creators) {
    const { team } = directory.creator(id) ?? {};
    if (!team) continue;
    const before = teams.get(team.toLowerCase()) ?? { team, keys: 0, active: 0 };
    teams.set(team.toLowerCase(), {
      team: before.team,
      keys: before.keys + keys,
      active: before.active + active,
    });
  }
  return [...teams.values()].sort(
    (a, b) => b.active - a.active || b.keys - a.keys || (a.team < b.team ? -1 : 1),
  );
}
