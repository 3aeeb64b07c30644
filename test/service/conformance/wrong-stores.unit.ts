/** Faults that databases, drivers, languages and caches bring with them: each is found by the check that is meant for it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conformanceChecks } from '../../../src/service/conformance/conformance.ts';
import { inMemoryStore, type Patch } from '../../support/in-memory-store.ts';

type Fault = readonly [what: string, message: RegExp, ...patches: readonly Patch[]];

/** Fails unless this check of the in-memory store, with these texts of its source replaced, fails with this message. */
async function assertFound(check: string, [what, message, ...patches]: Fault) {
  const InMemoryStore = await inMemoryStore(...patches, ['import ', `/* ${what} */ import `]);
  const checks = conformanceChecks({
    open: content => ({ roster: new InMemoryStore(content) }),
    change: ({ roster }, organizationId, record) => roster.put(organizationId, record),
  });
  const { run } = checks.find(({ name }) => name === check) ?? {};
  assert(run, `no check is called ${check}`);
  await assert.rejects(run(), { name: 'Error', message });
}

/** Where a stored ID `a` and an asked one `b` are compared, by the given expression. */
const comparisons: Readonly<Record<string, (same: string) => Patch>> = {
  organizations: same => [
    'this.#rosters.get(organizationId) ?? new Map();\n    // A',
    `new Map([...this.#rosters].flatMap(([a, keys]) => ((a, b) => ${same})(a, organizationId) ? [...keys] : []));\n    // A`,
  ],
  cursors: same => [
    'roster.get(cursor.id)',
    `[...roster.values()].toReversed().find(record => ((a, b) => ${same})(record.id, cursor.id))`,
  ],
  workspaces: same => [
    'record.workspace_id === workspaceId',
    `((a, b) => a !== null && (${same}))(record.workspace_id, workspaceId)`,
  ],
  creators: same => [
    'record.created_by.id === creatorId',
    `((a, b) => ${same})(record.created_by.id, creatorId)`,
  ],
};

const CASE = 'IDs that differ only by case are different';
const UNDERSCORE = 'an "_" in an ID stands for itself';
const PUNCTUATION = 'IDs that differ only by "-" and "_" are different';
const PART = 'an ID that is the beginning, the end or a part of another is different';
const NUMBER = 'IDs that are the same number are different';
const LONG = 'IDs of 128 characters that differ only by the first or the last are different';
const DIGITS = 'IDs of 19 digits that differ only by the last are different';
const WORD = 'IDs such as null, default and __proto__ are IDs like any other';

const sameIds: readonly (readonly [what: string, same: string, check: string, likelyCause: RegExp])[] = [
  ['without regard to case', 'a.toLowerCase() === b.toLowerCase()', CASE, /use a binary collation$/],
  [
    'by LIKE',
    "new RegExp('^' + b.replaceAll('_', '.') + '$').test(a)",
    UNDERSCORE,
    /likely cause: IDs are compared by LIKE/,
  ],
  ['by LIKE with % behind', 'a.startsWith(b)', PART, /likely cause: a part of an ID is compared/],
  ['by LIKE with % before', 'a.endsWith(b)', PART, /likely cause: a part of an ID is compared/],
  ['by LIKE with % around', 'a.includes(b)', PART, /likely cause: a part of an ID is compared/],
  [
    'without punctuation',
    "a.replace(/[-_]/g, '') === b.replace(/[-_]/g, '')",
    PUNCTUATION,
    /likely cause: a collation skips punctuation/,
  ],
  ['as URL-safe base64', "a.replaceAll('-', '_') === b.replaceAll('-', '_')", PUNCTUATION, /likely cause/],
  ['as numbers', 'a === b || Number(a) === Number(b)', NUMBER, /keep them as text$/],
  ['as whole numbers', 'a === b || parseInt(a, 10) === parseInt(b, 10)', NUMBER, /keep them as text$/],
  [
    'as numbers of 53 bits',
    'a === b || (/^[1-9][0-9]+$/.test(a) && Number(a) === Number(b))',
    DIGITS,
    /53 bits: keep them as text$/,
  ],
  ['by 127 characters', 'a.slice(0, 127) === b.slice(0, 127)', LONG, /likely cause: IDs are cut/],
  ['by the last 64', 'a.slice(-64) === b.slice(-64)', LONG, /likely cause: IDs are cut/],
];

