/** Faults that databases, drivers, languages and caches bring with them: each is found by the check that is meant for it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conformanceChecks } from '../../../src/service/conformance/conformance.ts';
import { inMemoryStore, type Patch } from '../../support/in-memory-store.ts';

type Fault = readonly [what: string, ...patches: readonly Patch[]];

/** Fails unless this check of the in-memory store, with these texts of its source replaced, fails. */
async function assertFound(check: string, [what, ...patches]: Fault) {
  const InMemoryStore = await inMemoryStore(...patches, ['import ', `/* ${what} */ import `]);
  const checks = conformanceChecks({
    open: content => ({ roster: new InMemoryStore(content) }),
    change: ({ roster }, organizationId, record) => roster.put(organizationId, record),
  });
  const { run } = checks.find(({ name }) => name === check) ?? {};
  assert(run, `no check is called ${check}`);
  // Not since the replaced text is no program.
  await assert.rejects(run(), {
    name: 'Error',
    message: /^(?!.*(Reference|Syntax)Error)(.*\n)*seed: 1$/,
  });
}

/** Where a cursor is looked up, its page is unknown, what comes before its place is left out, and IDs have their order. */
const cursorBy = (found: string): Patch => ['roster.get(cursor.id)', found];
const noPageIf = (condition: string): Patch => ['if (cursor && !position)', `if (${condition})`];
const afterCursor = (condition: string): Patch => ['newestFirst(record, position) > 0', condition];
const workspaceIf = (condition: string): Patch => ['record.workspace_id === workspaceId', condition];
const idsBy = (comparison: string): Patch => ['a.id < b.id', comparison];

/** Where a stored ID `a` and an asked one `b` are compared, by the given expression. */
const comparisons: Readonly<Record<string, (same: string) => Patch>> = {
  organizations: same => [
    'this.#rosters.get(organizationId) ?? new Map();\n    // A',
    `new Map([...this.#rosters].flatMap(([a, keys]) => ((a, b) => ${same})(a, organizationId) ? [...keys] : []));\n    // A`,
  ],
  cursors: same =>
    cursorBy(`[...roster.values()].toReversed().find(record => ((a, b) => ${same})(record.id, cursor.id))`),
  workspaces: same => workspaceIf(`((a, b) => a !== null && (${same}))(record.workspace_id, workspaceId)`),
  creators: same => [
    'record.created_by.id === creatorId',
    `((a, b) => ${same})(record.created_by.id, creatorId)`,
  ],
};

const CASE = 'IDs that differ only by case are different';
const UNDERSCORE = 'an "_" in an ID stands for itself';
const PUNCTUATION = 'IDs that differ only by "-" and "_" are different';
const PART = 'an ID that is the beginning, the end or a part of another is different';
const NUMBER = 'IDs that are the same number are different, also beyond 53 bits';
const LONG = 'IDs of 255 characters that differ only by the first or the last are different';
const WORD = 'IDs such as null, default and __proto__ are IDs like any other';

/** One that takes more IDs for the same is found where one of these is. */
const sameIds: readonly (readonly [what: string, same: string, check: string])[] = [
  ['without regard to case', 'a.toLowerCase() === b.toLowerCase()', CASE],
  ['by LIKE', "new RegExp('^' + b.replaceAll('_', '.') + '$').test(a)", UNDERSCORE],
  ['by LIKE with % behind', 'a.startsWith(b)', PART],
  ['by LIKE with % before', 'a.endsWith(b)', PART],
  ['as URL-safe base64', "a.replaceAll('-', '_') === b.replaceAll('-', '_')", PUNCTUATION],
  ['as whole numbers', 'a === b || parseInt(a, 10) === parseInt(b, 10)', NUMBER],
  ['as numbers of 53 bits', 'a === b || (/^[1-9][0-9]+$/.test(a) && Number(a) === Number(b))', NUMBER],
  ['by 127 characters', 'a.slice(0, 127) === b.slice(0, 127)', LONG],
  ['by the last 64', 'a.slice(-64) === b.slice(-64)', LONG],
  ['by 191 characters', 'a.slice(0, 191) === b.slice(0, 191)', LONG],
  ['as MySQL does with a number', 'a === b || (/^[1-9]/.test(a) && parseFloat(a) === parseFloat(b))', NUMBER],
];

describe('IDs that are compared', () => {
  for (const [what, same, check] of sameIds)
    for (const [where, patch] of Object.entries(comparisons))
      test(`${what}, of ${where}`, () => assertFound(check, [what, patch(same)]));
});

