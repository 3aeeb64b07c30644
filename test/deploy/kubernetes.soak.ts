/** The objects of deploy/kubernetes*.yaml, by the schemas of Kubernetes. These come from the registry, so this isn't in npm test. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type KubernetesObject, kubernetesObjects } from '../support/deploy/files.ts';
import { install } from '../support/install.ts';
import { temporaryFolder } from '../support/scope.ts';

const FILES = ['kubernetes.yaml', 'kubernetes-migrate.yaml'];
/** Its 18 MB are the validators of all kinds that Kubernetes has. */
const SCHEMAS = 'kubernetes-models@5.1.0';

test('the objects are as the schemas of Kubernetes want them, and a wrong one is noticed', async t => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const reason = await install(folder, [SCHEMAS]);
  if (reason) return t.skip(reason);
  const check = async (object: KubernetesObject) => {
    const { apiVersion, kind } = object;
    const file = join(folder, 'node_modules/kubernetes-models', apiVersion, `${kind}.js`);
    const { [kind]: Model } = await import(pathToFileURL(file).href);
    new Model(object).validate();
  };
  const objects = FILES.flatMap(kubernetesObjects);
  for (const object of objects) await check(object);
  for (const { apiVersion, kind, spec } of objects) {
    const wrong = {
      apiVersion,
      kind,
      spec: { ...spec, replica: 2, template: 'none', selector: 5, podSelector: 5 },
    };
    await assert.rejects(check(wrong as unknown as KubernetesObject), kind);
  }
});
