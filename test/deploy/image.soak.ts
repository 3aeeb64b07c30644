/** The image of deploy/Dockerfile, built and run without an engine. It needs the registry of npm, so this isn't in npm test. */
import assert from 'node:assert/strict';
import { chownSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { OrganizationId } from '../../src/shared/record/identifier.ts';
import { noContainers, runContainer, startContainer } from '../support/deploy/container.ts';
import { buildImage, type Image } from '../support/deploy/image.ts';
import { freePort } from '../support/free-port.ts';
import { load, statusesOf } from '../support/load.ts';
import { listRequest } from '../support/raw-corpus.ts';
import { suiteScope, temporaryFolder } from '../support/scope.ts';

const ORGANIZATION = 'org_example' as OrganizationId;
const examples = readFileSync(new URL('../../examples/api-keys.jsonl', import.meta.url), 'utf8');

describe('the image', { skip: noContainers }, () => {
  const scope = suiteScope();
  let image: Image;
  let data: string;
  let secret: string;
  const run = async (args: readonly string[], input = '') => {
    const { exitCode, stdout, stderr } = await runContainer(scope, image, args, { data, input });
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' }, args.join(' '));
    return stdout;
  };
  before(async () => {
    image = buildImage(scope);
    data = temporaryFolder(scope);
    const { uid, gid } = statSync(join(image.folder, 'data'));
    chownSync(data, uid, gid); // as an engine makes a volume
    await run(['migrate']);
    await run(['organizations', 'create', 'Example Ltd', '--id', ORGANIZATION]);
    ({ secret } = JSON.parse(await run(['admin-keys', 'create', '--organization', ORGANIZATION, '--json'])));
    await run(['import', '-', '--organization', ORGANIZATION], examples);
  });

  test('is smaller than 150 MB, and has nothing of the program that its user could change', () => {
    assert(image.size < 150e6, `${image.size} bytes`);
    assert.equal(image.user, '1000:1000');
    const program = globSync('app/**', { cwd: image.folder }).map(path => statSync(join(image.folder, path)));
    assert(program.length > 500);
    for (const { uid, mode } of program) assert.deepEqual([uid, mode & 0o002], [0, 0]);
  });

  for (const env of [{}, { KEYROSTER_WORKERS: '2' }])
    test(`serves as process 1, and ends at SIGTERM with every request answered: ${JSON.stringify(env)}`, async t => {
      const port = await freePort();
      const settings = { KEYROSTER_PORT: String(port), KEYROSTER_RATE_LIMIT: '0', ...env };
      const healthy = async () =>
        (await startContainer(t, image, image.healthcheck, { env: settings }).ended).exitCode === 0;
      assert.equal(await healthy(), false);
      const service = startContainer(t, image, [...image.entrypoint, 'serve'], { data, env: settings });
      await service.printed(/listening on http:\/\/0\.0\.0\.0:/);
      assert.equal(await healthy(), true);

      const requests = [listRequest({ organization: ORGANIZATION, secret }, 20)];
      const loading = load(t, { port, requests, connections: 12, seconds: 4 });
      await service.printed(/"rows":20/); // a page: the health check's line was before
      await setTimeout(500);
      service.signal('SIGTERM');
      assert.deepEqual(await service.ended, { exitCode: 0, stderr: '' });
      const { unanswered, unfinished, seconds } = await loading;
      assert.deepEqual([unanswered, unfinished], [0, 0]);
      const { 200: answered = 0 } = statusesOf(seconds);
      assert(answered > 0);
      assert.equal(await healthy(), false);
    });

  test('can write nowhere else', async t => {
    const tried =
      "for (const path of ['/x', '/app/x', '/usr/x']) try { fs.writeFileSync(path, ''); console.log(path) } catch {}";
    const container = startContainer(t, image, ['node', '-e', tried], { data });
    assert.deepEqual(await container.ended, { exitCode: 0, stderr: '' });
    assert.equal(container.output(), '');
  });
});
