import type { OrganizationId } from '../../../shared/record/identifier.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { listFields } from '../declared-fields.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { KnownFields } from './known-fields.ts';
import { Lane } from './lane.ts';
import { type PageReads, type Reads, statementsOver } from './reads.ts';

/** A longer page goes over a lane for such pages: it takes many times as long as a page of 20. */
const MAX_SHORT_PAGE = 100;
/**
 * Of each kind, over all workers of Citus; at least one for each. PostgreSQL itself has one of each: several would have fewer statements
 * to answer at once, which costs more than a second backend gives.
 */
const LANES_OF_CITUS = { short: 4, long: 2 } as const;

interface LanesOptions {
  readonly hasCitus: boolean;
  /** Those that are declared now. */
  readonly fields?: readonly DeclaredField[];
}

/**
 * The connections over which the service reads: a few lanes, each organization always on the same one. Each has its own timeouts and
 * its own circuit breaker, so that what hangs doesn't hold up all. What isn't a page has a lane of its own.
 */
export class Lanes implements PageReads {
  readonly hasCitus: boolean;
  readonly fields: KnownFields;
  readonly #url: PostgresUrl;
  readonly #findPlace: FindPlace;
  readonly #lookups: Lane;
  readonly #ofPages = new Map<string, Lane>();

  constructor(url: PostgresUrl, { hasCitus, fields }: LanesOptions) {
    this.#url = url;
    this.hasCitus = hasCitus;
    this.#lookups = this.#newLane();
    this.fields = new KnownFields(() => listFields(statementsOver(this.lookups)), fields);
    this.#findPlace = hasCitus ? placesInCitus(this.lookups) : placeInPostgres;
  }

  /** For short statements that aren't pages. Those with the same first value hang together. */
  get lookups(): Reads {
    return { rows: statement => this.#lookups.rows(statement, `${statement.name} ${statement.values[0]}`) };
  }

  /** For a statement that isn't refused while others wait. */
  get patient(): Reads {
    return { rows: statement => this.#lookups.rowsAfterAll(statement) };
  }

  async pages(organization: OrganizationId, limit: number): Promise<Reads> {
    const { node, nodes, part } = await this.#findPlace(organization);
    const kind = limit > MAX_SHORT_PAGE ? 'long' : 'short';
    const count = this.hasCitus ? Math.max(1, Math.floor(LANES_OF_CITUS[kind] / nodes)) : 1;
    const lane = this.#lane(`${node} ${kind} ${hashOf(organization) % count}`.trim());
    return { rows: statement => lane.rows(statement, part) };
  }

  /** What is wrong with which lanes. */
  problems(): string[] {
    const lanes: [string, Lane][] = [['admin keys', this.#lookups], ...this.#ofPages];
    return lanes.flatMap(([name, { problem }]) => (problem === null ? [] : [`lane ${name}: ${problem}`]));
  }

  async close(): Promise<void> {
    await Promise.all([this.#lookups, ...this.#ofPages.values()].map(lane => lane.close()));
  }

  #lane(name: string): Lane {
    const known = this.#ofPages.get(name);
    if (known) return known;
    const lane = this.#newLane();
    this.#ofPages.set(name, lane);
    return lane;
  }

  #newLane(): Lane {
    return new Lane(this.#url);
  }
}

function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = (hash * 31 + text.charCodeAt(index)) >>> 0;
  return hash;
}

/** Where an organization's API keys are. */
interface Place {
  /** The machine; empty for PostgreSQL itself. */
  readonly node: string;
  /** How many such machines there are. */
  readonly nodes: number;
  /** What may hang by itself: with Citus the shard, as one that is locked holds up all of its organizations. */
  readonly part: string;
}

/** Finds the place of an organization. Throws as `Reads`. */
type FindPlace = (organization: OrganizationId) => Place | Promise<Place>;

function placeInPostgres(organization: OrganizationId): Place {
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
function placesInCitus(reads: Reads): FindPlace {
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
