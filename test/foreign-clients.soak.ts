/** Clients that were made for another service with this operation. They are installed from the registry, so this isn't in npm test. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inspect, promisify } from 'node:util';
import fc from 'fast-check';
import type { ApiKey } from '../src/service/roster/api-key.ts';
import type { DeclaredField } from '../src/service/roster/declared-fields.ts';
import { formatTimestamp } from '../src/shared/record/timestamp.ts';
import { apiKey } from './support/arbitraries.ts';
import { runNode, startKeyroster } from './support/command-line.ts';
import { withDeclaredValues } from './support/declared-values.ts';
import { install } from './support/installed-package.ts';
import { type Scope, suiteScope, temporaryFolder } from './support/scope.ts';
import {
  collect,
  idsOf,
  numberedKey,
  type SeededService,
  startSeededService,
} from './support/seeded-service.ts';

const PACKAGE = '@anthropic-ai/sdk';
const VERSION = '1.12.0';
const OLDER = '0.137.0';
/** What that version sends. */
const API_VERSION = '2026-10-21';

// biome-ignore lint/suspicious/noExplicitAny: the package isn't a dependency, so its types aren't there
type Sdk = any;

const LETS_IT_IN = ['--bearer', '--also-version', API_VERSION, '--default-workspace', 'wrkspc_default'];

const TSC = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const STRICT = [
  ...['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--allowImportingTsExtensions'],
  ...['--module', 'nodenext', '--target', 'esnext', '--types', ''],
];

/** It reads each property, which doesn't compile when there is another one, and prints what it read. */
const PROGRAM = `
import Anthropic from '@anthropic-ai/sdk';
import type { APIKey } from '@anthropic-ai/sdk/resources/organization/api-keys';
import type { SdkRecord } from '${fileURLToPath(new URL('support/sdk-record.ts', import.meta.url))}';

declare const process: { env: Record<string, string>; argv: string[]; stdout: { write(text: string): void } };

function read({ id, type, name, created_at, created_by, expires_at, partial_key_hint, principal, scope, status, ...rest }: APIKey) {
  const nothing: Record<keyof typeof rest, never> = {};
  return {
    id, type, name, hint: partial_key_hint?.toUpperCase(), status,
    created: created_at.toUpperCase(),
    expires: expires_at === null ? 'never' : expires_at.toUpperCase(),
    creator: created_by && [created_by.type, created_by.id],
    principal: principal && [principal.type, 'user_id' in principal ? principal.user_id : principal.service_account_id],
    workspace: scope.type === 'workspace' ? scope.workspace_id.toUpperCase() : null,
    ...nothing,
  };
}

// The list of properties that npm test checks is that of the package, no more and no less.
export const ours = (theirs: APIKey): SdkRecord => theirs;
export const theirs = (ours: SdkRecord): APIKey => ours;
export const names: Record<keyof APIKey, true> = {} as Record<keyof SdkRecord, true>;
export const sameNames: Record<keyof SdkRecord, true> = {} as Record<keyof APIKey, true>;

const [, , baseURL = ''] = process.argv;
const client = new Anthropic({ apiKey: process.env.ADMIN_KEY, baseURL });
const all = [];
for await (const key of client.organization.apiKeys.list({ limit: 7 })) all.push(read(key));
process.stdout.write(JSON.stringify(all));
`;

/** Prints what it sends, and what of each key it finds. A model of its SDK has no property that isn't in the answer. */
const PYTHON = `
import json, os, sys
from anthropic import Anthropic, BadRequestError
client = Anthropic(api_key=os.environ['ADMIN_KEY'], base_url=sys.argv[1])
keys = client.organization.api_keys
sent = keys.with_raw_response.list(limit=1).http_request.headers['anthropic-version']
def read(key):
    missing = [name for name in type(key).model_fields if name not in key.model_fields_set]
    return {'id': key.id, 'status': key.status, 'workspace': key.scope.workspace_id.upper(),
            'principal': key.principal, 'expires': key.expires_at is not None, 'missing': missing}
print(json.dumps({'sent': sent, 'read': [read(key) for key in keys.list(limit=7)]}))
`;

