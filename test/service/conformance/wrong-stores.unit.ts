/** Faults that databases, drivers, languages and caches bring with them: each is found by the check that is meant for it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conformanceChecks } from '../../../src/service/conformance/conformance.ts';
import { inMemoryStore, type Patch } from '../../support/in-memory-store.ts';

type Fault = readonly [what: string, patches: readonly Patch[], message: RegExp];

/** Fails unless this check of the in-memory store, with these texts of its source replaced, fails with this message. */
async function assertFound(check: string, [what, patches, message]: Fault) {
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
      test(`${what}, of ${where}`, () => assertFound(check, [what, [patch(same)], likelyCause]));
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
    ['cursors are looked up by both IDs joined by _', [joined('_')], /^the cursor a_b is unknown/],
  ],
  [PUNCTUATION]: [
    ['cursors are looked up by both IDs joined by -', [joined('-')], /^the cursor a-b is unknown/],
  ],
  [PART]: [['cursors are looked up by both IDs joined', [joined('')], /^the cursor bb is unknown/]],
  [WORD]: [
    [
      'NULL is compared as null',
      [workspace('String(record.workspace_id)')],
      /asks for another workspace_id\n/,
    ],
    [
      'NULL is compared as default',
      [workspace("(record.workspace_id ?? 'default')")],
      /another workspace_id\n/,
    ],
    ['NULL is stored as none', [workspace("(record.workspace_id ?? 'none')")], /another workspace_id\n/],
    [
      'null is read as NULL',
      [item("workspace_id: record.workspace_id === 'null' ? null : record.workspace_id")],
      /^the record of null must have workspace_id "null", and it is null\n/,
    ],
    [
      'rosters are in a plain object',
      [
        ['#rosters = new Map()', '#rosters = {}'],
        ['this.#rosters.get(organizationId)', 'this.#rosters[organizationId]'],
        ['this.#rosters.set(organizationId, roster', 'this.#rosters[organizationId] = (roster'],
      ],
      /likely cause: .* \(use a Map\)$/,
    ],
  ],
  [NAME]: [
    ['255 characters', [name('name.slice(0, 255)')], /, and it is "n+\.\.\." \(255 characters\)\n/],
    [
      '1,000 units of UTF-16',
      [name('name.slice(0, 1000)')],
      /\(2000 characters\), and it is .* \(1000 characters\)\n/,
    ],
    ['NFC', [name("name.normalize('NFC')")], /name "e\\u0301", and it is "\\u00e9"\n/],
    ['NFD', [name("name.normalize('NFD')")], /name "\\u00e9", and it is "e\\u0301"\n/],
    ['NFKC', [name("name.normalize('NFKC')")], /name "e\\u0301", and it is "\\u00e9"\n/],
    ['padding', [name("name.replace(/^ +| +$/g, '')")], /name " ", and it is ""\n/],
    ['trimmed', [name('name.trim()')], /name " ", and it is ""\n/],
    ['right-trimmed', [name('name.trimEnd()')], /name " ", and it is ""\n/],
    ['lower case', [name('name.toLowerCase()')], /name "A", and it is "a"\n/],
    [
      'the plane of three bytes',
      [name("name.replace(/[^\\0-\\uffff]/gu, '?')")],
      /name "\\ud83d\\udd11", and it is "\?"\n/,
    ],
    [
      'other line ends',
      [name("name.replaceAll('\\r\\n', '\\n')")],
      /name "a\\r\\n\\tb", and it is "a\\n\\tb"\n/,
    ],
    ['an empty name is NULL', [name('name || null')], /^listApiKeys failed: TypeError: name: must be text/],
  ],
  [AGAIN]: [
    [
      'nothing is changed',
      [
        [
          'this.#rosters.set(organizationId, roster',
          'roster.get(record.id) || this.#rosters.set(organizationId, roster',
        ],
      ],
      /^the record of key_B1 must have name "B renamed", and it is "B"\n(.*\n)*likely cause: .* "change" stored nothing$/,
    ],
    [
      'first pages are kept',
      [kept(all, 'query.cursor === null')],
      /likely cause: a page or a cursor is kept/,
    ],
    ['pages at a cursor are kept', [kept(all, 'query.cursor !== null')], /likely cause: a page or/],
    [
      'pages by a creator are kept',
      [kept(all, 'query.filter.creatorId !== undefined')],
      /likely cause: a page or/,
    ],
    [
      'pages by two filters are kept',
      [kept(all, 'Object.keys(query.filter).length > 1')],
      /likely cause: a page or/,
    ],
    ['large pages are kept', [kept(all, 'query.limit >= 100')], /likely cause: a page or/],
    ['an empty page is kept', [kept(all, 'page?.items.length === 0')], /^key_first is missing/],
    [
      'an unknown cursor is kept',
      [
        kept(all),
        ['page ?? undefined', "page === null ? 'unknown' : undefined"],
        ['return page', "return page === 'unknown' ? null : page"],
      ],
      /^the cursor key_\w+ is a key of this organization/,
    ],
    [
      'a status is kept',
      [
        ['record.status === status', '(kept[record.id] ??= record.status) === status'],
        ['function passes', 'const kept = {};\nfunction passes'],
      ],
      /^key_\w+ (must not be listed: the filter asks for another status|is missing)/,
    ],
    [
      'a workspace is kept',
      [
        [
          'record.workspace_id === workspaceId',
          '(kept[record.id] ??= [record.workspace_id])[0] === workspaceId',
        ],
        ['function passes', 'const kept = {};\nfunction passes'],
      ],
      /^key_\w+ (must not be listed: the filter asks for another workspace_id|is missing)/,
    ],
  ],
  [OWN]: [
    [
      'times are of another time zone',
      [
        item(
          'created_at: new Date(Date.parse(record.created_at) + 4 * 3_600_000).toISOString().slice(0, 19) + record.created_at.slice(19)',
        ),
      ],
      /^the record of key_\w+ must have created_at "[^"]+", and it is "[^"]+", as of another time zone\n/,
    ],
    ['pages are kept for all organizations', [kept('query')], /^key_a1 is missing/],
    [
      'every key has the hint of the first',
      [item('partial_key_hint: [...all.values()][0].partial_key_hint')],
      /^the record of key_b2 must have partial_key_hint "/,
    ],
  ],
  [LONG]: [
    [
      'the type of a creator is that of another key',
      [
        item(
          'created_by: { ...record.created_by, type: [...all.values()].find(({ id }) => id.slice(0, 64) === record.id.slice(0, 64)).created_by.type }',
        ),
      ],
      /^the record of k+b must have created_by /,
    ],
  ],
  [AT_ONCE]: [
    [
      'the organization is kept while it waits',
      [first('this.id = organizationId; await new Promise(setImmediate); organizationId = this.id;')],
      /^key_\w+ must not be listed: it is a key of another .*\n(.*\n)*likely cause: the organization/,
    ],
    [
      'lookups under way are shared by all organizations',
      [
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
      /likely cause: the organization/,
    ],
  ],
  [LARGE]: [
    [
      'the filter is applied to the first 200',
      [
        [
          '[...roster.values()].filter(matches).sort(newestFirst)',
          '[...roster.values()].sort(newestFirst).slice(0, cursor || limit > 99 ? 1e9 : 200).filter(matches)',
        ],
      ],
      /^key_k0_0 is missing/,
    ],
    [
      'the filter is applied to the last 200 before a cursor',
      [
        [
          'matching.filter(record => newestFirst(record, position) < 0)',
          '[...roster.values()].sort(newestFirst).filter(record => newestFirst(record, position) < 0).slice(limit > 99 ? 0 : -200).filter(matches)',
        ],
      ],
      /^key_k1000_0 is missing/,
    ],
    ...['status', 'workspaceId', 'creatorId'].map(
      (filter): Fault => [
        `pages by ${filter} end at 500`,
        [
          [
            'const rest = ',
            `if (filter.${filter}) return { items: matching.slice(0, Math.min(limit, 500)).map(pageItem), hasMore: false };\nconst rest = `,
          ],
        ],
        /^key_k\d+_0 is missing/,
      ],
    ),
    [
      'small pages have at most 100 keys of one time',
      [
        [
          '.filter(matches).sort(newestFirst)',
          '.filter(matches).sort(newestFirst).filter(({ created_at }, at, all) => limit > 99 || all[at - 100]?.created_at !== created_at)',
        ],
      ],
      /^key_k\d+_0 is missing|^listApiKeys must/,
    ],
  ],
  [FILTER]: [
    ['the filter is taken out of the query', [first('query.filter = {};')], /asks for another/],
    ['a status is put into the query', [first("query.filter.status ??= 'active';")], /is missing/],
    [
      'the cursor is taken out of the query',
      [first('query.cursor = null;')],
      /^listApiKeys must|isn't after/,
    ],
    ['pages are kept for all filters', [kept('[organizationId, query.limit, query.cursor]')], /^key_\w+ /],
  ],
  [CURSOR]: [
    [
      'pages are kept for both directions',
      [kept('[organizationId, query.limit, query.cursor?.id]')],
      /^key_\w+ /,
    ],
    [
      'pages before a cursor begin at the newest',
      [['newer.slice(-limit)', 'newer.slice(0, limit)']],
      /those nearest/,
    ],
  ],
  [NEWEST]: [
    [
      'cursors are of milliseconds',
      [
        [
          'roster.get(cursor.id);',
          "{ ...roster.get(cursor.id) };\nif (cursor) position.created_at = position.created_at.slice(0, 23) + '000Z';",
        ],
      ],
      /^key_\w+ is missing|^listApiKeys must return a page without its cursor/,
    ],
  ],
  [TIMES]: [
    [
      'from is exclusive',
      [['time >= from', 'time > from']],
      /^key_z1 is missing: .*\n(.*\n)*likely cause: times are cut/,
    ],
    ['before is inclusive', [['time < before', 'time <= before']], ONLY],
    [
      'bounds are of milliseconds',
      [
        [
          '{ from, before }) {',
          '{ from, before }) {\n[from, before] = [from, before].map(at => at && at - (at % 1000n));',
        ],
      ],
      /^key_z1 is missing/,
    ],
    ['keys are of milliseconds', [[' + BigInt(created_at.slice(23, 26))', '']], /^key_\w+ is missing/],
    ['a page before a cursor has no first time', [inDirection('before', '{ before: created.before }')], ONLY],
    ['a page after a cursor has no last time', [inDirection('after', '{ from: created.from }')], ONLY],
    [
      'the cursor is looked up among the keys of these times',
      [['if (cursor && !position)', 'if (cursor && !(position && wasCreatedIn(position, created)))']],
      /^the cursor key_\w+ is a key of this organization: .* or the times\n(.*\n)*.*, created: \{ before: \d+n \} \}\)\n/,
    ],
  ],
  [TIMES_AND_FILTERS]: [
    ['times are compared after the limit', afterLimit('wasCreatedIn(record, created)'), AS_MANY],
    [
      'times are ignored with a filter',
      [
        [
          'wasCreatedIn(record, created)',
          '(Object.keys(filter).length > 0 || wasCreatedIn(record, created))',
        ],
      ],
      ONLY,
    ],
  ],
  [NO_TIME]: [
    [
      'a bound of zero is none',
      [
        [
          '(from === undefined || time >= from) && (before === undefined || time < before)',
          '(!from || time >= from) && (!before || time < before)',
        ],
      ],
      ONLY,
    ],
    ['an empty range is answered first', [emptyFirst('from === before')], /^listApiKeys must|^the cursor/],
    ['an inverted range is answered first', [emptyFirst('from > before')], /^listApiKeys must|^the cursor/],
  ],
  [SCOPE]: [
    ['the scope is ignored', [['passes(record, scope)', 'true']], ONLY],
    ['the scope is ANY of its members', [['passes(record, scope)', anyMember]], ONLY],
    ['it is compared after the limit', afterLimit('passes(record, scope)'), AS_MANY],
  ],
  [CURSOR_AND_SCOPE]: [
    [
      'the cursor is looked up in the organization',
      [['roster.get(cursor.id)', 'all.get(cursor.id)']],
      /^the cursor key_\w+ is a key outside of the scope: return null/,
    ],
  ],
  [FILTER_AND_SCOPE]: [
    [
      'the filter replaces the scope',
      [['passes(record, scope)', 'passes(record, { ...scope, ...filter })']],
      /^the cursor key_\w+ is a key of this organization/,
    ],
    [
      'the scope replaces the filter',
      [['passes(record, filter)', 'passes(record, { ...filter, ...scope })']],
      /the filter asks for another/,
    ],
    [
      'a filter turns the scope off',
      [['passes(record, scope)', '(Object.keys(filter).length > 0 || passes(record, scope))']],
      ONLY,
    ],
    [
      'a contradiction is no page',
      [
        [
          'if (cursor && !position)',
          'if (Object.keys(scope).some(name => (filter[name] ?? scope[name]) !== scope[name]) || (cursor && !position))',
        ],
      ],
      /^listApiKeys must return a page where/,
    ],
  ],
  [TIES]: [
    [
      'IDs are sorted without regard to case',
      [['a.id < b.id', 'a.id.toLowerCase() < b.id.toLowerCase()']],
      /compared as bytes/,
    ],
    [
      'IDs are sorted with numbers in them',
      [
        [
          'a.id < b.id',
          'a.id.replace(/\\d+/, n => n.padStart(9, 0)) < b.id.replace(/\\d+/, n => n.padStart(9, 0))',
        ],
      ],
      /compared as bytes/,
    ],
  ],
};

for (const [check, found] of Object.entries(faults))
  describe(`"${check}" finds that`, () => {
    for (const fault of found) test(fault[0], () => assertFound(check, fault));
  });