describe('IDs that are compared', () => {
  for (const [what, same, check, likelyCause] of sameIds)
    for (const [where, patch] of Object.entries(comparisons))
      test(`${what}, of ${where}`, () => assertFound(check, [what, likelyCause, patch(same)]));
});

const joined = (separator: string): Patch => [
  'roster.get(cursor.id)',
  `new Map([...this.#rosters].flatMap(([owner, keys]) => [...keys].map(([id, key]) => [owner + '${separator}' + id, key])))
    .get(organizationId + '${separator}' + cursor.id)`,
];
const workspace = (value: string): Patch => [
  'record.workspace_id === workspaceId',
  `${value} === workspaceId`,
];
const item = (fields: string): Patch => [
  '.map(pageItem)',
  `.map(record => pageItem({ ...record, ${fields} }))`,
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

/** A store that keeps what it answered, by this text, where this holds. */
const kept = (by: string, where = 'true'): Patch => [
  'async listApiKeys(organizationId, {',
  `#kept = {};
  async listApiKeys(organizationId, query) {
    const by = JSON.stringify(${by}, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const page = this.#kept[by] ?? await this.#list(organizationId, query);
    if (${where}) this.#kept[by] = page ?? undefined;
    return page;
  }
  async #list(organizationId, {`,
];
/** Everything that a page depends on. */
const all = '[organizationId, query]';

const NAME = 'a name comes back as it was stored, up to 1,000 characters of any kind';
const AGAIN = 'a page that is asked for again has what was changed meanwhile';
const NEWEST = 'the newest key comes first, by the microsecond';
const TIES = 'keys with the same created_at are all listed, by ID, the greatest first';
const OWN = 'a page has every API key of its organization and of no other, with every field as it was stored';
const FILTER = 'every filter is obeyed, and all of them together, in both directions';
const TIMES =
  'created.from is inclusive and created.before exclusive, by the microsecond, whichever the cursor';
const TIMES_AND_FILTERS = 'created is obeyed with every filter in both directions, and hasMore is exact';
const NO_TIME =
  'a range of created that is empty or inverted has an empty page, and an unknown cursor stays unknown';
const SCOPE = 'only keys within the scope are listed, in both directions, and hasMore is exact';
const CURSOR_AND_SCOPE = 'a key outside of the scope is unknown as a cursor';
const FILTER_AND_SCOPE =
  'a key has to pass scope and filter, so a filter that contradicts the scope has an empty page';
const AT_ONCE = 'pages of several organizations that are asked for at once are each their own';
const LARGE = 'a page can have 1,000 keys, also under a filter and where many have the same time';
const CURSOR = 'a page after or before a cursor has the keys next to it, newest first';

const ONLY = /^listApiKeys must return only keys within query\.scope and query\.created\n/;
const AS_MANY = /^listApiKeys must return as many items as limit where hasMore is true\n/;
/** Another condition for the scope. */
const scoped = (condition: string): Patch => ['passes(record, scope)', condition];
/** Other times in this direction. */
const inDirection = (direction: string, times: string): Patch => [
  'wasCreatedIn(record, created)',
  `wasCreatedIn(record, cursor?.direction === '${direction}' ? ${times} : created)`,
];
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
  [UNDERSCORE]: [
    ['cursors are looked up by both IDs joined by _', /^the cursor a_b is unknown/, joined('_')],
  ],
  [PUNCTUATION]: [
    ['cursors are looked up by both IDs joined by -', /^the cursor a-b is unknown/, joined('-')],
  ],
  [PART]: [['cursors are looked up by both IDs joined', /^the cursor bb is unknown/, joined('')]],
  [WORD]: [
    ['NULL is compared as null', /asks for another workspace_id\n/, workspace('String(record.workspace_id)')],
    [
      'NULL is compared as default',
      /another workspace_id\n/,
      workspace("(record.workspace_id ?? 'default')"),
    ],
    ['NULL is stored as none', /another workspace_id\n/, workspace("(record.workspace_id ?? 'none')")],
    [
      'null is read as NULL',
      /^the record of null must have workspace_id "null", and it is null\n/,
      item("workspace_id: record.workspace_id === 'null' ? null : record.workspace_id"),
    ],
    [
      'rosters are in a plain object',
      /likely cause: .* \(use a Map\)$/,
      ['#rosters = new Map()', '#rosters = {}'],
      ['this.#rosters.get(organizationId)', 'this.#rosters[organizationId]'],
      ['this.#rosters.set(organizationId, roster', 'this.#rosters[organizationId] = (roster'],
    ],
  ],
  [NAME]: [
    ['255 characters', /, and it is "n+\.\.\." \(255 characters\)\n/, name('name.slice(0, 255)')],
    [
      '1,000 units of UTF-16',
      /\(2000 characters\), and it is .* \(1000 characters\)\n/,
      name('name.slice(0, 1000)'),
    ],
    ['NFC', /name "e\\u0301", and it is "\\u00e9"\n/, name("name.normalize('NFC')")],
    ['NFD', /name "\\u00e9", and it is "e\\u0301"\n/, name("name.normalize('NFD')")],
    ['NFKC', /name "e\\u0301", and it is "\\u00e9"\n/, name("name.normalize('NFKC')")],
    ['padding', /name " ", and it is ""\n/, name("name.replace(/^ +| +$/g, '')")],
    ['trimmed', /name " ", and it is ""\n/, name('name.trim()')],
    ['right-trimmed', /name " ", and it is ""\n/, name('name.trimEnd()')],
    ['lower case', /name "A", and it is "a"\n/, name('name.toLowerCase()')],
    [
      'the plane of three bytes',
      /name "\\ud83d\\udd11", and it is "\?"\n/,
      name("name.replace(/[^\\0-\\uffff]/gu, '?')"),
    ],
    [
      'other line ends',
      /name "a\\r\\n\\tb", and it is "a\\n\\tb"\n/,
      name("name.replaceAll('\\r\\n', '\\n')"),
    ],
    ['an empty name is NULL', /^listApiKeys failed: TypeError: name: must be text/, name('name || null')],
  ],
  [AGAIN]: [
    [
      'nothing is changed',
      /^the record of key_B1 must have name "B renamed", and it is "B"\n(.*\n)*likely cause: .* "change" stored nothing$/,
      [
        'this.#rosters.set(organizationId, roster',
        'roster.get(record.id) || this.#rosters.set(organizationId, roster',
      ],
    ],
    ['first pages are kept', /likely cause: a page or a cursor is kept/, kept(all, 'query.cursor === null')],
    ['pages at a cursor are kept', /likely cause: a page or/, kept(all, 'query.cursor !== null')],
    [
      'pages by a creator are kept',
      /likely cause: a page or/,
      kept(all, 'query.filter.creatorId !== undefined'),
    ],
    [
      'pages by two filters are kept',
      /likely cause: a page or/,
      kept(all, 'Object.keys(query.filter).length > 1'),
    ],
    ['large pages are kept', /likely cause: a page or/, kept(all, 'query.limit >= 100')],
    ['an empty page is kept', /^key_first is missing/, kept(all, 'page?.items.length === 0')],
    [
      'an unknown cursor is kept',
      /^the cursor key_\w+ is a key of this organization/,
      kept(all),
      ['page ?? undefined', "page === null ? 'unknown' : undefined"],
      ['return page', "return page === 'unknown' ? null : page"],
    ],
    [
      'a status is kept',
      /^key_\w+ (must not be listed: the filter asks for another status|is missing)/,
      ['record.status === status', '(kept[record.id] ??= record.status) === status'],
      ['function passes', 'const kept = {};\nfunction passes'],
    ],
    [
      'a workspace is kept',
      /^key_\w+ (must not be listed: the filter asks for another workspace_id|is missing)/,
      [
        'record.workspace_id === workspaceId',
        '(kept[record.id] ??= [record.workspace_id])[0] === workspaceId',
      ],
      ['function passes', 'const kept = {};\nfunction passes'],
    ],
  ],
  [OWN]: [
    [
      'times are of another time zone',
      /^the record of key_\w+ must have created_at "[^"]+", and it is "[^"]+", as of another time zone\n/,
      item(
        'created_at: new Date(Date.parse(record.created_at) + 4 * 3_600_000).toISOString().slice(0, 19) + record.created_at.slice(19)',
      ),
    ],
    ['pages are kept for all organizations', /^key_a1 is missing/, kept('query')],
    [
      'every key has the hint of the first',
      /^the record of key_b2 must have partial_key_hint "/,
      item('partial_key_hint: [...all.values()][0].partial_key_hint'),
    ],
  ],
  [LONG]: [
    [
      'the type of a creator is that of another key',
      /^the record of k+b must have created_by /,
      item(
        'created_by: { ...record.created_by, type: [...all.values()].find(({ id }) => id.slice(0, 64) === record.id.slice(0, 64)).created_by.type }',
      ),
    ],
  ],
  [AT_ONCE]: [
    [
      'the organization is kept while it waits',
      /^key_\w+ must not be listed: it is a key of another .*\n(.*\n)*likely cause: the organization/,
      first('this.id = organizationId; await new Promise(setImmediate); organizationId = this.id;'),
    ],
    [
      'lookups under way are shared by all organizations',
      /likely cause: the organization/,
      [
        'async listApiKeys(organizationId, {',
        `#asked = {};
  listApiKeys(organizationId, query) {
    const by = JSON.stringify(query);
    const answer = async () => {
      await new Promise(setImmediate);
      delete this.#asked[by];
      return this.#list(organizationId, query);
    };
    return (this.#asked[by] ??= answer());
  }
  async #list(organizationId, {`,
      ],
    ],
  ],
  [LARGE]: [
    [
      'the filter is applied to the first 200',
      /^key_k0_0 is missing/,
      [
        '[...roster.values()].filter(matches).sort(newestFirst)',
        '[...roster.values()].sort(newestFirst).slice(0, cursor || limit > 99 ? 1e9 : 200).filter(matches)',
      ],
    ],
    [
      'the filter is applied to the last 200 before a cursor',
      /^key_k1000_0 is missing/,
      [
        'matching.filter(record => newestFirst(record, position) < 0)',
        '[...roster.values()].sort(newestFirst).filter(record => newestFirst(record, position) < 0).slice(limit > 99 ? 0 : -200).filter(matches)',
      ],
    ],
    ...['status', 'workspaceId', 'creatorId'].map(
      (filter): Fault => [
        `pages by ${filter} end at 500`,
        /^key_k\d+_0 is missing/,
        [
          'const rest = ',
          `if (filter.${filter}) return { items: matching.slice(0, Math.min(limit, 500)).map(pageItem), hasMore: false };\nconst rest = `,
        ],
      ],
    ),
    [
      'small pages have at most 100 keys of one time',
      /^key_k\d+_0 is missing|^listApiKeys must/,
      [
        '.filter(matches).sort(newestFirst)',
        '.filter(matches).sort(newestFirst).filter(({ created_at }, at, all) => limit > 99 || all[at - 100]?.created_at !== created_at)',
      ],
    ],
  ],
  [FILTER]: [
    ['the filter is taken out of the query', /asks for another/, first('query.filter = {};')],
    ['a status is put into the query', /is missing/, first("query.filter.status ??= 'active';")],
    ['the cursor is taken out of the query', /^listApiKeys must|isn't after/, first('query.cursor = null;')],
    ['pages are kept for all filters', /^key_\w+ /, kept('[organizationId, query.limit, query.cursor]')],
  ],
  [CURSOR]: [
    [
      'pages are kept for both directions',
      /^key_\w+ /,
      kept('[organizationId, query.limit, query.cursor?.id]'),
    ],
    [
      'pages before a cursor begin at the newest',
      /those nearest/,
      ['newer.slice(-limit)', 'newer.slice(0, limit)'],
    ],
  ],
  [NEWEST]: [
    [
      'cursors are of milliseconds',
      /^key_\w+ is missing|^listApiKeys must return a page without its cursor/,
      [
        'roster.get(cursor.id);',
        "{ ...roster.get(cursor.id) };\nif (cursor) position.created_at = position.created_at.slice(0, 23) + '000Z';",
      ],
    ],
  ],
  [TIMES]: [
    [
      'from is exclusive',
      /^key_z1 is missing: .*\n(.*\n)*likely cause: times are cut/,
      ['time >= from', 'time > from'],
    ],
    ['before is inclusive', ONLY, ['time < before', 'time <= before']],
    [
      'bounds are of milliseconds',
      /^key_z1 is missing/,
      [
        '{ from, before }) {',
        '{ from, before }) {\n[from, before] = [from, before].map(at => at && at - (at % 1000n));',
      ],
    ],
    ['keys are of milliseconds', /^key_\w+ is missing/, [' + BigInt(created_at.slice(23, 26))', '']],
    ['a page before a cursor has no first time', ONLY, inDirection('before', '{ before: created.before }')],
    ['a page after a cursor has no last time', ONLY, inDirection('after', '{ from: created.from }')],
    [
      'the cursor is looked up among the keys of these times',
      /^the cursor key_\w+ is a key of this organization: .* or the times\n(.*\n)*.*, created: \{ before: \d+n \} \}\)\n/,
      ['if (cursor && !position)', 'if (cursor && !(position && wasCreatedIn(position, created)))'],
    ],
  ],
  [TIMES_AND_FILTERS]: [
    ['times are compared after the limit', AS_MANY, ...afterLimit('wasCreatedIn(record, created)')],
    [
      'times are ignored with a filter',
      ONLY,
      ['wasCreatedIn(record, created)', '(Object.keys(filter).length > 0 || wasCreatedIn(record, created))'],
    ],
  ],
  [NO_TIME]: [
    [
      'a bound of zero is none',
      ONLY,
      [
        '(from === undefined || time >= from) && (before === undefined || time < before)',
        '(!from || time >= from) && (!before || time < before)',
      ],
    ],
    ['an empty range is answered first', /^listApiKeys must|^the cursor/, emptyFirst('from === before')],
    ['an inverted range is answered first', /^listApiKeys must|^the cursor/, emptyFirst('from > before')],
  ],
  [SCOPE]: [
    ['the scope is ignored', ONLY, scoped('true')],
    ['the scope is ANY of its members', ONLY, scoped(anyMember)],
    ['it is compared after the limit', AS_MANY, ...afterLimit('passes(record, scope)')],
  ],
  [CURSOR_AND_SCOPE]: [
    [
      'the cursor is looked up in the organization',
      /^the cursor key_\w+ is a key outside of the scope: return null/,
      ['roster.get(cursor.id)', 'all.get(cursor.id)'],
    ],
  ],
  [FILTER_AND_SCOPE]: [
    [
      'the filter replaces the scope',
      /^the cursor key_\w+ is a key of this organization/,
      scoped('passes(record, { ...scope, ...filter })'),
    ],
    [
      'the scope replaces the filter',
      /the filter asks for another/,
      ['passes(record, filter)', 'passes(record, { ...filter, ...scope })'],
    ],
    [
      'a filter turns the scope off',
      ONLY,
      scoped('(Object.keys(filter).length > 0 || passes(record, scope))'),
    ],
    [
      'a contradiction is no page',
      /^listApiKeys must return a page where/,
      [
        'if (cursor && !position)',
        'if (Object.keys(scope).some(name => (filter[name] ?? scope[name]) !== scope[name]) || (cursor && !position))',
      ],
    ],
  ],
  [TIES]: [
    [
      'IDs are sorted without regard to case',
      /compared as bytes/,
      ['a.id < b.id', 'a.id.toLowerCase() < b.id.toLowerCase()'],
    ],
    [
      'IDs are sorted with numbers in them',
      /compared as bytes/,
      [
        'a.id < b.id',
        'a.id.replace(/\\d+/, n => n.padStart(9, 0)) < b.id.replace(/\\d+/, n => n.padStart(9, 0))',
      ],
    ],
  ],
};

for (const [check, found] of Object.entries(faults))
  describe(`"${check}" finds that`, () => {
    for (const fault of found) test(fault[0], () => assertFound(check, fault));
  });
