import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { startAnsweringService, startStubService } from '../../support/answering-service.ts';
import {
  type Filter,
  type Form,
  formOfService,
  hintOf,
  inOrder,
  type Key,
  keysOfRoster,
  passes,
  recordOf,
  startFormedService,
  tells,
  timeOf,
} from '../../support/formed-service.ts';
import { rounds } from '../../support/rounds.ts';
import { runCommand } from '../../support/run-many-commands.ts';
import { suiteScope } from '../../support/scope.ts';
import { missingOf } from '../../support/sdk-record.ts';

const UNSURE = 5;
const BOUND = timeOf(15 * 86_400);
const filters: readonly [flag: string, parameter: Filter, value: string][] = [
  ['--status', 'status', 'active'],
  ['--status', 'status', 'archived'],
  ['--workspace', 'workspace_id', 'w|1'],
  ['--creator', 'created_by_user_id', 'auth0|1'],
  ['--older-than', 'created_before', BOUND],
  ['--newer-than', 'created_from', BOUND],
];

/** Whether the record shows that the key passes; `undefined`: it doesn't tell. */
function verdict(form: Form, key: Key, parameter: Filter, value: string): boolean | undefined {
  const field = { status: 'status', workspace_id: 'workspace', created_by_user_id: 'creator' } as const;
  const isTold =
    parameter === 'created_from' || parameter === 'created_before'
      ? tells.time(form)
      : tells[field[parameter]](form, key);
  if (!isTold || (parameter === 'status' && key.status === 'suspended')) return undefined;
  return passes(key, parameter, value);
}

/** What `list` has to print of it, in the order of the service. */
function expectedOf(form: Form, keys: readonly Key[], parameter: Filter, value: string) {
  const served = inOrder(form, keys).filter(
    key => form.filters[parameter] !== 'honoured' || passes(key, parameter, value),
  );
  const listed = served.filter(key => verdict(form, key, parameter, value) !== false);
  const isUnsure = listed.some(key => verdict(form, key, parameter, value) === undefined);
  return { listed, exitCode: isUnsure ? UNSURE : 0 };
}

