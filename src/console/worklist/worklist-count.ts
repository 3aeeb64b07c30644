import type { Directory } from '../../admin/directory/directory.ts';
import { Breaches } from '../../admin/report/breaches.ts';
import { creatorOf, creatorText } from '../../admin/report/creator.ts';
import type { PoliciesOf } from '../../admin/report/default-policies.ts';
import { ReportBuilder } from '../../admin/report/report-builder.ts';
import { addOne, firstOf } from '../../admin/report/status-counts.ts';
import { byTeam } from '../../admin/report/teams.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { type Walk, type WalkSource, walkOfQuery } from '../walk/walk.ts';

/** What can be picked to filter by. */
export interface KnownIds {
  readonly workspaces: Iterable<string>;
  readonly creators: Iterable<string>;
}

/**
 * One count of the whole roster: a walk, and the figures and breaches of exactly the keys that it has read. Another count is another
 * object. It keeps no key: a list of the keys behind a number reads the roster again.
 */
export class WorklistCount {
  /** Ages are those at this time, however long the count takes. */
  readonly now = new Date();
  readonly walk: Walk;
  /** What was found of each policy. Which policies there are is known with the first page. */
  breaches: Breaches;
  readonly figures = new ReportBuilder(this.now);
  readonly #policiesOf: PoliciesOf;
  /** By creator, those that break a policy. */
  readonly #broken = new Map<string, number>();

  constructor(source: WalkSource, policiesOf: PoliciesOf) {
    this.#policiesOf = policiesOf;
    this.breaches = new Breaches(policiesOf({}), this.now);
    this.walk = walkOfQuery(source, {}, keys => this.#add(keys));
  }

  /** Known once the count is complete. */
  get total(): number | undefined {
    return this.walk.state.kind === 'complete' ? this.walk.read : undefined;
  }

  /** How many people and keys there are, each counted once, and the first people, those with the most keys. It looks at all, and sorts few. */
  people(max: number) {
    let keys = 0;
    for (const count of this.#broken.values()) keys += count;
    const first = firstOf(this.#broken, max, (a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return {
      total: this.#broken.size,
      keys,
      first: first.map(([text, keys]) => ({ creator: creatorOf(text), keys })),
    };
  }

  /** The keys of each team that break a policy. */
  brokenOfTeams(directory: Directory) {
    const broken = Array.from(
      this.#broken,
      ([text, keys]) => [creatorOf(text).id, { keys, active: 0 }] as const,
    );
    return byTeam(directory, broken);
  }

  #add(keys: readonly ApiKeyRecord[]): void {
    const [first] = keys;
    if (this.walk.read === 0) this.breaches = new Breaches(this.#policiesOf(first ?? {}), this.now);
    for (const key of keys) {
      this.figures.add(key);
      if (this.breaches.countKey(key).length > 0) addOne(this.#broken, creatorText(key.created_by));
    }
  }
}
