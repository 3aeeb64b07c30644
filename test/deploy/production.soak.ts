/**
 * Follows docs/production.md word for word on a fresh Debian under a real systemd, in a container of systemd-nspawn. It needs root, Linux
 * with debootstrap and systemd-nspawn, and reaches the registries of Debian and npm. The ports 80, 443, 8080 and 9464 have to be free.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { endOf } from '../support/child.ts';
import { blocksIn } from '../support/doc-blocks.ts';
import { packPackages } from '../support/installed-package.ts';
import { atEndOf, suiteScope, temporaryFolder } from '../support/scope.ts';
import { until } from '../support/until.ts';

const PAGE = 'docs/production.md';
const SUITE = process.env.KEYROSTER_SOAK_DEBIAN ?? 'stable';
const missing = [
  ...(process.getuid?.() === 0 ? [] : ['root']),
  ...['debootstrap', 'systemd-nspawn', 'nsenter'].filter(name => spawnSync('which', [name]).status !== 0),
];
const skip = missing.length > 0 && `needs ${missing.join(', ')}`;
/** The machine's own, where the registry of npm is reached by a proxy. */
const CERTIFICATES = process.env.NODE_EXTRA_CA_CERTS;

describe(`a fresh Debian, by ${PAGE} alone`, { skip }, () => {
  const scope = suiteScope();
  const root = join(temporaryFolder(scope), 'debian');
  const commands = blocksIn(PAGE).flatMap(({ language, text }) =>
    language === 'sh' ? text.trim().split('\n') : [],
  );
  let leader: string;

  before(async () => {
    execFileSync('debootstrap', ['--include=systemd-sysv,dbus,ca-certificates', SUITE, root], {
      stdio: 'ignore',
    });
    const { keyroster } = await packPackages(join(root, 'root'));
    assert(existsSync(join(root, 'root', keyroster.filename)));
    if (CERTIFICATES) copyFileSync(CERTIFICATES, join(root, 'root/certificates.pem'));
    copyFileSync('examples/api-keys.jsonl', join(root, 'root/keys.jsonl'));
    const options = [
      '--quiet',
      '--register=no',
      '--keep-unit',
      '--console=read-only',
      '--bind-ro=/etc/resolv.conf',
    ];
    const nspawn = spawn(
      'systemd-nspawn',
      [...options, '--machine=keyroster-soak', '--directory', root, '--boot'],
      {
        stdio: 'ignore',
      },
    );
    endOf(scope, nspawn);
    leader = await until('systemd has a process', () => systemdOf(nspawn.pid));
    atEndOf(scope, () => halt());
    await until('systemd runs', () => /running|degraded/.test(inside('systemctl is-system-running', true)));
    inside('apt-get update');
  });

  test('has at most 12 commands', () => assert.equal(commands.length, 12));

  test('serves pages over HTTPS', async t => {
    const start = performance.now();
    for (const command of commands.slice(1)) {
      const before = performance.now();
      const printed = inside(inSandbox(command));
      t.diagnostic(`${((performance.now() - before) / 1000).toFixed(1)} s: ${command}`);
      const [, secret] = /(acme-admin01-\S+)/.exec(printed) ?? [];
      if (secret) writeFileSync(join(root, 'root/admin-key'), secret);
    }
    t.diagnostic(`${Math.round((performance.now() - start) / 1000)} s in all`);
    const page = `curl --silent --fail --insecure --header "x-api-key: $(cat admin-key)" --header 'acme-version: 2023-06-01' 'https://keys.localhost/v1/organizations/api_keys?limit=2'`;
    await until(
      'Caddy has its certificate',
      () => inside('curl --silent --insecure https://keys.localhost/readyz', true) === '{"status":"ready"}',
    );
    assert.equal(JSON.parse(inside(page)).data.length, 2);
    assert.match(
      inside('curl --silent --fail http://127.0.0.1:9464/metrics'),
      /^http_request_duration_seconds_count/m,
    );
  });

  test('has no unit that failed, and units without a fault', () => {
    assert.equal(inside('systemctl --failed --quiet --plain --no-legend'), '');
    assert.equal(
      inside('cd /usr/local/lib/systemd/system && systemd-analyze verify --man=no keyroster* 2>&1'),
      '',
    );
  });

  test('keeps a line for each request in a journal of its own, with no limit of their rate', async () => {
    const lines = () =>
      Number(
        inside(
          'journalctl --namespace keyroster --output cat | grep -c \'"route":"/v1/organizations/api_keys"\'',
          true,
        ),
      );
    const had = lines();
    inside(
      'seq 20000 | sed "s|.*|url=http://127.0.0.1:8080/v1/organizations/api_keys\\noutput=/dev/null|" | curl --silent --parallel --parallel-max 50 --config - > /dev/null',
    );
    await until('each is there', () => lines() === had + 20_000);
    inside('test -d /var/log/journal/*.keyroster');
  });

  test('comes back after each of ten kills, and after being stopped with the machine', async () => {
    for (let kill = 0; kill < 10; kill++) {
      inside('systemctl kill --signal=KILL keyroster');
      await ready();
    }
    assert.equal(inside('systemctl is-active keyroster'), 'active');
  });

  test('copies backups and the audit log to a second place, and restores by docs/runbooks.md', async () => {
    inside(
      'install --directory --owner keyroster /srv/second && sed --in-place s,^SECOND_PLACE=.*,SECOND_PLACE=/srv/second, /etc/keyroster/keyroster.env',
    );
    inside(
      'install --directory --mode 0755 /var/lib/prometheus/node-exporter && systemctl start keyroster-audit',
    );
    await until('they are there', () =>
      /audit-.*\.jsonl\n.*\.db$/.test(inside('ls -1 --sort=none -v /srv/second | sort -r', true)),
    );
    const told = () => inside('cat /var/lib/prometheus/node-exporter/*.prom', true);
    await until('it is told', () =>
      /unit="keyroster-audit"} \d{10}\n(.*\n)*.*unit="keyroster-copy"} \d{10}$/.test(told()),
    );
    const [, start = '', rest = ''] =
      /by `(systemctl stop keyroster\s+keyroster-feed)`, .* in `(\S+)`/s.exec(
        readFileSync('docs/runbooks.md', 'utf8'),
      ) ?? [];
    inside(start.replace(/\s+/g, ' '));
    assert.match(inside(`keyroster restore $(ls ${rest}/*.db | tail -1)`, true), /^the store before is now /);
  });

  async function ready(): Promise<void> {
    await until(
      'it is ready',
      () => inside('curl --silent http://127.0.0.1:8080/readyz', true) === '{"status":"ready"}',
    );
  }

  /** Without questions; with a name for which Caddy makes a certificate by itself. */
  function inSandbox(command: string): string {
    return command
      .replace('apt install', 'apt-get install --yes')
      .replace('keys.example.com', 'keys.localhost');
  }

  /** Runs a command as root's shell in the container would, and returns what it printed. */
  function inside(command: string, mayFail = false): string {
    const env = {
      HOME: '/root',
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      LANG: 'C.UTF-8',
      DEBIAN_FRONTEND: 'noninteractive',
      ...(CERTIFICATES && { NODE_EXTRA_CA_CERTS: '/root/certificates.pem' }),
    };
    const args = ['--target', leader, '--all', '/bin/bash', '-c', `cd /root && ${command}`];
    const { status, stdout, stderr } = spawnSync('nsenter', args, { env, encoding: 'utf8' });
    assert(status === 0 || mayFail, `${command}: ${stdout}${stderr}`);
    return stdout.trim();
  }

  /** So that systemd-nspawn takes its mounts away. */
  async function halt(): Promise<void> {
    inside('systemctl poweroff', true);
    for (let look = 0; look < 100 && existsSync(`/proc/${leader}`); look++) await setTimeout(100);
  }
});

/** The child that has become systemd. */
function systemdOf(pid: number | undefined): string | undefined {
  const file = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
  return children.find(child => child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8') === 'systemd\n');
}
