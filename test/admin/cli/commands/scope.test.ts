import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { WorkspaceId } from '../../../../src/shared/record/identifier.ts';
import { createOrganization, importKeys, sqlite } from '../../../support/roster.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { atEndOf, suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { numberedKeys } from '../../../support/seeded-service.ts';
import { serveStore } from '../../../support/service.ts';

describe('with an admin key of one workspace', () => {
  const scope = suiteScope();
  let env: Record<string, string>;
  let secret: string;
  const part = 'workspace_id=wrkspc_1';
  const LINE = `only ${part} was read: the admin key sees no more\n`;

  before(async () => {
    const store = await sqlite.create();
    atEndOf(scope, () => store.remove());
    const writer = await store.openWriter();
    const only = { scope: { workspaceId: 'wrkspc_1' as WorkspaceId } };
    const organization = await createOrganization(writer, only);
    secret = organization.secret;
    await importKeys(writer, organization.id, numberedKeys(40));
    await writer.close();
    const service = await serveStore(scope, store);
    env = { KEYROSTER_BASE_URL: service.url, KEYROSTER_ADMIN_KEY: secret };
  });

  test('login says what part it sees', async () => {
    const config = { KEYROSTER_ADMIN_KEY: '', XDG_CONFIG_HOME: temporaryFolder(scope) };
    const { stdout } = await runCommand(['login'], { env: { ...env, ...config }, input: secret });
    assert.match(stdout, /^logged in to \S+ for org_\w+\nsees only workspace_id=wrkspc_1\n/);
  });

  test('a report says in every format what part it looked at', async () => {
    const [text, json, html, csv] = await Promise.all(
      ['table', 'json', 'html', 'csv'].map(format =>
        runCommand(['report', '--max-age', '99999d', '--format', format], { env }),
      ),
    );
    assert.match(text?.stdout ?? '', /^API keys of org_\w+, only workspace_id=wrkspc_1, /);
    assert.equal(JSON.parse(json?.stdout ?? '').scope, part);
    assert.match(html?.stdout ?? '', /<h1>API keys of org_\w+, only workspace_id=wrkspc_1<\/h1>/);
    for (const each of [text, json, html, csv]) assert.equal(each?.stderr, LINE);
  });

  test('a difference and a search say so too', async () => {
    const old = join(temporaryFolder(scope), 'old.jsonl');
    const { stdout: records } = await runCommand(['list', '--all', '--format', 'jsonl'], { env });
    writeFileSync(old, records);
    const same = await runCommand(['diff', old], { env });
    assert.deepEqual([same.exitCode, same.stderr], [0, `${LINE}no difference; keys: 8 before, 8 now\n`]);
    const found = await runCommand(['find', 'sk-ven-api03-XYZ...igZZ'], { env });
    assert.equal(found.exitCode, 4);
    assert.equal(found.stderr, `${LINE}no key was found: 8 were read\n`);
  });
});