describe('with a service of any form that the spec allows', () => {
  const scope = suiteScope();
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-'));
  after(() => rmSync(folder, { recursive: true }));
  let current: { form: Form; keys: readonly Key[] };
  let env: Record<string, string>;
  before(async () => {
    const url = await startFormedService(scope, () => current);
    env = { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'an-admin-key-of-its-own-form' };
  });
  const run = (args: readonly string[], input = '') => runCommand(args, { env, input });
  const recordsIn = (stdout: string) =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line));

  async function check(
    about: (form: Form, keys: readonly Key[]) => Promise<void>,
    runs: number,
  ): Promise<void> {
    const property = fc.asyncProperty(formOfService, keysOfRoster, async (form, keys) => {
      current = { form: form as Form, keys };
      await about(form as Form, keys);
    });
    await fc.assert(property, { numRuns: rounds(runs) });
  }

  test('list has the keys that pass each filter, as the service sent them, and says where that can not be told', () =>
    check(async (form, keys) => {
      const all = await run(['list', '--all', '--format', 'jsonl']);
      assert.deepEqual(
        recordsIn(all.stdout),
        inOrder(form, keys).map(key => recordOf(form, key)),
      );
      assert.equal(all.exitCode, 0);
      for (const [flag, parameter, value] of filters) {
        const expected = expectedOf(form, keys, parameter, value);
        const { stdout, stderr, exitCode } = await run(['list', flag, value, '--all', '--format', 'jsonl']);
        assert.deepEqual(
          recordsIn(stdout),
          expected.listed.map(key => recordOf(form, key)),
        );
        assert.equal(exitCode, expected.exitCode, stderr);
        const isRefused = form.filters[parameter] === 'refused';
        if (isRefused)
          assert.match(stderr, new RegExp(`^the service doesn't filter by ${parameter}: [^\n]+$`, 'm'));
        if (exitCode === UNSURE) assert.match(stderr, /^of some keys .* can't be told/m);
      }
    }, 12));

  test('a page of list is full, and list goes on behind it', () =>
    check(async (form, keys) => {
      for (const [flag, parameter, value] of filters.slice(0, 3)) {
        const { listed } = expectedOf(form, keys, parameter, value);
        const args = ['list', flag, value, '--format', 'jsonl', '--limit', '2'];
        const first = recordsIn((await run(args)).stdout).map(({ id }) => id);
        const ids = listed.map(({ id }) => id);
        if (form.maxLimit > 1) assert.deepEqual(first, ids.slice(0, 2));
        else assert.deepEqual(first, ids.slice(0, first.length));
        const last = inOrder(form, keys).at(-1)?.id ?? '';
        const isLast = last === ids.at(-1);
        const back = ['list', flag, value, '--all', '--before', last, '--format', 'jsonl'];
        if (last !== '')
          assert.deepEqual(
            recordsIn((await run(back)).stdout).map(({ id }) => id),
            (isLast ? ids.slice(0, -1) : ids).toReversed(),
          );
        if (first.length === 0) continue;
        const rest = await run([
          'list',
          flag,
          value,
          '--all',
          '--after',
          String(first.at(-1)),
          '--format',
          'jsonl',
        ]);
        assert.deepEqual(
          recordsIn(rest.stdout).map(({ id }) => id),
          ids.slice(first.length),
        );
      }
    }, 8));

  test('report counts what is told, judges no key by what is not, and is never clean then', () =>
    check(async (form, keys) => {
      const args = ['report', '--format', 'json', '--max-age', '300d', '--no-default-workspace'];
      const { stdout, stderr, exitCode } = await run(args);
      const report = JSON.parse(stdout);
      const [status, time] = [(key: Key) => tells.status(form, key), tells.time(form)];
      assert.equal(report.keys, keys.length);
      assert.equal(report.active, keys.filter(key => status(key) && key.status === 'active').length);
      const isDefault = (key: Key) => {
        if (form.workspace === 'scope') return key.workspace === null ? false : undefined;
        return tells.workspace(form, key) ? key.workspace === null : undefined;
      };
      const selected = (key: Key) => (status(key) ? verdict(form, key, 'status', 'active') : undefined);
      const count = (passes: (key: Key) => boolean) => keys.filter(passes).length;
      const untold = {
        status: count(key => !status(key)),
        created_at: time ? 0 : keys.length,
        'created_by.id': count(key => !tells.creator(form, key)),
        workspace_id: count(key => isDefault(key) === undefined),
      };
      const isTold = Object.values(untold).every(number => number === 0);
      assert.deepEqual(
        report.untold,
        isTold ? undefined : Object.fromEntries(Object.entries(untold).filter(([, number]) => number > 0)),
      );
      const old = (key: Key) => time && Date.now() - Date.parse(timeOf(key.second)) > 300 * 86_400_000;
      const broken = {
        'max-age': count(key => selected(key) === true && old(key)),
        'no-default-workspace': count(key => selected(key) === true && isDefault(key) === true),
      };
      const unjudged = {
        'max-age': count(key => selected(key) === undefined || (selected(key) === true && !time)),
        'no-default-workspace': count(
          key => selected(key) === undefined || (selected(key) === true && isDefault(key) === undefined),
        ),
      };
      for (const { policy, breaches, unjudged: fields } of report.policies) {
        assert.equal(breaches, broken[policy as keyof typeof broken], policy);
        const sum = Object.values<number>(fields).reduce((a, b) => a + b, 0);
        assert.equal(sum, unjudged[policy as keyof typeof unjudged], policy);
      }
      const isBroken = Object.values(broken).some(number => number > 0);
      const isUnsure = Object.values(unjudged).some(number => number > 0);
      assert.equal(exitCode, isBroken ? 4 : isUnsure ? UNSURE : 0, stderr);
      const isClean = await run(['report']);
      assert.equal(isClean.exitCode, isTold ? 0 : UNSURE, isClean.stderr);
      const isAged = (key: Key) => time && status(key) && key.status === 'active';
      assert.equal(report.oldest_active_keys.length, Math.min(10, count(isAged)));
      for (const format of keys.length > 0 ? ['jsonl', 'csv'] : []) {
        const saved = (await run(['list', '--all', '--format', format])).stdout;
        const ofFile = await run([...args, '--file', '-'], saved);
        const figures = ({ untold, policies, by_workspace, by_status }: typeof report) => ({
          ...{ untold, policies, by_workspace, by_status },
        });
        assert.deepEqual(figures(JSON.parse(ofFile.stdout)), figures(report));
        assert.equal(ofFile.exitCode, exitCode);
      }
    }, 12));

  test('get finds a key by its ID, whatever the order is, and names those that are not there', () =>
    check(async (form, keys) => {
      const some = keys.filter((_, index) => index % 9 === 0);
      const ids = [...some.map(({ id }) => id), 'key/none'];
      const { stdout, stderr, exitCode } = await run(['get', ...ids, '--format', 'jsonl']);
      assert.deepEqual(
        recordsIn(stdout),
        some.map(key => recordOf(form, key)),
        stderr,
      );
      assert.deepEqual([stderr, exitCode], ['no API key has the ID key/none\n', 4]);
    }, 10));

  test('find tells which key a hint is of, and never that there is none where a key may be it', () =>
    check(async (form, keys) => {
      const [key] = keys;
      const args = ['find', '--format', 'jsonl'];
      if (key && tells.hint(form, key)) {
        const whole = hintOf(form, key).replace(/\.\.\.|…|\*+/, 'Q7xW9kP2mT5vB8nL');
        const found = await run(args, whole);
        assert.deepEqual(
          recordsIn(found.stdout).map(({ id }) => id),
          [key.id],
          found.stderr,
        );
        assert.equal(found.exitCode, 0);
        assert.equal(/ACTIVE/.test(found.stderr), !tells.status(form, key) || key.status === 'active');
      }
      const none = await run(args, 'sk-any-0QxQ7xW9kP2mT5vB8nL0000');
      assert.equal(none.exitCode, keys.every(each => tells.hint(form, each)) ? 4 : UNSURE, none.stderr);
    }, 10));

  test('diff sees what changed, from each format, and never calls a roster the same where it can not see', () =>
    check(async (form, keys) => {
      const [first, ...others] = keys;
      if (!first) return;
      const file = join(folder, 'roster');
      const isSeen = keys.every(key => tells.status(form, key) && tells.workspace(form, key));
      for (const format of ['jsonl', 'json', 'csv']) {
        writeFileSync(file, (await run(['list', '--all', '--format', format])).stdout);
        const same = await run(['diff', file]);
        assert.deepEqual([same.exitCode, same.stdout], [isSeen ? 0 : UNSURE, ''], same.stderr);
        assert.equal(/^no difference;/.test(same.stderr), isSeen);
      }
      current = { form, keys: [{ ...first, status: 'gone-dark' }, ...others] };
      const changed = await run(['diff', file]);
      assert.equal(changed.exitCode, tells.status(form, first) ? 4 : UNSURE, changed.stderr);
    }, 8));
});

