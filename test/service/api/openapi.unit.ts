import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { xApiKey, xApiKeyOrBearer } from '../../../src/service/api/admin-keys.ts';
import { openApiDocument } from '../../../src/service/api/openapi.ts';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { type ApiVersion, parseApiVersions } from '../../../src/service/roster/api-version.ts';
import type { DeclaredField } from '../../../src/service/roster/declared-fields.ts';
import { parseVendor, type Vendor } from '../../../src/shared/record/vendor.ts';
import { startStubRosterService } from '../../support/http.ts';
import { schemaChecker } from '../../support/openapi.ts';
import { VENDOR } from '../../support/roster.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look into it
const document: any = JSON.parse(JSON.stringify(openApiDocument(VENDOR)));
const operation = document.paths[LIST_API_KEYS_PATH].get;

describe('the OpenAPI document', () => {
  test('is committed exactly as the code generates it (npm run openapi)', () => {
    const committed = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    assert.equal(committed, `${JSON.stringify(document, null, 2)}\n`);
  });

  test('has no parameter and no header of an answer that docs/api.md lacks', () => {
    const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
    const answers = Object.values(operation.responses) as { headers?: object }[];
    const names = [
      ...operation.parameters.map(({ name }: { name: string }) => name),
      ...answers.flatMap(({ headers = {} }) => Object.keys(headers)),
    ];
    for (const name of new Set(names)) assert.match(page, new RegExp(`^\\| \`${name}\` +\\| `, 'm'));
  });

  test('is served to anyone, by GET and HEAD, with the vendor in its names', async context => {
    for (const vendor of [VENDOR, parseVendor('acme') as Vendor]) {
      const { send } = await startStubRosterService(context, { vendor });
      const sent = {
        path: '/openapi.json',
        headers: { 'x-api-key': undefined, [`${vendor}-version`]: undefined },
      };
      const answer = await send(sent);
      assert.equal(answer.status, 200);
      assert.equal(answer.text, JSON.stringify(openApiDocument(vendor)));
      assert(
        answer.text.includes(`"${vendor}-version"`) && answer.text.includes(`"${vendor}-organization-id"`),
      );
      const head = await send({ ...sent, method: 'HEAD' });
      assert.equal(head.headers['content-length'], answer.headers['content-length']);
      assert.equal((await send({ ...sent, method: 'POST' })).status, 405);
    }
  });

  test('says what the operator accepts beyond the defaults, and is otherwise the same', () => {
    const versions = parseApiVersions(['2027-01-01']) as ApiVersion[];
    const more = JSON.parse(
      JSON.stringify(openApiDocument(VENDOR, { authentication: xApiKeyOrBearer, versions })),
    );
    assert.deepEqual(more.security, [{ adminKey: [] }, { bearer: [] }]);
    const { get } = more.paths[LIST_API_KEYS_PATH];
    assert.deepEqual(get.parameters[0].schema.enum, ['2023-06-01', '2027-01-01']);
    assert.deepEqual(get.responses[401].headers['www-authenticate'].required, true);

    more.security.pop();
    get.parameters[0].schema.enum.pop();
    delete get.responses[401].headers['www-authenticate'];
    const { bearer } = more.components.securitySchemes;
    assert.deepEqual(bearer, { type: 'http', scheme: 'bearer' });
    delete more.components.securitySchemes.bearer;
    assert.deepEqual(more, document);
  });

  test('describes the record of version 2026-10-21 beside the other where that is accepted', () => {
    const scope: DeclaredField = { number: 1, name: 'scope', type: { kind: 'boolean' } };
    const tier: DeclaredField = { ...scope, number: 2, name: 'tier' };
    const given = { authentication: xApiKey, versions: ['2026-10-21' as ApiVersion] };
    const both = JSON.parse(JSON.stringify(openApiDocument(VENDOR, given, [scope, tier])));
    const check = schemaChecker(both);
    const { workspace_id, ...shared } = record;
    const scoped = {
      ...shared,
      expires_at: null,
      principal: null,
      scope: { type: 'workspace', workspace_id: 'w' },
      status: 'expired',
      tier: true,
    };
    const first = { ...record, scope: null, tier: true };
    const list = (...data: object[]) => ({ data, first_id: 'k', last_id: 'k', has_more: false });
    for (const right of [list(), list(first), list(scoped)]) check('/components/schemas/ApiKeyList', right);
    for (const wrong of [
      { ...scoped, workspace_id: 'w' },
      { ...scoped, scope: true },
      { ...scoped, expires_at: 'soon' },
      { ...first, status: 'expired' },
      shared,
    ])
      assert.throws(() => check('/components/schemas/ApiKeyList', list(wrong)), JSON.stringify(wrong));
  });

  test('gives every parameter a description of its own, of which generators make a comment', () => {
    for (const { schema, description } of operation.parameters) assert(description && !schema.description);
  });

  test('says that integers have 64 bits, without which generators for Java make them of 32', () => {
    const field = { name: 'uses', type: { kind: 'integer' } } as DeclaredField;
    const { properties } = openApiDocument(VENDOR, undefined, [field]).components.schemas.ApiKey;
    const [integer] = (properties as Record<string, { anyOf?: { format?: string }[] }>).uses?.anyOf ?? [];
    assert.equal(integer?.format, 'int64');
  });

  test('knows the two times of a key by name, and requires those that are declared', () => {
    const apiKey = (names: string[]) =>
      openApiDocument(
        VENDOR,
        undefined,
        names.map((name, number) => ({ number, name, type: { kind: 'timestamp' } })),
      ).components.schemas.ApiKey;
    const times = ['expires_at', 'last_used_at'];
    for (const declared of [[], ['last_used_at'], times]) {
      const { properties, required } = apiKey(declared);
      for (const name of times) {
        assert(name in properties);
        assert.equal(required.includes(name), declared.includes(name), name);
      }
    }
  });

  test('has no broken reference, and all its schemas compile', () => {
    const check = schemaChecker(document);
    const pointers = JSON.stringify(document).matchAll(/"\$ref":"#([^"]*)"/g);
    for (const [, pointer = ''] of pointers)
      assert.doesNotThrow(() => check(pointer, minimal[pointer]), pointer);
  });
});

