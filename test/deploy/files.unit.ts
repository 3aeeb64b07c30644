/** What the files in deploy/ say, compared with the program. The soaks beside this build and run them. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { validate } from 'dockerfile-utils';
import { serveCommand } from '../../src/operator/commands/serve.ts';
import { HEALTH_PATH, READINESS_PATH } from '../../src/service/api/request.ts';
import { DRAIN_TIMEOUT_MS, LINGER_MS } from '../../src/service/server/limits.ts';
import { VERSION } from '../../src/shared/version.ts';
import { composeServices, kubernetesObjects, podOf, podsOf } from '../support/deploy/files.ts';
import { stagesOf } from '../support/deploy/stages.ts';
import { temporaryFolder } from '../support/scope.ts';

const ROOT = new URL('../../', import.meta.url);
const fileOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const { devDependencies } = JSON.parse(fileOf('package.json'));
const files = readdirSync(new URL('deploy/', ROOT)).map(name => `deploy/${name}`);
/** What is between the signal and the end, at most, when the load balancer needs no delay. */
const DRAIN_SECONDS = (LINGER_MS + DRAIN_TIMEOUT_MS) / 1000;

describe('the files in deploy/', () => {
  const settings = new Set(serveCommand().options.map(({ envVar }) => envVar));

  test('name the version of this release, and only settings that serve has', () => {
    for (const file of [...files, 'docs/installing.md', 'docs/production.md']) {
      for (const [image, version] of fileOf(file).matchAll(/\bkeyroster[:-](\d+\.\d+\.\d+)/g))
        assert.equal(version, VERSION, `${file}: ${image}`);
      if (/production\.md|feed/.test(file)) continue; // they have settings of other commands too
      for (const [name] of fileOf(file).matchAll(/\bKEYROSTER_\w+/g))
        assert(settings.has(name), `${file}: ${name}`);
    }
  });
});

describe('the hourly copy of the audit log', () => {
  for (const file of ['keyroster-audit.service', 'compose.yaml', 'kubernetes-backup.yaml'])
    test(`leaves the longer one beside a shorter one, in deploy/${file}`, t => {
      const folder = temporaryFolder(t);
      const [script = ''] =
        /file=\S*audit-[\s\S]*?mv \S*partial"? "?\$+file"?/.exec(fileOf(`deploy/${file}`)) ?? [];
      const copy = (log: string) => {
        writeFileSync(join(folder, 'log'), log);
        const here = script
          .replaceAll(/\$\$/g, '$')
          .replaceAll('%%', '%')
          .replaceAll(/\/var\/backups\/keyroster|\/backups/g, folder)
          .replace(/\S*node \S+ audit .* >/, 'cat log >');
        execFileSync('sh', ['-ec', here], { cwd: folder });
        return readdirSync(folder).filter(name => name.startsWith('audit-'));
      };
      for (const log of ['1\n', '1\n2\n', '1\n2\n']) assert.equal(copy(log).length, 1);
      const [latest = '', kept = ''] = copy('1\n').sort();
      assert.equal(readFileSync(join(folder, latest), 'utf8'), '1\n');
      assert.equal(readFileSync(join(folder, kept), 'utf8'), '1\n2\n');
    });
});

describe('deploy/Dockerfile', () => {
  const text = fileOf('deploy/Dockerfile');
  const stages = stagesOf(text);
  const argumentsOf = (keyword: string) =>
    stages.at(-1)?.steps.findLast(step => step.keyword === keyword)?.arguments;

  test('has no fault that a linter finds', () => assert.deepEqual(validate(text), []));

  test('builds and runs with the Node that the tests run with', () => {
    const [major] = devDependencies.node.split('.');
    for (const { base } of stages) assert.equal(base, `node:${major}-trixie-slim`);
  });

  test('runs Node as process 1, as a user that is a number and not root', () => {
    assert.deepEqual(argumentsOf('USER'), ['1000:1000']);
    assert.deepEqual(argumentsOf('ENTRYPOINT'), ['node', '/app/dist/operator/bin.js']);
    assert.deepEqual(argumentsOf('CMD'), ['serve']);
    assert.deepEqual(argumentsOf('STOPSIGNAL'), ['SIGTERM']);
  });

  test('is built from what .dockerignore allows, which exists', () => {
    const lines = fileOf('.dockerignore').split('\n');
    const [first, ...allowed] = lines.filter(line => line !== '' && !line.startsWith('#'));
    assert.equal(first, '*');
    for (const line of allowed) assert(existsSync(new URL(line.replace('!', ''), ROOT)), line);
  });
});

