/**
 * A store of your own for Keyroster, as small as can be: API keys in memory, and pages made by sorting all of them. A store
 * over a database does the same by its statements. It passes the checks of keyroster/conformance:
 *
 *     const options = {
 *       open: content => ({ roster: new InMemoryStore(content) }),
 *       change: ({ roster }, organizationId, record) => roster.put(organizationId, record),
 *     };
 *     for (const { name, run } of conformanceChecks(options)) test(name, run);
 */
import { pageItem } from 'keyroster/own-store';

export class InMemoryStore {
  /** The records of each organization, by their ID. */
  #rosters = new Map();

  /** @param {Iterable<[string, Iterable<import('keyroster').ApiKeyRecord>]>} content */
  constructor(content) {
    for (const [organizationId, records] of content)
      for (const record of records) this.put(organizationId, record);
  }

  put(organizationId, record) {
    const roster = this.#rosters.get(organizationId) ?? new Map();
    this.#rosters.set(organizationId, roster.set(record.id, record));
  }

  /** @type {import('keyroster').RosterReader['listApiKeys']} */
  async listApiKeys(organizationId, { limit, cursor, filter, created = {}, scope = {} }) {
    const all = this.#rosters.get(organizationId) ?? new Map();
    // All that the caller may see: a key outside of the scope is as one that there isn't.
    const roster = new Map([...all].filter(([, record]) => passes(record, scope)));
    // A position in the order, whatever filter and times are. One of another organization isn't in this roster.
    const position = cursor && roster.get(cursor.id);
    if (cursor && !position) return null;

    const matches = record => passes(record, filter) && wasCreatedIn(record, created);
    const matching = [...roster.values()].filter(matches).sort(newestFirst);
    if (cursor?.direction === 'before') {
      const newer = matching.filter(record => newestFirst(record, position) < 0);
      return { items: newer.slice(-limit).map(pageItem), hasMore: newer.length > limit };
    }
    const rest = position ? matching.filter(record => newestFirst(record, position) > 0) : matching;
    return { items: rest.slice(0, limit).map(pageItem), hasMore: rest.length > limit };
  }
}

function passes(record, { status, workspaceId, creatorId }) {
  return (
    (status === undefined || record.status === status) &&
    (workspaceId === undefined || record.workspace_id === workspaceId) &&
    (creatorId === undefined || record.created_by.id === creatorId)
  );
}

/** From the first time on and before the second, both in microseconds since 1970. A `Date` has milliseconds only. */
function wasCreatedIn({ created_at }, { from, before }) {
  const time = BigInt(Date.parse(created_at)) * 1_000n + BigInt(created_at.slice(23, 26));
  return (from === undefined || time >= from) && (before === undefined || time < before);
}

/** By time, then by ID, both descending. All times are in UTC with six decimals, so comparing the texts compares the times. */
function newestFirst(a, b) {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1;
}