const error = {
  type: 'error',
  error: { type: 'api_error', message: 'x' },
  request_id: `req_${'0'.repeat(32)}`,
};
const record = {
  id: 'k',
  type: 'api_key',
  name: '',
  created_at: '2024-10-30T23:58:27.427722Z',
  created_by: { id: 'u', type: 'user' },
  partial_key_hint: 'sk-ven-api03-R2D...igAA',
  status: 'active',
  workspace_id: null,
};
const minimal: Record<string, unknown> = {
  '/components/schemas/ApiKey': record,
  '/components/schemas/ApiKeyList': { data: [record], first_id: 'k', last_id: 'k', has_more: false },
  '/components/schemas/ErrorAnswer': error,
};

describe('the schemas', () => {
  const check = schemaChecker(document);
  const refused: [schema: string, value: object][] = [
    ['ApiKey', { ...record, key: 'sk-ven-api03-whole' }],
    ['ApiKey', { ...record, workspace_id: undefined }],
    ['ApiKey', { ...record, created_by: { id: 'u', type: 'robot' } }],
    ['ApiKey', { ...record, created_at: '2024-10-30T23:58:27.427Z' }],
    ['ApiKey', { ...record, created_at: '2024-13-30T23:58:27.427722Z' }],
    ['ApiKey', { ...record, partial_key_hint: 'sk-ven-api03-whole' }],
    ['ApiKeyList', { data: [{}], first_id: null, last_id: null, has_more: false }],
    ['ApiKeyList', { data: [], first_id: null, last_id: null, has_more: 'no' }],
    ['ErrorAnswer', { ...error, stack: '' }],
    ['ErrorAnswer', { ...error, request_id: 'mine' }],
  ];
  test('allow no other field, none that is missing, and no value that breaks a rule', () => {
    for (const [schema, value] of refused)
      assert.throws(() => check(`/components/schemas/${schema}`, JSON.parse(JSON.stringify(value))));
  });
});
