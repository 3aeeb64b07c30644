import type { OrganizationId } from '../../../shared/record/identifier.ts';
import { ExpiringCache } from '../../expiring-cache.ts';
import type { Reads } from './reads.ts';

/** Where an organization's API keys are. */
export interface Place {
  /** The machine; empty for PostgreSQL itself. */
  readonly node: string;
  /** What may hang by itself: with Citus the shard, as one that is locked holds up all of its organizations. */
  readonly part: string;
}

export interface Places {
  /** Throws as `Reads`. */
  find(organization: OrganizationId): Place | Promise<Place>;
  /** What a lookup of an admin key selects too, the shard of its organization, and what gets that; `null` where there is none. */
  readonly shardSql: string | null;
  foundShard(organization: OrganizationId, shard: string | null): void;
}

export const placesInPostgres: Places = {
  find: organization => ({ node: '', part: organization }),
  shardSql: null,
  foundShard() {},
};

/** A shard that was moved is looked up again after this long. Until then its pages are as right, but wait for its old neighbours. */
const CACHE = { ms: 60_000, max: 100_000 };

const FIND_PLACE = `
  SELECT nodename || ':' || nodeport, shardid
  FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
  WHERE noderole = 'primary' AND shardid = get_shard_id_for_distribution_column('keyroster.api_keys', $1::text)`;

/**
 * By the worker that has the organization's shard. The lookup of an admin key tells the shard, which takes no time. Joined with the
 * tables of Citus it would tell the worker too, but Citus would plan it for as long as both statements take.
 */
export class PlacesInCitus implements Places {
  readonly #reads: Reads;
  readonly #shards = new ExpiringCache<OrganizationId, string>(CACHE);
  readonly #ofShards = new ExpiringCache<string, Place>(CACHE);
  /** Citus refuses to tell the shard until the table is distributed. */
  shardSql: string | null = null;

  constructor(reads: Reads) {
    this.#reads = reads;
  }

  foundShard(organization: OrganizationId, shard: string | null): void {
    if (shard !== null) this.#shards.set(organization, shard, performance.now());
  }

  find(organization: OrganizationId): Place | Promise<Place> {
    const shard = this.#shards.get(organization);
    return (shard !== undefined && this.#ofShards.get(shard)) || this.#ask(organization);
  }

  async #ask(organization: OrganizationId): Promise<Place> {
    const since = performance.now();
    const statement = { name: 'keyroster_place', text: FIND_PLACE, values: [organization] };
    const [row] = await this.#reads.rows<[node: string, shard: string]>(statement);
    if (row) this.shardSql = "get_shard_id_for_distribution_column('keyroster.api_keys', organization_id)";
    const place = row ? { node: row[0], part: row[1] } : { node: '', part: organization };
    this.#shards.set(organization, place.part, since);
    this.#ofShards.set(place.part, place, since);
    return place;
  }
}