test('every record that the types of the official SDKs allow is shown, of both versions', async t => {
  const text = fc.string({ minLength: 1, maxLength: 20 });
  const orNone = (values: fc.Arbitrary<unknown>) => fc.option(values);
  const both = {
    created_at: fc.oneof(text, fc.constant(BOUND)),
    name: text,
    partial_key_hint: orNone(text),
    status: fc.constantFrom('active', 'archived', 'expired', 'inactive'),
    type: fc.constant('api_key'),
    expires_at: orNone(fc.oneof(text, fc.constant(BOUND))),
  };
  const creator = fc.record({ id: text, type: fc.constantFrom('service_account', 'user') });
  const first = fc.record({ ...both, created_by: creator, workspace_id: orNone(text) });
  const second = fc.record({
    ...both,
    created_by: orNone(creator),
    principal: orNone(fc.record({ type: fc.constant('user_actor'), user_id: text })),
    scope: fc.oneof(
      fc.record({ type: fc.constant('organization') }),
      fc.record({ type: fc.constant('workspace'), workspace_id: text }),
    ),
  });
  const lists = fc.oneof(fc.array(first, { minLength: 1 }), fc.array(second, { minLength: 1 }));
  let records: object[] = [];
  const url = await startAnsweringService(t, (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: records, has_more: false }));
  });
  const env = { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'an-admin-key-of-its-own-form' };
  const property = fc.asyncProperty(lists, async list => {
    records = list.map((record, index) => JSON.parse(JSON.stringify({ id: `k${index}`, ...record })));
    for (const record of records) if ('scope' in record) assert.deepEqual(missingOf(record), []);
    for (const format of ['jsonl', 'table', 'csv', 'json']) {
      const { stdout, stderr, exitCode } = await runCommand(['list', '--all', '--format', format], { env });
      assert.equal(exitCode, 0, stderr);
      if (format === 'jsonl') assert.equal(stdout, records.map(each => `${JSON.stringify(each)}\n`).join(''));
    }
    const { stdout, stderr } = await runCommand(['report', '--format', 'json'], { env });
    assert.equal(JSON.parse(stdout).keys, records.length, stderr);
  });
  await fc.assert(property, { numRuns: rounds(15) });
});

test('what only some keys have is listed where it can not be told, and said where CSV and the usual policies leave it out', async t => {
  const day = '2020-01-01T00:00:00Z';
  const others = Array.from({ length: 1_000 }, (_, index) => ({
    id: `other-${index}`,
    name: '',
    status: 'inactive',
  }));
  const keys = [
    { id: 'lacks', name: '', status: 'active', workspace_id: '' },
    ...others,
    { id: 'over', name: '', status: 'active', expires_at: day },
    { id: 'valid', name: '', status: 'active', expires_at: null },
  ];
  const url = await startStubService(t, keys);
  const env = { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'an-admin-key-of-its-own-form' };
  const expired = await runCommand(['list', '--expired', '--all', '--format', 'jsonl'], { env });
  assert.deepEqual(
    expired.stdout
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line).id),
    ['lacks', 'over'],
  );
  assert.equal(expired.exitCode, UNSURE, expired.stderr);
  const csv = await runCommand(['list', '--all', '--format', 'csv'], { env });
  assert.match(csv.stderr, /^the CSV lacks expires_at, which keys of a later page have/m);
  assert.match(csv.stdout, /^lacks,.*,\?(,|$)/m);
  const report = await runCommand(['report', '--policies', 'default'], { env });
  assert.match(report.stderr, /no policy looks at expires_at, which only keys of a later page have/);
  assert.doesNotMatch(report.stderr, /last_used_at/);
  const untold = await runCommand(['report', '--file', '-'], { input: '[{"id":"k","name":"n"}]' });
  assert.match(untold.stdout, /^1 key, \? of them active$/m);
});
