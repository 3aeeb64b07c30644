/** IDs of all characters that they may have go in and come out the same (docs/api.md#ids). */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ApiKey, renderApiKey } from '../src/service/roster/api-key.ts';
import type { OrganizationId } from '../src/shared/record/identifier.ts';
import { apiKey, ownerId } from './support/arbitraries.ts';
import { fromJsonLines } from './support/import-file.ts';
import { newStore } from './support/opened.ts';
import { createAdminKey } from './support/roster.ts';
import { runCommand } from './support/run-many-commands.ts';
import { temporaryFolder } from './support/scope.ts';
import { serveStore } from './support/service.ts';
import { storeKinds } from './support/stores.ts';

const ORGANIZATIONS = 12;
const KEYS_EACH = 100;
/** Keys of which each ID is asked for by itself. */
const ASKED_EACH = 15;

/** 12 organizations, and three IDs for each of 1,200 keys. */
const [organizations, keys] = fc.sample(
  fc.tuple(
    fc.uniqueArray(ownerId<OrganizationId>(), { minLength: ORGANIZATIONS, maxLength: ORGANIZATIONS }),
    fc.uniqueArray(apiKey(), {
      selector: ({ id }) => id,
      minLength: ORGANIZATIONS * KEYS_EACH,
      maxLength: ORGANIZATIONS * KEYS_EACH,
    }),
  ),
  { numRuns: 1, seed: 20261128 },
)[0] as [OrganizationId[], ApiKey[]];
const ofOrganization = organizations.map((id, index) => ({
  id,
  keys: keys.slice(index * KEYS_EACH, (index + 1) * KEYS_EACH),
}));

for (const kind of storeKinds)
  test(`3,600 IDs are imported, listed, filtered by, used as cursors, exported as both formats and audited, over ${kind.name}`, async t => {
    const folder = temporaryFolder(t);
    const store = await newStore(t, kind);
    const env = { KEYROSTER_DATABASE_URL: store.url };
    const run = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await runCommand(args, { env });
      assert.equal(exitCode, 0, stderr);
      return stdout;
    };
    const file = join(folder, 'keys.jsonl');
    const lines = ofOrganization.flatMap(({ id, keys }) =>
      keys.map(key => JSON.stringify({ organization: id, ...JSON.parse(renderApiKey(key)) })),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
    await run('import', file, '--organization-field', 'organization', '--create-organizations');

    const service = await serveStore(t, store);
    const writer = await store.openWriter();
    for (const { id, keys } of ofOrganization) {
      const secret = await createAdminKey(writer, id);
      const list = async (query: Record<string, string>) => {
        const { status, body, headers } = await service.list(secret, String(new URLSearchParams(query)));
        assert.equal(status, 200, JSON.stringify(body));
        assert.equal(headers.get('vendor-organization-id'), id);
        return body;
      };
      const { data } = await list({ limit: '1000' });
      assert.deepEqual(sorted(data), sorted(keys.map(key => JSON.parse(renderApiKey(key)))));
      for (const [index, { id, created_by, workspace_id }] of data.slice(0, ASKED_EACH).entries()) {
        const { data: after } = await list({ after_id: id, limit: '1' });
        assert.equal(after[0].id, data[index + 1].id);
        const { data: ofCreator } = await list({ created_by_user_id: created_by.id });
        const { data: ofBoth } = await list({
          created_by_user_id: created_by.id,
          ...(workspace_id !== null && { workspace_id }),
        });
        assert.ok(ofBoth.some((each: { id: string }) => each.id === id));
        assert.ok(ofCreator.every((each: (typeof data)[0]) => each.created_by.id === created_by.id));
      }
      const exported = await run('export', `--organization=${id}`);
      assert.deepEqual(sorted(fromJsonLines(exported)), sorted(data));
      const csv = join(folder, 'keys.csv');
      writeFileSync(csv, await run('export', `--organization=${id}`, '--format', 'csv'));
      const again = await run('import', csv, `--organization=${id}`);
      assert.match(again, new RegExp(`unchanged ${KEYS_EACH}, refused 0`));
      const audited = fromJsonLines(await run('audit', `--organization=${id}`, '--format', 'jsonl'));
      assert.ok(audited.length > 1 && audited.every(({ organization_id }) => organization_id === id));
    }
    await writer.close();
  });

const sorted = (records: readonly { readonly id: string }[]) =>
  records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
