/** The Worker of docs/library.md in the runtime of Cloudflare Workers, which comes from the registry, over a store that isn't ours. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { KeyrosterClient } from '../../src/client/client.ts';
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import { endOf, outputOf } from '../support/child.ts';
import { runNode } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { install, packPackages } from '../support/installed-package.ts';
import { suiteScope, temporaryFolder } from '../support/scope.ts';
import { triedVersions } from '../support/tried-versions.ts';
import { until } from '../support/until.ts';

/** Nothing is replaced, and nothing left out but what the runtime has. */
const BUNDLE = `
  import { build } from 'esbuild';
  const { metafile } = await build({
    entryPoints: ['worker.mjs'], bundle: true, format: 'esm', outfile: 'bundle.mjs', metafile: true,
    conditions: ['workerd', 'worker', 'browser'], external: ['node:*'],
  });
  console.log(Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path)).join());`;

const KEYS = 1_200;
/** The store answers later, as one that is asked over the network. */
const YOURS = `
  import { InMemoryStore } from './in-memory-store.js';
  const records = Array.from({ length: ${KEYS} }, (_, number) => ({
    id: 'apikey_' + number, type: 'api_key', name: 'Key', created_at: '2026-11-22T09:00:00.000000Z',
    created_by: { id: 'user_1', type: 'user' }, partial_key_hint: 'sk-acme-api03-R2D...igAA', status: 'active', workspace_id: null,
  }));
  const store = new InMemoryStore([['org_1', records]]);
  export class Store {
    async listApiKeys(...asked) {
      await new Promise(resolve => setTimeout(resolve, 50));
      return store.listApiKeys(...asked);
    }
  }
  export const callerOf = ({ headers }, { TOKEN }) =>
    headers.get('x-api-key') === TOKEN && { organizationId: 'org_1', callerId: 'ann' };`;

const CONFIG = `
  using Workerd = import "/workerd/workerd.capnp";
  const config :Workerd.Config = (
    services = [(name = "main", worker = .worker)],
    sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
  );
  const worker :Workerd.Worker = (
    modules = [(name = "bundle.mjs", esModule = embed "bundle.mjs")],
    bindings = [(name = "TOKEN", text = "of-ann")],
    compatibilityDate = "2026-11-01",
  );`;

describe('a Worker', () => {
  const scope = suiteScope();
  const folder = temporaryFolder(scope);
  const [{ file, version } = { file: '', version: '' }] = triedVersions('worker');
  let problem: string | undefined;
  let imported: string;
  let baseUrl: string;
  before(async () => {
    const { keyroster } = await packPackages(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    problem = await install(folder, [join(folder, keyroster.filename), version, 'esbuild@0.28.2']);
    if (problem) return;
    copyFileSync(file, join(folder, 'worker.mjs'));
    copyFileSync('examples/in-memory-store.js', join(folder, 'in-memory-store.js'));
    for (const [name, text] of Object.entries({
      'yours.js': YOURS,
      'make.mjs': BUNDLE,
      'config.capnp': CONFIG,
    }))
      writeFileSync(join(folder, name), text);
    const { stdout, stderr } = await runNode(['make.mjs'], { cwd: folder });
    assert.equal(stderr, '');
    imported = stdout.trim();
    const port = await freePort();
    const platform = `workerd-${process.platform}-${process.arch === 'x64' ? '64' : process.arch}`;
    const program = join(folder, 'node_modules/@cloudflare', platform, 'bin/workerd');
    const child = spawn(program, ['serve', 'config.capnp', '--socket-addr', `http=127.0.0.1:${port}`], {
      cwd: folder,
    });
    const printed = outputOf(child.stdout, child.stderr);
    endOf(scope, child);
    baseUrl = `http://127.0.0.1:${port}`;
    await until(`workerd answers: ${printed()}`, () =>
      fetch(`${baseUrl}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
  const tested = (what: string, check: () => Promise<void>) =>
    test(what, async t => (problem ? t.skip(problem) : check()));

  tested(
    'has all that it needs in its bundle but modules of Node, of which node:sqlite is none',
    async () => {
      assert.match(imported, /^node:[a-z]+(,node:[a-z]+)*$/);
      assert.doesNotMatch(imported, /sqlite/);
    },
  );

  tested('serves a walk, and refuses whoever has no credential', async () => {
    const { apiKeys } = new KeyrosterClient({ baseUrl, adminKey: 'of-ann', retries: 0 });
    const ids = new Set<string>();
    for await (const { id } of apiKeys.list({ limit: 100 })) ids.add(id);
    assert.equal(ids.size, KEYS);
    const headers = { 'vendor-version': '2023-06-01' };
    assert.equal((await fetch(`${baseUrl}${LIST_API_KEYS_PATH}`, { headers })).status, 401);
  });

  tested('answers large pages at the same time, as no request waits for another', async () => {
    const headers = { 'vendor-version': '2023-06-01', 'x-api-key': 'of-ann' };
    const ask = async () => {
      const answer = await fetch(`${baseUrl}${LIST_API_KEYS_PATH}?limit=1000`, { headers });
      return [answer.status, ((await answer.json()) as { data: unknown[] }).data?.length];
    };
    const answers = await Promise.all(Array.from({ length: 40 }, ask));
    assert.deepEqual(new Set(answers.map(String)), new Set(['200,1000']));
  });
});