describe('deploy/kubernetes.yaml', () => {
  const { containers, terminationGracePeriodSeconds } = podOf('Deployment');
  const [service] = containers;
  const settingsOfPods = kubernetesObjects.find(({ kind }) => kind === 'ConfigMap')?.data;

  test('selects its own pods everywhere', () => {
    const pods = { app: 'keyroster' };
    const selecting = ['Service', 'Deployment', 'PodDisruptionBudget', 'NetworkPolicy'];
    for (const { kind, spec } of kubernetesObjects.filter(object => selecting.includes(object.kind))) {
      const selected = spec.selector?.matchLabels ?? spec.podSelector?.matchLabels ?? spec.selector;
      assert.deepEqual(selected, pods, kind);
    }
    const deployment = kubernetesObjects.find(({ kind }) => kind === 'Deployment');
    assert.deepEqual(deployment?.spec.template?.metadata.labels, pods);
  });

  test('restarts what is not alive, and sends requests to what is ready', () => {
    assert.equal(service.livenessProbe.httpGet.path, HEALTH_PATH);
    assert.equal(service.startupProbe.httpGet.path, HEALTH_PATH);
    assert.equal(service.readinessProbe.httpGet.path, READINESS_PATH);
  });

  test('gives a pod the time that its stop takes', () => {
    const delay = settingsOfPods.KEYROSTER_SHUTDOWN_DELAY;
    assert(terminationGracePeriodSeconds > Number(delay) + DRAIN_SECONDS);
  });

  test('has its settings, and metrics at the port that they name', () => {
    assert.deepEqual(service.envFrom[0], { configMapRef: { name: 'keyroster' } });
    const { containerPort } = service.ports.find(({ name }: { name: string }) => name === 'metrics');
    assert.equal(String(containerPort), settingsOfPods.KEYROSTER_METRICS_PORT);
  });

  // A Service `keyroster` would set KEYROSTER_PORT=tcp://…, which serve refuses.
  test('keeps the variables of Services out', () => {
    for (const pod of podsOf('Deployment', 'Job', 'CronJob')) assert.equal(pod.enableServiceLinks, false);
  });

  test('runs every container as the "restricted" Pod Security Standard wants it, with nothing to write to', () => {
    for (const pod of podsOf('Deployment', 'Job', 'CronJob')) {
      const { runAsNonRoot, seccompProfile } = pod.securityContext;
      assert.deepEqual([runAsNonRoot, seccompProfile], [true, { type: 'RuntimeDefault' }]);
      for (const { name, securityContext } of [...(pod.initContainers ?? []), ...pod.containers]) {
        const { runAsUser, ...context } = securityContext;
        const expected = {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        };
        assert.deepEqual(context, expected, name);
        assert.notEqual(runAsUser, 0);
      }
    }
  });
});

describe('deploy/compose.yaml', () => {
  const services = composeServices;

  test('gives the service the time that its stop takes, and the network of this machine only', () => {
    const { stop_grace_period: grace, ports } = services.serve ?? {};
    assert(Number(grace?.replace(/s$/, '')) > DRAIN_SECONDS);
    assert.deepEqual(ports, ['127.0.0.1:8080:8080', '127.0.0.1:9464:9464']);
  });

  test('runs each container but that of PostgreSQL without rights, on a disk that it can only read', () => {
    for (const [name, { read_only, cap_drop, security_opt }] of Object.entries(services)) {
      const without = [true, ['ALL'], ['no-new-privileges:true']];
      if (name !== 'postgres') assert.deepEqual([read_only, cap_drop, security_opt], without, name);
    }
  });

  test('backs up by a script that a shell understands, in files for its user alone; so does Kubernetes', () => {
    const scripts = [
      ...['backup', 'audit'].map(name => services[name].command[0].replaceAll('$$', '$')),
      ...podsOf('CronJob').map(pod => pod.containers[0].command[2]),
    ];
    for (const script of scripts) {
      assert.match(script, /^umask 077\n/);
      assert.equal(spawnSync('sh', ['-en'], { input: script, encoding: 'utf8' }).stderr, '');
    }
  });
});
