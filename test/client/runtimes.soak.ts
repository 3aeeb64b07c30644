/** The packed client in every runtime that it is for. They are installed from the registry, so this isn't in npm test. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { assertNoTrace } from '../support/canaries.ts';
import { makePair } from '../support/certificate.ts';
import { type Fault, startFaultInjectingProxy } from '../support/fault-injecting-proxy.ts';
import { packPackages } from '../support/installed-package.ts';
import { listen } from '../support/listen.ts';
import { type Scope, suiteScope, temporaryFolder } from '../support/scope.ts';
import { numberedKeys, type SeededService, startSeededService } from '../support/seeded-service.ts';

const SCRIPT = 'in-any-runtime.js';
const KEYS = 45;

interface Runtime {
  /** What npm installs. */
  readonly package: string;
  /** Its program in the folder of the installation, and its arguments before the script. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Its code for a certificate of an unknown issuer; `null`: it has no codes, so that is a network_error. */
  readonly certificateCode: string | null;
  /** Its code where `https://` leads to a port without TLS. */
  readonly noTlsCode?: string;
}

const inNode = { program: 'node/bin/node', certificateCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' };
const runtimes: readonly Runtime[] = [
  // 20.0.0 is the first that `engines` of src/client/package.json allows.
  ...['20.0.0', '20', '22', '24', '26'].map(version => ({ package: `node@${version}`, ...inNode })),
  {
    package: 'bun',
    program: '.bin/bun',
    certificateCode: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    noTlsCode: 'EPROTO',
  },
  {
    package: 'deno',
    program: '.bin/deno',
    args: ['run', '--no-prompt', '--allow-net=127.0.0.1,no-such-host.invalid'],
    certificateCode: null,
  },
];

const run = promisify(execFile);

async function npmInstall(folder: string, what: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, 'package.json');
  writeFileSync(manifest, JSON.stringify({ private: true, type: 'module' }), { flag: 'a' });
  await run('npm', ['install', '--no-audit', '--no-fund', what], { cwd: folder, timeout: 240_000 });
}

async function startTls(scope: Scope): Promise<string> {
  const server = createServer(makePair(), (_, response) => response.end('{}'));
  const port = await listen(scope, server);
  return `https://127.0.0.1:${port}`;
}

describe('the client, packed and installed', () => {
  const scope = suiteScope();
  let folder: string;
  let listed: SeededService;
  let tls: string;
  before(async () => {
    folder = temporaryFolder(scope);
    const { client } = await packPackages(folder);
    await npmInstall(folder, join(folder, client.filename));
    copyFileSync(fileURLToPath(new URL(SCRIPT, import.meta.url)), join(folder, SCRIPT));
    writeFileSync(join(folder, 'deno.json'), '{ "nodeModulesDir": "manual" }');
    listed = await startSeededService(scope, numberedKeys(KEYS));
    tls = await startTls(scope);
  });

  for (const runtime of runtimes) {
    test(`walks, retries, fails and goes on in ${runtime.package}`, async t => {
      const home = join(folder, 'runtimes', runtime.package);
      const missing = await npmInstall(home, runtime.package).then(
        () => null,
        error => `nothing was tested: npm can't install ${runtime.package}: ${error.message}`,
      );
      if (missing !== null) return t.skip(missing);
      const program = join(home, 'node_modules', runtime.program);
      t.diagnostic(`${runtime.package}: ${(await run(program, ['--version'])).stdout.split('\n')[0]}`);

      const proxy = async (...faults: (Fault | null)[]) => {
        const started = await startFaultInjectingProxy(t, listed.service.url);
        started.inject(faults);
        return started.url;
      };
      const settings = {
        direct: listed.service.url,
        failing: await proxy(
          'load balancer 502',
          null,
          'dropped',
          'load balancer 504',
          'half of the chunks',
          'rate limit',
        ),
        breaking: await proxy(null, null, 'overload', null, 'half of a known length', 'load balancer 504'),
        silent: await proxy('silence', 'silence'),
        tls,
        secret: listed.secret,
      };
      const args = [...(runtime.args ?? []), SCRIPT, JSON.stringify(settings)];
      const { stdout, stderr } = await run(program, args, { cwd: folder, timeout: 60_000 });
      assertResults(JSON.parse(stdout), listed.ids, runtime);
      assert.match(stderr, /KeyrosterError/);
      assertNoTrace([listed.secret], stderr, 'what the runtime prints');
    });
  }
});

function assertResults(
  { nothingListens, ...results }: Readonly<Record<string, unknown>>,
  ids: readonly string[],
  runtime: Runtime,
): void {
  const hasCodes = runtime.certificateCode !== null;
  const numbers = ids.map((_, number) => number);
  const error = (type: string, rest: object = {}) => ({
    type,
    status: null,
    code: null,
    resume: {},
    ...rest,
  });
  assert.deepEqual(results, {
    forward: ids,
    backward: ids.slice(0, 44).reverse(),
    filtered: numbers.filter(number => number % 3 === 0 && number % 2 === 1).map(number => `k${number}`),
    withKeyOfFunction: ids,
    retried: ids,
    neighbours: ['k4', 'k5', 'k0'],
    unknownCursor: error('invalid_request_error', { status: 400, resume: { after_id: 'nobody' } }),
    wrongKey: error('authentication_error', { status: 401 }),
    failedFunction: error('admin_key_error'),
    timeout: error('timeout_error'),
    certificate: error(hasCodes ? 'certificate_error' : 'network_error', { code: runtime.certificateCode }),
    noTls: error('network_error', {
      code: hasCodes ? (runtime.noTlsCode ?? 'ERR_SSL_WRONG_VERSION_NUMBER') : null,
    }),
    unknownHost: error('network_error', { code: hasCodes ? 'ENOTFOUND' : null }),
    aborted: 'RangeError: enough',
    resumed: ids.flatMap(
      (id, index) => ({ 14: ['failed', id], 21: ['failed', 'failed', id] })[index] ?? [id],
    ),
  });
  // Each runtime has a code of its own for it.
  assert.equal((nothingListens as { type: string }).type, 'network_error');
}
