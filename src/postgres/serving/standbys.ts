import type { OrganizationId } from '../../roster/identifier.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import type { Lanes } from './lanes.ts';
import { POSITION, type PositionRow, parsePosition } from './position.ts';
import type { PrimaryLog } from './primary-log.ts';
import { Standby } from './standby.ts';

/** How often each server is asked where it is. A standby seems behind by up to twice as much. */
const LOOK_EVERY_MS = 200;
/** The same for one that doesn't answer. */
const TRY_EVERY_MS = 1_000;

export interface StandbysOptions {
  readonly urls: readonly PostgresUrl[];
  readonly maxLagMs: number;
}

/** The standbys, each of which has the pages of some organizations. */
export class Standbys {
  readonly all: readonly Standby[];
  /** Called when one has been asked where it is, or the primary. */
  onLooked: () => unknown = () => {};
  readonly #primary: Lanes;
  readonly #log: PrimaryLog;
  #closed = false;

  /** @param log what is known of the primary, which its lanes look at too. */
  constructor(primary: Lanes, log: PrimaryLog, { urls, maxLagMs }: StandbysOptions) {
    const fields = async () => primary.fields.current();
    this.all = urls.map(url => new Standby(url, { primary: log, maxLagMs, fields }));
    this.#primary = primary;
    this.#log = log;
  }

  /** Resolves once each has been asked where it is, and goes on asking until `close`. */
  async watch(): Promise<void> {
    await this.#keepAsking(() => this.#look()); // first: a standby is compared with it
    await Promise.all(this.all.map(standby => this.#keepAsking(() => standby.look())));
  }

  /** The one that has this organization's pages, whether or not it is usable. The others keep theirs when one comes or goes. */
  of(organization: OrganizationId): Standby {
    // Rendezvous hashing: each standby has a number for the organization, and the highest has it.
    const weights = this.all.map(({ name }) => hashOf(`${name} ${organization}`));
    return this.all[weights.indexOf(Math.max(...weights))] as Standby;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.all.map(standby => standby.close()));
  }

  /** Asks the primary where it is. A moment before the question is the latest that its answer is surely of. */
  async #look(): Promise<boolean> {
    const at = performance.now();
    try {
      const [row] = await this.#primary.patient.rows<PositionRow>(POSITION);
      const position = parsePosition(row as PositionRow);
      if (!position.isStandby) this.#log.add({ position, at });
      return true;
    } catch {
      return false; // readiness and the lookups of admin keys tell of it
    }
  }

  /** Resolves after the first time. */
  async #keepAsking(look: () => Promise<boolean>): Promise<void> {
    const hasAnswered = await look();
    if (!this.#closed) this.onLooked();
    setTimeout(
      () => this.#closed || this.#keepAsking(look),
      hasAnswered ? LOOK_EVERY_MS : TRY_EVERY_MS,
    ).unref();
  }
}

/** FNV-1a, with the last steps of MurmurHash3: each bit of the text counts for each of the number. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