/** What the program reads of a key. */
function readOf(key: ApiKey | undefined) {
  assert(key);
  const expires = key.declared?.[0]?.value ?? null;
  const isExpired = key.status === 'active' && expires !== null && Date.parse(String(expires)) <= Date.now();
  return {
    id: key.id,
    type: 'api_key',
    name: key.name,
    hint: key.partialKeyHint.toUpperCase(),
    status: isExpired ? 'expired' : key.status,
    created: formatTimestamp(key.createdAt),
    expires: expires ?? 'never',
    creator: [key.createdBy.type, key.createdBy.id],
    principal: null,
    workspace: (key.workspaceId ?? 'wrkspc_default').toUpperCase(),
  };
}

const keys: readonly ApiKey[] = Array.from({ length: 45 }, (_, number) =>
  numberedKey(number, number % 9 === 0 ? { status: 'archived' } : {}),
);

describe(`${PACKAGE} ${VERSION}`, () => {
  const scope = suiteScope();
  let sdk: Sdk;
  /** Why the package isn't there. */
  let missing: string | undefined;
  let seeded: SeededService;
  let url: string;
  let folder: string;
  const sent: Request[] = [];
  before(async () => {
    folder = temporaryFolder(scope);
    missing = await install(folder, [`${PACKAGE}@${VERSION}`]);
    if (!missing) sdk = await import(pathToFileURL(join(folder, 'node_modules', PACKAGE, 'index.mjs')).href);
    seeded = await startSeededService(scope, keys);
    url = await serve(seeded.database, ...LETS_IT_IN);
  });

  async function serve(database: string, ...options: string[]): Promise<string> {
    const args = ['serve', '--database', database, '--port', '0', '--vendor', 'anthropic', ...options];
    const [, url = ''] = await startKeyroster(scope, args).line(/"msg":"listening on (http:[^"]+)"/);
    return url;
  }

  /** Keys of any kind, with the declared fields that this version has a meaning or another use for. */
  async function serveRandomRoster(scope: Scope) {
    const fields = ['expires_at', 'last_used_at', 'scope'].map(
      (name, index): DeclaredField => ({ number: index + 1, name, type: { kind: 'timestamp' } }),
    );
    const unique = { selector: ({ id }: ApiKey) => id, minLength: 60, maxLength: 60 };
    const [roster = []] = fc.sample(fc.uniqueArray(withDeclaredValues(apiKey(), fields), unique), 1);
    const { database, secret } = await startSeededService(scope, roster, fields);
    const byId = new Map(roster.map(key => [key.id as string, key]));
    return { roster, byId, baseURL: await serve(database, ...LETS_IT_IN), secret };
  }

  /** Its client, which has the admin key as its `apiKey`. */
  function clientOf(options: object = {}): Sdk {
    const record = (input: string, init: RequestInit) => {
      sent.push(new Request(input, init));
      return fetch(input, init);
    };
    return new sdk.Anthropic({
      apiKey: seeded.secret,
      baseURL: url,
      maxRetries: 0,
      fetch: record,
      ...options,
    });
  }

  /** A test that is skipped when the package isn't there. */
  const testClient = (name: string, body: (apiKeys: Sdk) => Promise<void>) =>
    test(name, async t => {
      if (missing) return t.skip(missing);
      sent.length = 0;
      await body(clientOf().organization.apiKeys);
    });

  testClient(
    'sends the admin key after Bearer and its own version, and nothing else that the service reads',
    async apiKeys => {
      await apiKeys.list({ limit: 3, status: 'active' });
      const [request] = sent;
      assert.equal(request?.headers.get('authorization'), `Bearer ${seeded.secret}`);
      assert.equal(request?.headers.get('anthropic-version'), API_VERSION);
      assert.equal(request?.headers.get('x-api-key'), null);
      assert.equal(request?.url, `${url}/v1/organizations/api_keys?limit=3&status=active`);
    },
  );

  testClient('walks both ways, page by page', async apiKeys => {
    for (const limit of [1, 7, 45, 1000]) {
      sent.length = 0;
      assert.deepEqual(idsOf(await collect(apiKeys.list({ limit }))), seeded.ids);
      assert.equal(sent.length, Math.ceil(45 / limit));
      const pages = await collect<Sdk>((await apiKeys.list({ limit, before_id: 'k44' })).iterPages());
      const back = pages.toReversed().flatMap(({ data }) => idsOf(data));
      assert.deepEqual(back, seeded.ids.slice(0, -1));
    }
    const fromThere = await collect<{ id: string }>(apiKeys.list({ limit: 7, after_id: 'k9' }));
    assert.deepEqual(idsOf(fromThere), seeded.ids.slice(10));
  });

  testClient('is refused what it can filter by and the service can not, which says why', async apiKeys => {
    const message = async (filter: object) => (await rejection(apiKeys.list(filter))).error.error.message;
    assert.match(await message({ status: 'expired' }), /^status: .*expired is computed from expires_at/);
    assert.match(await message({ workspace_id: 'wrkspc_default' }), /^workspace_id: .*no filter names/);
  });

  test('finds every property of its types, in a program that TypeScript checks against the package', async t => {
    if (missing) return t.skip(missing);
    const { roster, byId, baseURL, secret } = await serveRandomRoster(t);
    writeFileSync(join(folder, 'read.mts'), PROGRAM);
    const { stdout } = await runNode([TSC, ...STRICT, 'read.mts'], { cwd: folder });
    assert.equal(stdout, '');
    const read = await runNode(['read.mts', baseURL], { cwd: folder, env: { ADMIN_KEY: secret } });
    assert.equal(read.stderr, '');
    const records: { id: string }[] = JSON.parse(read.stdout);
    for (const record of records) assert.deepEqual(record, readOf(byId.get(record.id)));
    assert.deepEqual(idsOf(records).toSorted(), idsOf(roster).toSorted());
  });

  test('is answered as that for Python is, which sends the same version and finds all of its properties too', async t => {
    const packages = join(folder, 'python');
    const pip = ['-m', 'pip', 'install', '--quiet', '--target', packages, 'anthropic==2.12.0'];
    const run = promisify(execFile);
    const unavailable = await run('python3', pip).then(
      () => undefined,
      (error: Error) => `nothing was tested: ${error.message}`,
    );
    if (unavailable) return t.skip(unavailable);
    const { roster, byId, baseURL, secret } = await serveRandomRoster(t);
    const env = { ...process.env, PYTHONPATH: packages, ADMIN_KEY: secret };
    const { sent, read } = JSON.parse((await run('python3', ['-c', PYTHON, baseURL], { env })).stdout);
    assert.equal(sent, API_VERSION);
    assert.equal(read.length, roster.length);
    for (const key of read) {
      const { id, status, workspace, principal, expires } = readOf(byId.get(key.id));
      const expected = { id, status, workspace, principal, expires: expires !== 'never', missing: [] };
      assert.deepEqual(key, expected);
    }
  });

  test(`walks in its older version ${OLDER} too`, async t => {
    const folder = temporaryFolder(t);
    const unavailable = await install(folder, [`${PACKAGE}@${OLDER}`]);
    if (unavailable) return t.skip(unavailable);
    const older = await import(pathToFileURL(join(folder, 'node_modules', PACKAGE, 'index.mjs')).href);
    const { organization } = new older.Anthropic({ apiKey: seeded.secret, baseURL: url, maxRetries: 0 });
    assert.deepEqual(idsOf(await collect(organization.apiKeys.list({ limit: 7 }))), seeded.ids);
  });

  testClient('is let in however it is given the admin key', async () => {
    const { secret } = seeded;
    for (const credential of [
      { apiKey: null, authToken: secret },
      { apiKey: async () => secret },
      { defaultHeaders: { 'x-api-key': secret } },
      { apiKey: null, defaultHeaders: { 'x-api-key': secret } },
    ])
      assert.equal((await clientOf(credential).organization.apiKeys.list()).data.length, 20);
  });

  testClient(
    'shows a refusal with its request ID, and that of its admin key without the key',
    async apiKeys => {
      const error = await rejection(apiKeys.list({ after_id: 'k1', before_id: 'k2' }));
      assert(error instanceof sdk.BadRequestError, inspect(error));
      assert.equal(error.error.error.message, 'after_id, before_id: give one of them, not both');
      assert.equal(error.requestID, error.error.request_id);
      const other = `${seeded.secret.slice(0, -1)}${seeded.secret.endsWith('0') ? '1' : '0'}`;
      const refused = await rejection(clientOf({ apiKey: other }).organization.apiKeys.list());
      assert(refused instanceof sdk.AuthenticationError, inspect(refused));
      for (const key of [seeded.secret, other]) assert(!inspect(refused, { depth: 9 }).includes(key));
    },
  );
});

async function rejection(promise: Promise<unknown>): Promise<Sdk> {
  return promise.then(
    () => assert.fail('it was not refused'),
    error => error,
  );
}
