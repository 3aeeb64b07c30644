import type { Directory } from '../../admin/directory/directory.ts';
import { Breaches } from '../../admin/report/breaches.ts';
import { creatorOf, creatorText } from '../../admin/report/creator.ts';
import type { PoliciesOf } from '../../admin/report/default-policies.ts';
import { ReportBuilder } from '../../admin/report/report-builder.ts';
import { firstOf } from '../../admin/report/status-counts.ts';
import { byTeam } from '../../admin/report/teams.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { type Walk, type WalkSource, walkOfQuery } from '../walk/walk.ts';

/** What can be picked to filter by. */
export interface KnownIds {
  readonly workspaces: Iterable<string>;
  readonly creators: Iterable<string>;
}

/** A key that breaks a policy, or will if its groups grow. */
interface Judged {
  readonly creator: string;
  isCounted: boolean;
}

/**
 * One count of the whole roster: a walk, and the figures and breaches of exactly the keys that it has read. Another count is another
 * object. It keeps no key: a list of the keys behind a number reads the roster again. Of a policy about groups of keys it keeps whose
 * keys are in each group until they are too many.
 */
export class WorklistCount {
  /** Ages are those at this time, however long the count takes. */
  readonly now = new Date();
  readonly walk: Walk;
  /** What was found of each policy. Which policies there are is known with the first page. */
  breaches: Breaches;
  readonly figures = new ReportBuilder(this.now);
  readonly #policiesOf: PoliciesOf;
  /** By creator, those that break a policy: whatever comes later, they do. */
  readonly #broken = new Map<string, number>();
  /** Those of a group that may grow, by its policy and name. */
  readonly #waiting = new Map<string, Judged[]>();

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
      this.#judge(key);
    }
  }

  #judge(key: ApiKeyRecord): void {
    const judged: Judged = { creator: creatorText(key.created_by), isCounted: false };
    for (const policy of this.breaches.countKey(key)) {
      const place = `${this.breaches.policies.indexOf(policy)} ${policy.groupOf(key)}`;
      const waiting = this.#waiting.get(place) ?? [];
      this.#waiting.set(place, waiting);
      waiting.push(judged);
      // A group that is too large stays so: none waits in it again.
      if (this.breaches.isBroken(policy, key)) for (const each of waiting.splice(0)) this.#count(each);
    }
  }

  #count(judged: Judged): void {
    const { creator, isCounted } = judged;
    if (!isCounted) this.#broken.set(creator, (this.#broken.get(creator) ?? 0) + 1);
    judged.isCounted = true;
  }
}
