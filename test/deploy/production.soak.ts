/**
 * Follows docs/production.md word for word on a fresh Debian under a real systemd, in a container of systemd-nspawn. It needs root, Linux
 * with debootstrap and systemd-nspawn, and reaches the registries of Debian and npm. The ports 80, 443, 8080 and 9464 have to be free.
 * KEYROSTER_SOAK_DEBIAN names another release than the stable one.
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
const RELEASE = process.env.KEYROSTER_SOAK_DEBIAN ?? 'stable';
/** The machine's own, where a registry is reached by a proxy. */
const CERTIFICATES = process.env.NODE_EXTRA_CA_CERTS;
const PROGRAMS = ['debootstrap', 'systemd-nspawn', 'nsenter'];
const missing = [
  ...(process.getuid?.() === 0 ? [] : ['root']),
  ...PROGRAMS.filter(name => spawnSync('which', [name]).status !== 0),
];
const skip = missing.length > 0 && `needs ${missing.join(', ')}`;
const READY = '{"status":"ready"}';
const PAGE_OF_NOBODY = 'curl --silent http://127.0.0.1:8080/v1/organizations/api_keys > /dev/null';
const TELLS = '/var/lib/prometheus/node-exporter';

describe(`a fresh Debian, by ${PAGE} alone`, { skip }, () => {
  const scope = suiteScope();
  const root = join(temporaryFolder(scope), 'debian');
  const blocks = blocksIn(PAGE).filter(({ language }) => language === 'sh');
  const commands = blocks.flatMap(({ text }) => text.trim().split('\n'));
  /** Its process 1. */
  let systemd: string;

  before(async () => {
    const packages = '--include=systemd-sysv,dbus,ca-certificates';
    execFileSync('debootstrap', [packages, RELEASE, root], { stdio: 'ignore' });
    await packPackages(join(root, 'root'));
    copyFileSync('examples/api-keys.jsonl', join(root, 'root/keys.jsonl'));
    if (CERTIFICATES) copyFileSync(CERTIFICATES, join(root, 'root/certificates.pem'));
    await boot();
    atEndOf(scope, () => halt());
    inside('apt-get update');
  });

  test('has at most 12 commands', () => assert(commands.length <= 12));

  test('serves pages over HTTPS', async t => {
    for (const command of commands.slice(1)) {
      const start = performance.now();
      const printed = inside(withoutQuestions(command));
      t.diagnostic(`${((performance.now() - start) / 1000).toFixed(1)} s: ${command}`);
      const [secret] = /acme-admin01-\S+/.exec(printed) ?? [];
      if (secret)
        writeFileSync(join(root, 'root/headers'), `x-api-key: ${secret}\nacme-version: 2023-06-01\n`);
    }
    const ask = 'curl --silent --insecure --header @headers https://keys.localhost';
    await until('Caddy has its certificate', () => inside(`${ask}/readyz`, true) === READY);
    assert.equal(JSON.parse(inside(`${ask}/v1/organizations/api_keys?limit=2`)).data.length, 2);
    assert.match(inside('curl --silent http://127.0.0.1:9464/metrics'), /^http_request_duration/m);
  });

  test('has no unit that failed, and none with a fault', () => {
    assert.equal(inside('systemctl --failed --quiet --plain --no-legend'), '');
    assert.equal(inside('cd /usr/local/lib/systemd/system && systemd-analyze verify --man=no key* 2>&1'), '');
  });

  test('keeps a line for each request in a journal of its own, at any rate', async t => {
    const had = loggedPages();
    const pages = 'http://127.0.0.1:8080/v1/organizations/api_keys?[1-20000]';
    inside(`curl --silent --parallel --parallel-max 50 '${pages}' > /dev/null`);
    await until('each is there', () => loggedPages() === had + 20_000);
    t.diagnostic(`${had + 20_000} lines: ${inside('journalctl --namespace keyroster --disk-usage')}`);
  });

  test('lets the oldest lines of a full journal go, and serves on', async () => {
    const folder = '/etc/systemd/journald@keyroster.conf.d';
    const limits = '[Journal]\\nSystemMaxUse=24M\\nSystemMaxFileSize=8M\\n';
    inside(`mkdir ${folder} && printf '${limits}' > ${folder}/small.conf`);
    inside('systemctl restart systemd-journald@keyroster');
    const had = loggedPages();
    const pages = 'http://127.0.0.1:8080/v1/organizations/api_keys?[1-60000]';
    inside(`curl --silent --parallel --parallel-max 50 '${pages}' > /dev/null`);
    await ready();
    assert(loggedPages() < had + 60_000);
    inside(`rm --recursive ${folder} && systemctl restart systemd-journald@keyroster`);
  });

  test('has each line again after its journal was killed, and counts those that a stopped one does not take', async () => {
    const takesLines = (had = loggedPages()) =>
      until('the journal has a new line', () => {
        inside(PAGE_OF_NOBODY);
        return loggedPages() > had;
      });
    inside('systemctl kill --signal=KILL systemd-journald@keyroster');
    await takesLines();
    inside('systemctl stop systemd-journald@keyroster');
    const metrics = `${PAGE_OF_NOBODY} && sleep 0.1 && curl --silent http://127.0.0.1:9464/metrics`;
    await until('lines are counted', () => /^keyroster_log_lines_dropped_total [1-9]/m.test(inside(metrics)));
    inside('systemctl restart keyroster');
    await ready();
    await takesLines();
  });

  test('comes back after ten kills, and after a power cut, which takes at most the last 10 s of the log', async () => {
    for (let kill = 0; kill < 10; kill++) {
      inside('systemctl kill --signal=KILL keyroster');
      await ready();
    }
    const had = loggedPages();
    await setTimeout(10_500);
    process.kill(Number(systemd), 'SIGKILL');
    await until('the machine is off', () => !existsSync(`/proc/${systemd}`));
    await boot();
    await ready();
    assert.equal(loggedPages(), had);
    inside('keyroster check');
  });

  test('copies backups and the audit log to a second place, and tells when', async () => {
    inside(`install --directory ${TELLS} && install --directory --owner keyroster /srv/second`);
    inside('sed --in-place s,^SECOND_PLACE=.*,SECOND_PLACE=/srv/second, /etc/keyroster/keyroster.env');
    inside('systemctl start keyroster-backup keyroster-audit');
    const names = ['audit', 'backup', 'copy'].map(name => `${TELLS}/keyroster-${name}.prom`);
    await until('each has told', () => inside(`ls ${TELLS}/*`, true) === names.join('\n'));
    const success = /^keyroster_last_success_timestamp_seconds\{unit="keyroster-copy"\} \d{10}$/;
    assert.match(inside(`cat ${names[2]}`), success);
    assert.equal(inside('ls /srv/second/*.db | wc -l'), '2');
    assert.match(inside('cat /srv/second/audit-*.jsonl'), /"create_admin_key"|"action":/);
  });

  test('restores a backup, of a lost store by a copy of the audit log', async () => {
    const page = readFileSync('docs/runbooks.md', 'utf8');
    const [stop] = /systemctl stop keyroster\s+keyroster-feed/.exec(page) ?? assert.fail();
    const last = '$(ls /srv/second/*.db | tail -1)';
    inside(stop.replace(/\s+/g, ' '));
    assert.match(inside(`keyroster restore ${last}`), /^the store before is now .*\nall that ended since/);
    inside('rm --recursive /var/lib/keyroster/*');
    inside(`keyroster restore ${last} --audit-log $(ls /srv/second/audit-* | tail -1) || test $? = 4`);
    inside('keyroster restore --confirm && systemctl start keyroster');
    await ready();
  });

  test('replaces two services one by one without a failed request, as docs/operations.md shows', async () => {
    const health = ['health_uri /readyz', 'health_interval 2s', 'lb_try_duration 5s'];
    const page = readFileSync('docs/operations.md', 'utf8').replace(/\s+/g, ' ');
    for (const line of health) assert(page.includes(`\`${line}\``), line);
    inside('systemctl disable --now keyroster && systemctl enable --now keyroster@8081 keyroster@8082');
    const both = ['127.0.0.1:8081 127.0.0.1:8082 {', ...health].join('\\n');
    inside(`sed --in-place 's|127.0.0.1:8080 {|${both}|' /etc/caddy/Caddyfile && systemctl reload caddy`);
    const url = 'https://keys.localhost/v1/organizations/api_keys';
    const ask = 'curl --silent --insecure --header @headers --output /dev/null --write-out "%{http_code}\\n"';
    await until('Caddy has both', () => inside(`${ask} ${url}`, true) === '200');
    const restart = 'systemctl restart keyroster@$port && until curl --silent --fail 127.0.0.1:$port/readyz';
    const replace = `for port in 8081 8082; do sleep 2; ${restart}; do sleep 0.1; done > /dev/null; done`;
    const statuses = inside(
      `{ (${replace}) & ${ask} --rate 100/s '${url}?limit=[1-1000]' | sort | uniq --count; wait; }`,
    );
    assert.equal(statuses, '1000 200');
    assert.match(inside('curl --silent http://127.0.0.1:18082/metrics'), /^http_request_duration/m);
  });

  /** Starts the machine. */
  async function boot(): Promise<void> {
    const options = ['--quiet', '--register=no', '--keep-unit', '--bind-ro=/etc/resolv.conf', '--boot'];
    const args = [...options, '--console=read-only', '--machine=keyroster-soak', '--directory', root];
    const machine = spawn('systemd-nspawn', args, { stdio: 'ignore' });
    endOf(scope, machine);
    systemd = await until('systemd has a process', () => systemdOf(machine.pid));
    await until('it runs', () => /running|degraded/.test(inside('systemctl is-system-running', true)));
  }

  /** So that systemd-nspawn takes its mounts away. */
  async function halt(): Promise<void> {
    inside('systemctl poweroff', true);
    await until('the machine is off', () => !existsSync(`/proc/${systemd}`));
  }

  async function ready(): Promise<void> {
    await until('it is ready', () => inside('curl --silent 127.0.0.1:8080/readyz', true) === READY);
  }

  function loggedPages(): number {
    const pages = `grep --count '"route":"/v1/organizations/api_keys"'`;
    return Number(inside(`journalctl --namespace keyroster --output cat | ${pages}`, true));
  }

  /** With a name for which Caddy makes a certificate by itself. */
  function withoutQuestions(command: string): string {
    return command.replace('apt install', 'apt install --yes').replace('keys.example.com', 'keys.localhost');
  }

  /** Runs a command as root's shell in the container would, and returns what it printed. */
  function inside(command: string, mayFail = false): string {
    const env = {
      HOME: '/root',
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      DEBIAN_FRONTEND: 'noninteractive',
      ...(CERTIFICATES && { NODE_EXTRA_CA_CERTS: '/root/certificates.pem' }),
    };
    const args = ['--target', systemd, '--all', '/bin/bash', '-c', `cd /root && ${command}`];
    const options = { env, encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 600_000 } as const;
    const { status, stdout, stderr } = spawnSync('nsenter', args, options);
    assert(status === 0 || mayFail, `${command}: ${stdout}${stderr}`);
    return stdout.trim();
  }
});

/** The child that has become systemd. */
function systemdOf(pid: number | undefined): string | undefined {
  const file = `/proc/${pid}/task/${pid}/children`;
  const children = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ') : [];
  return children.find(child => child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8') === 'systemd\n');
}