const joined = (separator: string) =>
  cursorBy(`new Map([...this.#rosters].flatMap(([owner, keys]) => [...keys].map(([id, key]) => [owner + '${separator}' + id, key])))
    .get(organizationId + '${separator}' + cursor.id)`);
const workspace = (value: string) => workspaceIf(`${value} === workspaceId`);
const item = (fields: string): Patch => [
  '.map(pageItem)',
  `.map(record => pageItem({ ...record, ${fields} }))`,
];
/** A store that has none of the times on one side of this one. */
const clamped = (side: '<' | '>', bound: string): Patch => [
  'this.#rosters.set(',
  `if (record.created_at ${side} '${bound}') record = { ...record, created_at: '${bound}' };\nthis.#rosters.set(`,
];
const name = (altered: string) => item(`name: (name => ${altered})(record.name)`);

/** A store that does this with a query before it answers it. */
const first = (statements: string): Patch => [
  'async listApiKeys(organizationId, {',
  `async listApiKeys(organizationId, query) {
    ${statements}
    return this.#list(organizationId, query);
  }
  async #list(organizationId, {`,
];

/** The text by which requests are equal. */
const textOf = (by: string) =>
  `const by = JSON.stringify(${by}, (_, value) => (typeof value === 'bigint' ? String(value) : value));`;
/** A store that keeps what it answered, by this text, where this holds. */
const kept = (by: string, where = 'true') =>
  first(`${textOf(by)}
    const page = (this.kept ??= {})[by] ?? await this.#list(organizationId, query);
    if (${where}) this.kept[by] = page ?? undefined;
    return page;`);
/** A store in which equal requests share one answer while it is under way: equal by this text. */
const shared = (by: string) =>
  first(`const { limit, cursor, filter, created, scope } = query;
    ${textOf(by)}
    const asked = (this.asked ??= {});
    const answer = async () => {
      await new Promise(setImmediate);
      delete asked[by];
      return this.#list(organizationId, query);
    };
    return (asked[by] ??= answer());`);
/** What is left of a request without each of its members. One that leaves out more is found where one of these is. */
const withoutMember = {
  'its organization': '[limit, cursor, filter, created, scope]',
  'its limit': '[organizationId, cursor, filter, created, scope]',
  "its cursor's ID": '[organizationId, limit, cursor?.direction, filter, created, scope]',
  "its cursor's direction": '[organizationId, limit, cursor?.id, filter, created, scope]',
  'its status': '[organizationId, limit, cursor, { ...filter, status: 0 }, created, scope]',
  'its workspace': '[organizationId, limit, cursor, { ...filter, workspaceId: 0 }, created, scope]',
  'its creator': '[organizationId, limit, cursor, { ...filter, creatorId: 0 }, created, scope]',
  'its first time': '[organizationId, limit, cursor, filter, created?.before, scope]',
  'its last time': '[organizationId, limit, cursor, filter, created?.from, scope]',
  "its scope's workspace": '[organizationId, limit, cursor, filter, created, scope?.creatorId]',
  "its scope's creator": '[organizationId, limit, cursor, filter, created, scope?.workspaceId]',
};
/** Everything that a page depends on. */
const all = '[organizationId, query]';

const AGAIN =
  'a page that is asked for again has what was changed meanwhile, so a walk misses and repeats no key';
const NEWEST = 'the newest key comes first, by all decimals of its time';
const TIES = 'keys with the same created_at are all listed, by ID, the greatest first';
const HAS_MORE = 'hasMore is exact, also when a filter leaves exactly as many keys as the limit';
const UNKNOWN =
  'a cursor is unknown that no key has, or only one outside of the scope or of another organization';
const FAR = 'times before 1970 and after 2038 are times like any other';
const OWN = 'a page has every API key of its organization and of no other, with every field as it was stored';
const FILTER = 'every filter is obeyed in both directions, whether or not the cursor passes it';
const TIMES =
  'created.from is inclusive and created.before exclusive, by the microsecond, whatever the filter and the cursor';
const SCOPE = 'a key has to pass scope and filter, in both directions, and hasMore is exact';
const AT_ONCE = 'requests under way at once are each answered by their own members';
const LARGE = 'a page can have 1,000 keys, also under a filter and where many have the same time';
const CURSOR = 'a page after or before a cursor has the keys next to it, newest first';

/** Another condition for the scope. */
const scoped = (condition: string): Patch => ['passes(record, scope)', condition];
/** Another condition for the times. */
const timesIf = (condition: string): Patch => ['wasCreatedIn(record, created)', condition];
/** Other times in this direction. */
const inDirection = (direction: string, times: string) =>
  timesIf(`wasCreatedIn(record, cursor?.direction === '${direction}' ? ${times} : created)`);
