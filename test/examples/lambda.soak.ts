/** The functions of examples/lambda, each with its adapter from the registry: what they answer is compared with what `serve` does. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import { runNode } from '../support/command-line.ts';
import { install, packPackages } from '../support/installed-package.ts';
import { ofHttpApi, ofRestApi } from '../support/lambda-events.ts';
import { newStore } from '../support/opened.ts';
import { sqlite } from '../support/roster.ts';
import { suiteScope, temporaryFolder } from '../support/scope.ts';
import { serveStore } from '../support/service.ts';
import { createTenants } from '../support/service-process.ts';
import { triedVersions } from '../support/tried-versions.ts';

/** Hands events to the function one after another, as Lambda does, and prints what it gives. */
const LAMBDA = `
  import { handler } from './function.mjs';
  const answers = [];
  for (const event of JSON.parse(process.env.EVENTS)) answers.push(await handler(event, {}));
  process.stdout.write(JSON.stringify(answers));`;

describe('in AWS Lambda', () => {
  const scope = suiteScope();
  let keyroster: string;
  before(async () => {
    const folder = temporaryFolder(scope);
    keyroster = join(folder, (await packPackages(folder)).keyroster.filename);
  });

  for (const { file, version } of triedVersions('lambda'))
    test(`${file} with ${version} answers as serve does, by both kinds of API`, async t => {
      const folder = temporaryFolder(t);
      writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
      const problem = await install(folder, [keyroster, version]);
      if (problem) return t.skip(problem);
      copyFileSync(file, join(folder, 'function.mjs'));
      writeFileSync(join(folder, 'lambda.mjs'), LAMBDA);
      const store = await newStore(t, sqlite);
      const [{ secret = '' } = {}] = await createTenants(store, 1, 1_100);
      const sent = [{}, { 'x-api-key': secret }, { 'x-api-key': secret, 'accept-encoding': 'gzip' }];
      const events = [ofHttpApi, ofRestApi].flatMap(eventWith => sent.map(headers => eventWith(headers)));
      const env = { DATABASE_URL: store.url, EVENTS: JSON.stringify(events) };
      const { stdout, stderr } = await runNode(['lambda.mjs'], { cwd: folder, env });
      assert.equal(stderr, '', basename(file));

      const { url } = await serveStore(t, store);
      const answers: { statusCode: number; body: string; isBase64Encoded: boolean }[] = JSON.parse(stdout);
      assert.equal(answers.length, events.length);
      for (const [at, { statusCode, body, isBase64Encoded }] of answers.entries()) {
        const headers = { 'vendor-version': '2023-06-01', ...sent[at % sent.length] };
        const expected = await fetch(`${url}${LIST_API_KEYS_PATH}?limit=1000`, { headers });
        assert.equal(statusCode, expected.status);
        assert.equal(isBase64Encoded, 'accept-encoding' in headers);
        const text = isBase64Encoded ? String(gunzipSync(Buffer.from(body, 'base64'))) : body;
        const withoutId = (json: string) => ({ ...JSON.parse(json), request_id: null });
        assert.deepEqual(withoutId(text), withoutId(await expected.text()));
      }
    });
});
