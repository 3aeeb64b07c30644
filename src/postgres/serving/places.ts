import type { OrganizationId } from '../../roster/identifier.ts';
import { ExpiringCache } from './expiring-cache.ts';
import type { Reads } from './reads.ts';

/** Where an organization's API keys are. */
export interface Place {
  /** The machine; empty for PostgreSQL itself. */
  readonly node: string;
  /** How many such machines there are. */
  readonly nodes: number;
  /** What may hang by itself: with Citus the shard, as one that is locked holds up all of its organizations. */
  readonly part: string;
}

/** Finds the place of an organization. Throws as `Reads`. */
export type FindPlace = (organization: OrganizationId) => Place | Promise<Place>;

export function placeInPostgres(organization: OrganizationId): Place {
  return { node: '', nodes: 1, part: organization };
}

/** A shard that was moved is looked up again after this long. Until then its pages are as right, but wait for its old neighbours. */
const CACHED_MS = 60_000;
const MAX_CACHED = 100_000;

const FIND_PLACE = `
  SELECT nodename || ':' || nodeport, (SELECT count(*) FROM pg_dist_node WHERE shouldhaveshards AND isactive), shardid
  FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
  WHERE noderole = 'primary' AND shardid = get_shard_id_for_distribution_column('keyroster.api_keys', $1::text)`;

/** With Citus: by the worker that has the organization's shard. */
export function placesInCitus(reads: Reads): FindPlace {
  const cached = new ExpiringCache<OrganizationId, Place>({ ms: CACHED_MS, max: MAX_CACHED });
  return async organization => {
    const known = cached.get(organization);
    if (known) return known;
    const since = performance.now();
    const statement = { name: 'keyroster_place', text: FIND_PLACE, values: [organization] };
    const [row] = await reads.rows<[node: string, nodes: string, shard: string]>(statement);
    const place = row ? { node: row[0], nodes: Number(row[1]), part: row[2] } : placeInPostgres(organization);
    cached.set(organization, place, since);
    return place;
  };
}