const afterLimit = (condition: string): Patch[] => [
  [condition, 'true'],
  ['.map(pageItem)', `.filter(record => ${condition}).map(pageItem)`],
];
const emptyFirst = (condition: string): Patch => [
  'const all =',
  `const { from, before } = created; if (from && before && ${condition}) return { items: [], hasMore: false };\nconst all =`,
];
const anyMember =
  '(members => members.length === 0 || members.some(([name, id]) => passes(record, { [name]: id })))(Object.entries(scope))';

const faults: Readonly<Record<string, readonly Fault[]>> = {
  [HAS_MORE]: [
    ['hasMore is guessed', ['rest.length > limit', 'rest.length >= limit']],
    ['there is never more', ['rest.length > limit', 'false']],
  ],
  [UNKNOWN]: [
    [
      'a foreign cursor is accepted',
      cursorBy('[...this.#rosters.values()].map(keys => keys.get(cursor.id)).find(Boolean)'),
    ],
    ['the cursor is looked up in the organization', cursorBy('all.get(cursor.id)')],
    ['an unknown cursor is the beginning', noPageIf('false')],
    [
      'it throws',
      ['if (cursor && !position) return null;', "if (cursor && !position) throw new Error('none');"],
    ],
  ],
  [FAR]: [
    ['times begin in 1970', clamped('<', '1970-01-01T00:00:00.000000Z')],
    ['times end in 2038', clamped('>', '2038-01-19T03:14:07.000000Z')],
    [
      'times are numbers of nanoseconds in 64 bits',
      ['const time = BigInt(', 'const time = BigInt.asIntN(64, 1_000n * BigInt('],
      [' + BigInt(created_at.slice(23, 26))', ' + 1_000n * BigInt(created_at.slice(23, 26))) / 1_000n'],
    ],
  ],
  [UNDERSCORE]: [['cursors are looked up by both IDs joined by _', joined('_')]],
  [PUNCTUATION]: [['cursors are looked up by both IDs joined by -', joined('-')]],
  [PART]: [['cursors are looked up by both IDs joined', joined('')]],
  [WORD]: [
    ['NULL is compared as null', workspace('String(record.workspace_id)')],
    ['NULL is compared as default', workspace("(record.workspace_id ?? 'default')")],
    ['NULL is stored as none', workspace("(record.workspace_id ?? 'none')")],
    [
      'null is read as NULL',
      item("workspace_id: record.workspace_id === 'null' ? null : record.workspace_id"),
    ],
    [
      'rosters are in a plain object',
      ['#rosters = new Map()', '#rosters = {}'],
      ['this.#rosters.get(organizationId)', 'this.#rosters[organizationId]'],
      ['this.#rosters.set(organizationId, roster', 'this.#rosters[organizationId] = (roster'],
    ],
  ],
  [AGAIN]: [
    [
      'the page without a cursor takes the snapshot of those with one',
      [
        'const all = this.#rosters.get(organizationId) ?? new Map();',
        `const now = this.#rosters.get(organizationId) ?? new Map();
         this.kept ??= new Map();
         if (!cursor || !this.kept.has(organizationId)) this.kept.set(organizationId, new Map(now));
         const all = this.kept.get(organizationId);`,
      ],
    ],
    [
      'a snapshot is read from the second page on',
      kept(
        '[organizationId, query.filter, query.scope, query.limit, query.cursor]',
        'query.cursor !== null && page !== null',
      ),
    ],
    [
      'pages before are counted off, wherever the cursor is',
      [
        'matching.filter(record => newestFirst(record, position) > 0) : matching',
        'matching.slice(limit * ++this.page) : (this.page = 0, matching)',
      ],
    ],
    [
      'nothing is changed',
      [
        'this.#rosters.set(organizationId, roster',
        'roster.get(record.id) || this.#rosters.set(organizationId, roster',
      ],
    ],
    ['first pages are kept', kept(all, 'query.cursor === null')],
    ['pages at a cursor are kept', kept(all, 'query.cursor !== null')],
    ['pages by a creator are kept', kept(all, 'query.filter.creatorId !== undefined')],
    ['pages by two filters are kept', kept(all, 'Object.keys(query.filter).length > 1')],
    ['large pages are kept', kept(all, 'query.limit >= 100')],
    ['an empty page is kept', kept(all, 'page?.items.length === 0')],
    [
      'an unknown cursor is kept',
      kept(all),
      ['page ?? undefined', "page === null ? 'unknown' : undefined"],
      ['return page', "return page === 'unknown' ? null : page"],
    ],
    [
      'a status is kept',
      ['record.status === status', '(kept[record.id] ??= record.status) === status'],
      ['function passes', 'const kept = {};\nfunction passes'],
    ],
    [
      'a workspace is kept',
      workspace('(kept[record.id] ??= [record.workspace_id])[0]'),
      ['function passes', 'const kept = {};\nfunction passes'],
    ],
  ],
  [OWN]: [
    ['a field is lost', item('workspace_id: null')],
    ['255 characters', name('name.slice(0, 255)')],
    ['1,000 units of UTF-16', name('name.slice(0, 1000)')],
    ['NFC', name("name.normalize('NFC')")],
    ['NFD', name("name.normalize('NFD')")],
    ['NFKC', name("name.normalize('NFKC')")],
    ['padding', name("name.replace(/^ +| +$/g, '')")],
    ['right-trimmed', name('name.trimEnd()')],
    ['lower case', name('name.toLowerCase()')],
    ['the plane of three bytes', name("name.replace(/[^\\0-\\uffff]/gu, '?')")],
    ['other line ends', name("name.replaceAll('\\r\\n', '\\n')")],
    ['an empty name is NULL', name('name || null')],
    [
      'times are of another time zone',
      item(
        'created_at: new Date(Date.parse(record.created_at) + 4 * 3_600_000).toISOString().slice(0, 19) + record.created_at.slice(19)',
      ),
    ],
    ['pages are kept for all organizations', kept('query')],
    ['every key has the hint of the first', item('partial_key_hint: [...all.values()][0].partial_key_hint')],
  ],
  [LONG]: [
    [
      'the type of a creator is that of another key',
      item(
        'created_by: { ...record.created_by, type: [...all.values()].find(({ id }) => id.slice(0, 64) === record.id.slice(0, 64)).created_by.type }',
      ),
    ],
  ],
  [AT_ONCE]: [
    [
      'the organization is kept while it waits',
      first('this.id = organizationId; await new Promise(setImmediate); organizationId = this.id;'),
    ],
    [
      'an organization without keys that it never had is an error',
      first("if (organizationId === 'org_none') throw new Error('no such organization');"),
    ],
    ...Object.entries(withoutMember).map(
      ([member, by]): Fault => [`requests under way are shared without ${member}`, shared(by)],
    ),
  ],
  [LARGE]: [
    ['a page has 100 keys at most', ['rest.slice(0, limit)', 'rest.slice(0, Math.min(limit, 100))']],
    [
      'the filter is applied to the first 200',
      [
        '[...roster.values()].filter(matches).sort(newestFirst)',
        '[...roster.values()].sort(newestFirst).slice(0, cursor || limit > 99 ? 1e9 : 200).filter(matches)',
      ],
    ],
    [
      'the filter is applied to the last 200 before a cursor',
      [
        'matching.filter(record => newestFirst(record, position) < 0)',
        '[...roster.values()].sort(newestFirst).filter(record => newestFirst(record, position) < 0).slice(limit > 99 ? 0 : -200).filter(matches)',
      ],
    ],
    ...['status', 'workspaceId', 'creatorId'].map(
      (filter): Fault => [
        `pages by ${filter} end at 500`,
        [
          'const rest = ',
          `if (filter.${filter}) return { items: matching.slice(0, Math.min(limit, 500)).map(pageItem), hasMore: false };\nconst rest = `,
        ],
      ],
    ),
    [
      'small pages have at most 100 keys of one time',
      [
        '.filter(matches).sort(newestFirst)',
        '.filter(matches).sort(newestFirst).filter(({ created_at }, at, all) => limit > 99 || all[at - 100]?.created_at !== created_at)',
      ],
    ],
  ],
  [FILTER]: [
    [
      'a filter by a creator leaves those out that a service account made',
      [
        '(creatorId === undefined || record.created_by.id === creatorId)',
        "(creatorId === undefined || (record.created_by.id === creatorId && record.created_by.type === 'user'))",
      ],
    ],
    [
      'the cursor is looked up among the matching keys',
      cursorBy('[...roster.values()].find(({ id, ...rest }) => id === cursor.id && passes(rest, filter))'),
    ],
    ['a filter is ignored', ['(workspaceId === undefined || record.workspace_id === workspaceId) &&', '']],
    ['the filter is taken out of the query', first('query.filter = {};')],
    ['a status is put into the query', first("query.filter.status ??= 'active';")],
    ['the cursor is taken out of the query', first('query.cursor = null;')],
    ['pages are kept for all filters', kept('[organizationId, query.limit, query.cursor]')],
  ],
  [CURSOR]: [
    [
      'hasMore before a cursor is that after it',
      ['hasMore: newer.length > limit', 'hasMore: newer.length < matching.length - 1'],
    ],
    ['pages are kept for both directions', kept('[organizationId, query.limit, query.cursor?.id]')],
    ['pages before a cursor begin at the newest', ['newer.slice(-limit)', 'newer.slice(0, limit)']],
  ],
  [NEWEST]: [
    [
      'keys are ordered by ID alone',
      ['if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1;', ''],
    ],
    [
      'keys are ordered by seconds',
      ['a.created_at !== b.created_at', 'a.created_at.slice(0, 19) !== b.created_at.slice(0, 19)'],
    ],
    ['times are rounded to milliseconds', item("created_at: record.created_at.slice(0, 23) + '000Z'")],
    [
      'keys are ordered by milliseconds',
      ['a.created_at !== b.created_at', 'a.created_at.slice(0, 23) !== b.created_at.slice(0, 23)'],
    ],
    ['a page begins at its cursor', afterCursor('newestFirst(record, position) >= 0')],
    ['a page before a cursor is turned around', ['newer.slice(-limit)', 'newer.slice(-limit).reverse()']],
    [
      'cursors are of milliseconds',
      [
        'roster.get(cursor.id);',
        "{ ...roster.get(cursor.id) };\nif (cursor) position.created_at = position.created_at.slice(0, 23) + '000Z';",
      ],
    ],
  ],
  [TIMES]: [
    ['from is exclusive', ['time >= from', 'time > from']],
    ['before is inclusive', ['time < before', 'time <= before']],
    [
      'bounds are of milliseconds',
      [
        '{ from, before }) {',
        '{ from, before }) {\n[from, before] = [from, before].map(at => at && at - (at % 1000n));',
      ],
    ],
    ['keys are of milliseconds', [' + BigInt(created_at.slice(23, 26))', '']],
    ['a page before a cursor has no first time', inDirection('before', '{ before: created.before }')],
    ['a page after a cursor has no last time', inDirection('after', '{ from: created.from }')],
    [
      'the cursor is looked up among the keys of these times',
      noPageIf('cursor && !(position && wasCreatedIn(position, created))'),
    ],
    ['times are compared after the limit', ...afterLimit('wasCreatedIn(record, created)')],
    [
      'times are ignored with a filter',
      timesIf('(Object.keys(filter).length > 0 || wasCreatedIn(record, created))'),
    ],
    [
      'a bound of zero is none',
      [
        '(from === undefined || time >= from) && (before === undefined || time < before)',
        '(!from || time >= from) && (!before || time < before)',
      ],
    ],
    ['an empty range is answered first', emptyFirst('from === before')],
    ['an inverted range is answered first', emptyFirst('from > before')],
  ],
  [SCOPE]: [
    [
      'a key of no workspace is of every one',
      scoped('passes({ ...record, workspace_id: record.workspace_id ?? scope.workspaceId ?? null }, scope)'),
    ],
    ['the scope is ignored', scoped('true')],
    ['the scope is ANY of its members', scoped(anyMember)],
    ['it is compared after the limit', ...afterLimit('passes(record, scope)')],
    ['the filter replaces the scope', scoped('passes(record, { ...scope, ...filter })')],
    ['the scope replaces the filter', ['passes(record, filter)', 'passes(record, { ...filter, ...scope })']],
    ['a filter turns the scope off', scoped('(Object.keys(filter).length > 0 || passes(record, scope))')],
    [
      'a contradiction is no page',
      noPageIf(
        'Object.keys(scope).some(name => (filter[name] ?? scope[name]) !== scope[name]) || (cursor && !position)',
      ),
    ],
  ],
  [TIES]: [
    ['IDs are sorted as they came', idsBy('false')],
    [
      'a page before a cursor has no key of its time',
      ['newestFirst(record, position) < 0', 'record.created_at > position.created_at'],
    ],
    ['ties are dropped', afterCursor('record.created_at < position.created_at')],
    ['IDs are compared as a language does', idsBy('a.id.localeCompare(b.id) < 0')],
    ['IDs are sorted without regard to case', idsBy('a.id.toLowerCase() < b.id.toLowerCase()')],
    ['IDs are sorted with numbers in them', idsBy('a.id.localeCompare(b.id, "en", { numeric: true }) < 0')],
  ],
};

for (const [check, found] of Object.entries(faults))
  describe(`"${check}" finds that`, () => {
    for (const fault of found) test(fault[0], () => assertFound(check, fault));
  });
