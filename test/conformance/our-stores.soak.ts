import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conformanceChecks } from '../../src/conformance/conformance.ts';
import type { ApiKeyRecord, RosterReader } from '../../src/library.ts';
import { newId, type OrganizationId } from '../../src/roster/identifier.ts';
import { parseApiKey } from '../../src/roster/parse-api-key.ts';
import { describeEachStore, type OpenStore } from '../support/each-store.ts';
import { importKeys, now } from '../support/roster.ts';

describeEachStore('a store of ours conforms', conforms);

/** One store is used for all checks: each content gets organizations of its own, and is written once, as that takes longest. */
function conforms(open: OpenStore): void {
  const put = async (organization: OrganizationId, records: readonly ApiKeyRecord[]) => {
    const keys = records.map(record => {
      const parsed = parseApiKey(record);
      assert('key' in parsed);
      return parsed.key;
    });
    assert.equal((await importKeys(open.writer, organization, keys)).refused, 0);
  };
  const written = new Map<string, Promise<Map<string, OrganizationId>>>();
  const write = async (content: ReadonlyMap<string, readonly ApiKeyRecord[]>) => {
    const organizations = new Map<string, OrganizationId>();
    for (const [name, records] of content) {
      const id = newId<OrganizationId>('org');
      organizations.set(name, id);
      await open.writer.createOrganization({ id, name, createdAt: now() });
      if (records.length > 0) await put(id, records);
    }
    return organizations;
  };
  const checks = conformanceChecks({
    async open(content) {
      const same = JSON.stringify([...content]);
      if (!written.has(same)) written.set(same, write(content));
      const organizations = await written.get(same);
      const idOf = (name: string) => (organizations?.get(name) ?? name) as OrganizationId;
      const roster: RosterReader = {
        listApiKeys: (name, query) => open.reader.listApiKeys(idOf(name), query),
      };
      return { roster, idOf };
    },
    change: ({ idOf }, name, record) => put(idOf(name), [record]),
  });
  for (const { name, run } of checks) test(name, run);
}
