/**
 * The alerts of deploy/, in a real Prometheus with its two exporters, which ask a real service. It needs the programs of Debian's packages
 * prometheus, prometheus-blackbox-exporter and prometheus-node-exporter on the PATH.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pairFiles } from '../support/certificate.ts';
import { endOf } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { newStore } from '../support/opened.ts';
import { runSql } from '../support/run-sql.ts';
import { atEndOf, suiteScope, temporaryFolder } from '../support/scope.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const fileOf = (name: string) => readFileSync(pathOf(`deploy/${name}`), 'utf8');
const PROGRAMS = ['prometheus', 'promtool', 'prometheus-blackbox-exporter', 'prometheus-node-exporter'];
const missing = PROGRAMS.filter(name => spawnSync(name, ['--version']).status !== 0);
const skip = missing.length > 0 && `needs ${missing.join(', ')}`;
const notRoot = process.getuid?.() !== 0 && 'needs root, to mount a disk';
const INDEX = "'keyroster.api_keys_listing_status'::regclass";

test('deploy/prometheus-alerts.yaml fires when it says so, and not before', { skip }, () => {
  execFileSync('promtool', ['check', 'config', pathOf('deploy/prometheus.yaml')]);
  execFileSync('promtool', ['test', 'rules', pathOf('test/deploy/prometheus-alerts.yaml')]);
});

describe('a Prometheus with the files of deploy/', { skip }, () => {
  const scope = suiteScope();
  const folder = temporaryFolder(scope);
  const textfiles = join(folder, 'node-exporter');
  const disk = join(folder, 'disk');
  let service: Awaited<ReturnType<typeof startServiceProcess>>;
  let store: Awaited<ReturnType<typeof newStore>>;
  let prometheus: string;

  before(async () => {
    store = await newStore(scope);
    const pair = pairFiles(scope); // it ends within a day
    const [metrics, node, blackbox, own] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    service = await startServiceProcess(scope, store.url, {
      ...pair.env,
      KEYROSTER_METRICS_PORT: String(metrics),
    });

    mkdirSync(textfiles);
    write(
      'blackbox.yaml',
      fileOf('blackbox.yaml').replace('http:\n', `http:\n      tls_config: { ca_file: ${pair.certFile} }\n`),
    );
    write(
      'prometheus-alerts.yaml',
      fileOf('prometheus-alerts.yaml')
        .replaceAll(/for: \d+m/g, 'for: 1s')
        .replaceAll('/|/(var|srv|mnt|media)($|/.*)', disk),
    );
    const config = fileOf('prometheus.yaml')
      .replaceAll('15s', '1s')
      .replace('127.0.0.1:9464', `127.0.0.1:${metrics}`)
      .replace('127.0.0.1:9100', `127.0.0.1:${node}`)
      .replace('127.0.0.1:9115', `127.0.0.1:${blackbox}`)
      .replace('keys.example.com', `localhost:${service.port}`);
    write('prometheus.yaml', config);

    start(
      'prometheus-blackbox-exporter',
      `--config.file=blackbox.yaml`,
      `--web.listen-address=127.0.0.1:${blackbox}`,
    );
    start(
      'prometheus-node-exporter',
      `--web.listen-address=127.0.0.1:${node}`,
      '--collector.disable-defaults',
      '--collector.filesystem',
      '--collector.textfile',
      `--collector.textfile.directory=${textfiles}`,
    );
    start(
      'prometheus',
      '--config.file=prometheus.yaml',
      '--storage.tsdb.path=data',
      `--web.listen-address=127.0.0.1:${own}`,
    );
    prometheus = `http://127.0.0.1:${own}`;
  });

  test('tells of a certificate that ends soon, and of nothing else once there are backups', async () => {
    succeed('backup');
    succeed('audit');
    await firing('KeyrosterCertificate');
  });

  test('tells of a backup that is missing, and of one that is too old', async () => {
    rmSync(join(textfiles, 'keyroster-backup.prom'));
    await firing('KeyrosterCertificate', 'KeyrosterNoBackup');
    succeed('backup');
    await firing('KeyrosterCertificate');
    succeed('backup', -27 * 60 * 60);
    await firing('KeyrosterCertificate', 'KeyrosterNoBackup');
    succeed('backup');
  });

  test('tells of a part that does not work', async () => {
    await firing('KeyrosterCertificate');
    await runSql(store.url, `UPDATE pg_index SET indisvalid = false WHERE indexrelid = ${INDEX}`);
    await firing('KeyrosterCertificate', 'KeyrosterDegraded');
    await runSql(store.url, `UPDATE pg_index SET indisvalid = true WHERE indexrelid = ${INDEX}`);
    await firing('KeyrosterCertificate');
  });

  test('tells of a disk that is nearly full', { skip: notRoot }, async () => {
    mkdirSync(disk);
    execFileSync('mount', ['--types', 'tmpfs', '--options', 'size=1M', 'tmpfs', disk]);
    atEndOf(scope, () => execFileSync('umount', [disk]));
    await firing('KeyrosterCertificate');
    writeFileSync(join(disk, 'large'), Buffer.alloc(950 * 1024));
    await firing('KeyrosterCertificate', 'KeyrosterDisk');
    rmSync(join(disk, 'large'));
    await firing('KeyrosterCertificate');
  });

  test('tells of a service that was killed', async () => {
    service.signal('SIGKILL');
    await firing('KeyrosterDown', 'KeyrosterUnreachable');
  });

  function write(name: string, text: string): void {
    writeFileSync(join(folder, name), text);
  }

  function start(program: string, ...args: string[]): void {
    endOf(scope, spawn(program, args, { cwd: folder, stdio: 'ignore' }));
  }

  /** What the unit does after a success, by itself, with the clock put forward by so many seconds. */
  function succeed(name: string, seconds = 0): void {
    const unit = `keyroster-${name}`;
    const [, line = ''] = /^ExecStartPost=-\+\/bin\/sh -c '(.*)'$/m.exec(fileOf(`${unit}.service`)) ?? [];
    const script = line
      .replaceAll('\\\\', '\\')
      .replaceAll('$$', '$')
      .replaceAll('%%', '%')
      .replaceAll('%N', unit)
      .replace('/var/lib/prometheus/node-exporter', textfiles)
      .replace('date +%s', `date --date='${seconds} seconds' +%s`);
    execFileSync('/bin/sh', ['-c', script]);
  }

  /** Waits until these alerts fire, and no other. */
  async function firing(...expected: string[]): Promise<void> {
    let last: string[] = [];
    const look = async () => {
      const answer = await fetch(`${prometheus}/api/v1/alerts`).catch(() => undefined);
      const alerts = answer?.ok ? (await answer.json()).data.alerts : [];
      last = alerts
        .filter(({ state }: { state: string }) => state === 'firing')
        .map(({ labels }: { labels: { alertname: string } }) => labels.alertname)
        .sort();
      return last.join() === expected.join();
    };
    await until(`these fire: ${expected}`, look).catch(error => assert.fail(`${error.message}: ${last}`));
  }
});
