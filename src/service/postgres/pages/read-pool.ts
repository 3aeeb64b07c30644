import type { OrganizationId } from '../../../shared/record/identifier.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { type PageTable, pageTable } from '../vendor-table/own-table.ts';
import { Connections, MAX_WAIT_MS } from './connections.ts';
import { KnownTable } from './known-table.ts';
import { type Place, type Places, PlacesInCitus, placesInPostgres } from './places.ts';
import { type PageReads, RESPONSE_TIMEOUT_MS, type Reads, type Statement, statementsOver } from './reads.ts';
import { Turns } from './turns.ts';

/** Each answers thousands of pages a second, and PostgreSQL lets in 100 at first, for all services and their workers. */
const MAX_CONNECTIONS = 10;
/** The others are for admin keys, without which no page is read, and for readiness. */
const MAX_PAGES = 8;
/** So that a worker of Citus that hangs leaves some to the others. */
const MAX_PAGES_OF_NODE = 5;
/** So that an organization, or a shard, whose pages hang leaves some to the others, and so do three at the same time. */
const MAX_PAGES_OF_PART = 2;

/** What may hang by itself, and how many pages of it are read at once. */
type Limit = readonly [name: string, max: number];

interface Options {
  readonly hasCitus: boolean;
  /** What it is now. */
  readonly table: PageTable;
}

/**
 * What the service reads by: a few connections, of which what hangs can't take all, as it would a single one with pipelining. The
 * pool of `pg` makes its client before it is known which host of the URL will do.
 */
export class ReadPool implements PageReads {
  readonly hasCitus: boolean;
  readonly table: KnownTable;
  readonly places: Places;
  /** For short statements that aren't pages. */
  readonly lookups = this.#reads([], MAX_WAIT_MS);
  /** For a statement that isn't refused while others wait. */
  readonly patient = this.#reads([], RESPONSE_TIMEOUT_MS);
  readonly #connections: Connections;
  /** By what may hang, where pages of it are being read. */
  readonly #turns = new Map<string, Turns<true>>();

  constructor(url: PostgresUrl, { hasCitus, table }: Options) {
    this.hasCitus = hasCitus;
    this.#connections = new Connections(url, MAX_CONNECTIONS);
    this.table = new KnownTable(() => pageTable(statementsOver(this.lookups)), table);
    this.places = hasCitus ? new PlacesInCitus(this.lookups) : placesInPostgres;
  }

  pages(organization: OrganizationId): Reads | Promise<Reads> {
    const place = this.places.find(organization);
    return place instanceof Promise ? place.then(found => this.#pagesOf(found)) : this.#pagesOf(place);
  }

  #pagesOf({ node, part }: Place): Reads {
    const limits: Limit[] = [[part, MAX_PAGES_OF_PART]];
    if (node !== '') limits.push([node, MAX_PAGES_OF_NODE]);
    return this.#reads([...limits, ['', MAX_PAGES]], MAX_WAIT_MS);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  #reads(limits: readonly Limit[], waitMs: number): Reads {
    return { rows: statement => this.#rows(statement, limits, performance.now() + waitMs) };
  }

  async #rows<Row>(statement: Statement, limits: readonly Limit[], until: number): Promise<Row[]> {
    const taken: Limit[] = [];
    try {
      for (const limit of limits) {
        const turn = this.#turnsOf(limit).take(until);
        if (turn instanceof Promise) await turn;
        taken.push(limit);
      }
      return (await this.#connections.rows(statement, until)) as Row[];
    } finally {
      for (const limit of taken) this.#end(limit);
    }
  }

  #turnsOf([name, max]: Limit): Turns<true> {
    const turns = this.#turns.get(name) ?? new Turns<true>(Array(max).fill(true));
    this.#turns.set(name, turns);
    return turns;
  }

  #end([name, max]: Limit): void {
    const turns = this.#turns.get(name);
    turns?.give(true);
    if (turns?.free === max) this.#turns.delete(name);
  }
}
