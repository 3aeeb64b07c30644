import type { OrganizationId } from '../../../shared/record/identifier.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { listFields } from '../vendor-table/own-table.ts';
import { KnownFields } from './known-fields.ts';
import { Lane } from './lane.ts';
import { type Places, PlacesInCitus, placesInPostgres } from './places.ts';
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
  readonly places: Places;
  readonly #url: PostgresUrl;
  readonly #lookups: Lane;
  readonly #ofPages = new Map<string, Lane>();

  constructor(url: PostgresUrl, { hasCitus, fields }: LanesOptions) {
    this.#url = url;
    this.hasCitus = hasCitus;
    this.#lookups = this.#newLane();
    this.fields = new KnownFields(() => listFields(statementsOver(this.lookups)), fields);
    this.places = hasCitus ? new PlacesInCitus(this.lookups) : placesInPostgres;
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
    const { node, nodes, part } = await this.places.find(organization);
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
