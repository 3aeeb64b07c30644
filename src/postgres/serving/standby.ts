import type { Client } from 'pg';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import type { JoinedPage } from '../../roster/joined-page.ts';
import type { ListQuery } from '../../roster/list-query.ts';
import { placeOf } from '../connecting/not-connected.ts';
import { requireOwnSession } from '../connecting/own-session.ts';
import type { Host, PostgresUrl } from '../connecting/url.ts';
import { connect } from '../connection.ts';
import { listApiKeys } from '../list-api-keys.ts';
import { Lanes } from './lanes.ts';
import { PipelinedConnection } from './pipelined-connection.ts';
import { POSITION, type Position, type PositionRow, parsePosition, positionOf } from './position.ts';
import type { PrimaryLog, Sample } from './primary-log.ts';

/** A standby that hasn't said for so long where it is may hang. */
const HANGS_AFTER_MS = 1_000;
/** A page that failed is told of for so long. */
const KNOWN_FOR_MS = 15_000;
/** Of an answer that tells where a server is. */
const MAX_POSITION_BYTES = 64 * 1024;

interface Options {
  readonly primary: PrimaryLog;
  readonly maxLagMs: number;
  /** Those that are declared now. */
  readonly fields: () => Promise<readonly DeclaredField[]>;
}

/**
 * A standby that pages are read from while it has all that the primary acknowledged until `maxLagMs` ago. Pages and `look` go over
 * different connections, which an address may lead to different servers: so each connection for pages has to be to the server that
 * `look` has seen, and to have what that had.
 */
export class Standby {
  /** Its host and port. */
  readonly name: string;
  readonly #url: PostgresUrl;
  readonly #options: Options;
  readonly #connection: PipelinedConnection;
  #server: { readonly startedAt: string; readonly lanes: Lanes } | undefined;
  /** What the primary had that this server has, the latest that is known. */
  #latest: Sample | undefined;
  #problem: string | null = 'has not answered yet';
  #failure: { readonly reason: string; readonly at: number } | undefined;
  /** When the primary last had nothing that it lacked, or when it was opened. */
  #upToDateAt = performance.now();
  /** While it hasn't said where it is. */
  #askedAt = Number.POSITIVE_INFINITY;

  constructor(url: PostgresUrl, options: Options) {
    this.name = placeOf(url.hosts[0] as Host);
    this.#url = url;
    this.#options = options;
    this.#connection = new PipelinedConnection(url, {
      requireServer: client => this.#requireSession(client),
    });
  }

  /** Asks where it is. Returns whether it answered. */
  async look(): Promise<boolean> {
    this.#askedAt = performance.now();
    try {
      const [row] = await this.#connection.rows<PositionRow>(POSITION);
      await this.#see(parsePosition(row as PositionRow));
      return true;
    } catch (error) {
      this.#problem = (error as Error).message;
      return false;
    } finally {
      this.#askedAt = Number.POSITIVE_INFINITY;
    }
  }

  /** Whether a page may be read from it now. */
  get isUsable(): boolean {
    return this.#problem === null && !this.#isBehind && performance.now() - this.#askedAt < HANGS_AFTER_MS;
  }

  /** Why no page may be read from it; `null` while one may. */
  get problem(): string | null {
    if (this.isUsable) return null;
    return this.#problem ?? (this.#isBehind ? 'is behind by more than the max lag' : 'does not answer');
  }

  /** How far it is behind at most. */
  get lagSeconds(): number {
    return (performance.now() - this.#upToDateAt) / 1000;
  }

  /** As `RosterReader` says, of some moment that is at most `maxLagMs` ago. Throws whatever is wrong with the server. */
  async listApiKeys(organization: OrganizationId, query: ListQuery): Promise<JoinedPage | null> {
    return this.#server ? listApiKeys(this.#server.lanes, organization, query) : null;
  }

  /** To be called with the error of a page. */
  failed({ message, name }: Error): void {
    this.#failure = { reason: message || name, at: performance.now() };
  }

  /** Why pages failed lately while it was usable. */
  failures(): string[] {
    const lanes = this.#server?.lanes.problems() ?? [];
    if (lanes.length > 0 || !this.#failure) return lanes;
    const isKnown = performance.now() - this.#failure.at < KNOWN_FOR_MS;
    return isKnown ? [`pages are read from the primary, as one failed: ${this.#failure.reason}`] : [];
  }

  async close(): Promise<void> {
    await Promise.all([this.#connection.close(), this.#server?.lanes.close()]);
  }

  get #isBehind(): boolean {
    return this.#latest === undefined || performance.now() - this.#latest.at > this.#options.maxLagMs;
  }

  async #see(position: Position): Promise<void> {
    const { primary, fields } = this.#options;
    this.#problem = primary.problemOf(position);
    if (this.#server?.startedAt !== position.startedAt) {
      const old = this.#server;
      this.#latest = undefined;
      const lanes = new Lanes(this.#url, {
        hasCitus: false,
        fields: await fields(),
        requireServer: client => this.#requireServer(client, position.startedAt),
      });
      this.#server = { startedAt: position.startedAt, lanes };
      old?.lanes.close();
    }
    this.#latest = primary.latestOf(position) ?? this.#latest;
    this.#upToDateAt = this.#latest?.at ?? this.#upToDateAt;
  }

  /** A pooler in front of it is to be found as one in front of the primary is, which is looked for when the service starts. */
  #requireSession(client: Client): Promise<void> {
    const another = () => connect(this.#url, { maxAnswerBytes: MAX_POSITION_BYTES });
    return requireOwnSession(client, another, this.#url.connectTimeoutMs);
  }

  /** A server that crashed may have less than before when it is back. */
  async #requireServer(client: Client, startedAt: string): Promise<void> {
    await this.#requireSession(client);
    const position = await positionOf(client);
    if (position.startedAt !== startedAt) throw new Error(SEVERAL_SERVERS);
    if (this.#latest && position.lsn < this.#latest.position.lsn)
      throw new Error('this standby has less than before it crashed');
  }
}

const SEVERAL_SERVERS = 'the address leads to several servers, or the server has restarted';
