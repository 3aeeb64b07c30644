/** The functions of examples/lambda and the Worker of examples/worker, with the adapters and the runtime that the registry has. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { KeyrosterClient } from '../../src/client/client.ts';
import { endOf } from '../support/child.ts';
import { runNode } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { install, packPackages } from '../support/installed-package.ts';
import { ofHttpApi, ofRestApi } from '../support/lambda-events.ts';
import { newStore } from '../support/opened.ts';
import { sqlite } from '../support/roster.ts';
import { temporaryFolder } from '../support/scope.ts';
import { collect } from '../support/seeded-service.ts';
import { createTenants } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const ADAPTERS = ['serverless-http@4.0.0', '@codegenie/serverless-express@5.0.0'];

const folder = temporaryFolder({ after });
writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
const { keyroster } = await packPackages(folder);
const packages = [...ADAPTERS, 'workerd@1.20261117.1', 'esbuild@0.28.2'];
const problem = await install(folder, [join(folder, keyroster.filename), ...packages]);
cpSync('examples', join(folder, 'examples'), { recursive: true });

for (const adapter of ADAPTERS)
  test(`AWS Lambda gets pages and refusals by ${adapter}, for events of both kinds`, async t => {
    if (problem) return t.skip(problem);
    const store = await newStore(t, sqlite);
    const [{ secret = '' } = {}] = await createTenants(store, 1, 1_100);
    const sent = [{}, { 'x-api-key': secret }, { 'x-api-key': secret, 'accept-encoding': 'gzip' }];
    const events = [ofHttpApi, ofRestApi].flatMap(eventWith => sent.map(headers => eventWith(headers)));
    const [, file] = /([a-z-]+)@\d/.exec(adapter) ?? [];
    const code = `const { handler } = await import('./examples/lambda/${file}.mjs');
      const answers = [];
      for (const event of ${JSON.stringify(events)}) answers.push(await handler(event, {}));
      process.stdout.write(JSON.stringify(answers));`;
    const options = { cwd: folder, env: { DATABASE_URL: store.url } };
    const { stdout, stderr } = await runNode(['--input-type=module', '-e', code], options);
    assert.equal(stderr, '');
    type Sent = { statusCode: number; body: string; isBase64Encoded: boolean };
    const answers = JSON.parse(stdout).map(({ statusCode, body, isBase64Encoded }: Sent) => {
      const text = isBase64Encoded ? String(gunzipSync(Buffer.from(body, 'base64'))) : body;
      return [statusCode, isBase64Encoded, JSON.parse(text).data?.length ?? null];
    });
    const expected = '[401,false,null],[200,false,1000],[200,true,1000]';
    assert.equal(JSON.stringify(answers), `[${expected},${expected}]`);
  });

test('a Worker over a store of its own needs only modules that workerd has, and serves many at a time', async t => {
  if (problem) return t.skip(problem);
  const worker = join(folder, 'examples/worker');
  const { stdout, stderr } = await runNode(['build.mjs'], { cwd: worker });
  assert.match(stdout + stderr, /^(node:(?!sqlite)[a-z]+[ \n])+$/);
  const port = await freePort();
  const program = join(
    folder,
    `node_modules/@cloudflare/workerd-${process.platform}-${process.arch.replace('x64', '64')}/bin/workerd`,
  );
  const args = ['serve', 'config.capnp', '--socket-addr', `http=127.0.0.1:${port}`];
  endOf(t, spawn(program, args, { cwd: worker, env: { SECRET: 'of-ann' }, stdio: 'ignore' }));
  const baseUrl = `http://127.0.0.1:${port}`;
  const ask = (adminKey: string, limit: number) =>
    collect(new KeyrosterClient({ baseUrl, adminKey, retries: 0 }).apiKeys.list({ limit }));
  await until('workerd answers', () => fetch(`${baseUrl}/healthz`).catch(() => undefined));
  await assert.rejects(ask('of-bob', 1_000), { status: 401 });
  const walks = await Promise.all(
    Array.from({ length: 40 }, (_, number) => ask('of-ann', number < 2 ? 100 : 1_000)),
  );
  for (const walk of walks) assert.equal(walk.length, 1_200);
});
