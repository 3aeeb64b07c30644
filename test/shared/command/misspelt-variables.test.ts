import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { variableOf } from '../../../src/service/serving-settings.ts';
import { SETTINGS } from '../../../src/service/settings.ts';
import { misspeltVariables } from '../../../src/shared/command/misspelt-variables.ts';
import { keyroster } from '../../support/command-line.ts';
import { runCommand } from '../../support/run-many-commands.ts';

const ROOT = new URL('../../../', import.meta.url);

const settings = async () => Object.values(SETTINGS).map(variableOf);

test('serve warns of a variable whose name is like one that is read, without its value', async () => {
  const env = { KEYROSTER_RATE_LIMT: 'secret', KEYROSTER_WORKER: '2', KEYROSTER_PORT: '-1' };
  const { stderr } = await keyroster(['serve'], { env });
  assert.deepEqual(stderr.split('\n').toSorted(), [
    '',
    'keyroster: KEYROSTER_PORT: must be a whole number from 0 to 65535',
    'keyroster: warning: KEYROSTER_RATE_LIMT: unknown variable, did you mean KEYROSTER_RATE_LIMIT?',
    'keyroster: warning: KEYROSTER_WORKER: unknown variable, did you mean KEYROSTER_WORKERS?',
  ]);
});

test('so does a command of the admin', async () => {
  const KEYROSTER_BASEURL = 'http://user:secret@keys.example';
  const { stderr } = await runCommand(['list'], { env: { KEYROSTER_BASEURL } });
  const [warning, ...rest] = stderr.split('\n');
  assert.equal(
    warning,
    'keyroster-admin: warning: KEYROSTER_BASEURL: unknown variable, did you mean KEYROSTER_BASE_URL?',
  );
  assert.match(rest.join('\n'), /^keyroster-admin: --base-url: the address of the service is required/);
});

test('two letters in the other order are one change, also in a short name', async () => {
  const warnings = await misspeltVariables({ KEYROSTER_PROT: '1', KEYROSTER_HSOT: '::' }, settings);
  assert.deepEqual(warnings, [
    'KEYROSTER_PROT: unknown variable, did you mean KEYROSTER_PORT?',
    'KEYROSTER_HSOT: unknown variable, did you mean KEYROSTER_HOST?',
  ]);
});

test('no variable is warned of that the project has, or that is like none of its own', async () => {
  const folders = ['src', 'bench', 'scripts', 'deploy', 'examples', 'test'];
  const files = folders.flatMap(folder =>
    readdirSync(new URL(folder, ROOT), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && !entry.name.startsWith('misspelt-variables'))
      .map(entry => `${entry.parentPath}/${entry.name}`),
  );
  const names = files.flatMap(file => readFileSync(file, 'utf8').match(/\bKEYROSTER_[A-Z_]*[A-Z]\b/g) ?? []);
  assert(names.length > 200);
  const ofWorkers = 'KEYROSTER_WORKER';
  const environment = Object.fromEntries(names.filter(name => name !== ofWorkers).map(name => [name, 'x']));
  const others = { KEYROSTER_HOME: '/opt', KEYROSTER_VERSION: '0.1.0', KEYROSTER_IMAGE: 'x', RATE_LIMT: '1' };
  assert.deepEqual(await misspeltVariables({ ...environment, ...others }, settings), []);
});

test('nor one that Kubernetes makes of a Service', async () => {
  const ofServices = ['KEYROSTER', 'KEYROSTER_METRICS', 'KEYROSTER_DATABASE'].flatMap(service => [
    [`${service}_SERVICE_HOST`, '10.0.0.1'],
    [`${service}_SERVICE_PORT`, '80'],
    [`${service}_SERVICE_PORT_HTTP`, '80'],
    [`${service}_PORT`, 'tcp://10.0.0.1:80'],
    [`${service}_PORT_80_TCP`, 'tcp://10.0.0.1:80'],
    [`${service}_PORT_80_TCP_PROTO`, 'tcp'],
    [`${service}_PORT_80_TCP_PORT`, '80'],
    [`${service}_PORT_80_TCP_ADDR`, '10.0.0.1'],
  ]);
  assert.deepEqual(await misspeltVariables(Object.fromEntries(ofServices)), []);
});
