/**
 * The objects of deploy/kubernetes*.yaml: by the schemas of Kubernetes, and what their containers run, with the image and a
 * PostgreSQL of this machine. They need the registry, so this isn't in npm test.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { noContainers, runContainer, startContainer } from '../support/deploy/container.ts';
import { kubernetesObjects, podOf } from '../support/deploy/files.ts';
import { buildImage } from '../support/deploy/image.ts';
import { freePort } from '../support/free-port.ts';
import { install } from '../support/installed-package.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { runSql } from '../support/run-sql.ts';
import { temporaryFolder } from '../support/scope.ts';

/** Its 18 MB are the validators of all kinds that Kubernetes has. */
const SCHEMAS = 'kubernetes-models@5.1.0';
const ROLES = fileURLToPath(new URL('../../deploy/postgres-roles.sql', import.meta.url));
const noPsql = spawnSync('psql', ['--version']).status !== 0 && 'needs psql';

test('the objects are as the schemas of Kubernetes want them, and a wrong one is noticed', async t => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const reason = await install(folder, [SCHEMAS]);
  if (reason) return t.skip(reason);
  const check = async (object: { apiVersion: string; kind: string }) => {
    const { apiVersion, kind } = object;
    const file = join(folder, 'node_modules/kubernetes-models', apiVersion, `${kind}.js`);
    const { [kind]: Model } = await import(pathToFileURL(file).href);
    new Model(object).validate();
  };
  for (const object of kubernetesObjects) await check(object);
  for (const { apiVersion, kind, spec } of kubernetesObjects) {
    const wrong = { apiVersion, kind, spec: { ...spec, template: 'none', selector: 5, podSelector: 5 } };
    await assert.rejects(check(wrong), kind);
  }
});

test('the Job migrates and grants as an owner who may not make roles, and the pods serve as the reader', {
  skip: noContainers || noPsql,
}, async t => {
  const image = buildImage(t);
  const server = await ownPostgres(t, ['hostssl all all all scram-sha-256']);
  const ca = join(image.folder, 'ca/ca.pem'); // as the ConfigMap is mounted
  mkdirSync(dirname(ca));
  writeFileSync(ca, server.pair.cert);
  const psql = (...args: readonly string[]) => {
    const { status, stderr } = spawnSync('psql', args, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const urlOf = (user: string, file = '/ca/ca.pem') =>
    `postgres://${user}:secret@127.0.0.1:${server.port}/keyroster?sslmode=verify-full&sslrootcert=${file}`;
  await runSql(`${server.url}/postgres`, "CREATE ROLE keyroster_owner LOGIN PASSWORD 'secret'");
  await runSql(`${server.url}/postgres`, 'CREATE DATABASE keyroster OWNER keyroster_owner');
  psql('--quiet', '--set=ON_ERROR_STOP=1', `--file=${ROLES}`, `${server.url}/keyroster`);
  await runSql(`${server.url}/postgres`, "ALTER ROLE keyroster_reader PASSWORD 'secret'");

  const owner = { KEYROSTER_DATABASE_URL: urlOf('keyroster_owner') };
  const [migrate] = podOf('Job').initContainers;
  const migrated = await runContainer(t, image, migrate.args, { env: owner });
  assert.deepEqual([migrated.exitCode, migrated.stderr], [0, '']);
  const [, ...args] = podOf('Job').containers[0].command;
  psql(
    ...args.map((arg: string) =>
      arg.replace('/roles/postgres-roles.sql', ROLES).replace(/^\$\((.*)\)$/, urlOf('keyroster_owner', ca)),
    ),
  );

  const [pod] = podOf('Deployment').containers;
  const port = await freePort();
  const env = { KEYROSTER_DATABASE_URL: urlOf('keyroster_reader'), KEYROSTER_PORT: String(port) };
  const service = startContainer(t, image, [...image.entrypoint, ...pod.args], { env });
  await service.printed(/listening on/);
  assert.equal((await fetch(`http://127.0.0.1:${port}${pod.readinessProbe.httpGet.path}`)).status, 200);
  service.signal('SIGTERM');
  assert.deepEqual(await service.ended, { exitCode: 0, stderr: '' });
});
