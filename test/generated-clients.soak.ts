/** Clients that others' generators make of /openapi.json. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keyroster, startKeyroster } from './support/command-line.ts';
import { suiteScope, temporaryFolder } from './support/scope.ts';
import { idsOf, numberedKeys, startSeededService } from './support/seeded-service.ts';

/** Its commands run in a folder with the files of `test/generated-clients/` and the service's `openapi.json`. */
interface Client {
  readonly name: string;
  /** Where one of these fails, its tests are skipped. */
  readonly install: readonly string[];
  /** Generates the client, and compiles it with the program that walks. */
  readonly build: readonly string[];
  /** Prints the ID of each key, and then the refusal of a workspace that can't be. */
  readonly walk: string;
}

const NPM = 'npm install --no-save --ignore-scripts --no-audit --no-fund';
const PIP = 'pip install --quiet --disable-pip-version-check';
const VENV = 'python3 -m venv .';
const MAVEN = 'mvn --quiet --batch-mode -Dmaven.repo.local=m2';
const JAR = 'openapi-generator-cli';

const clients: readonly Client[] = [
  {
    name: 'oapi-codegen 2.8.2 (Go)',
    install: [
      'go mod init walk',
      'go get -tool github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
      'go get github.com/oapi-codegen/runtime@v1.8.0',
    ],
    build: [
      'mkdir -p client',
      'go tool oapi-codegen -package client -generate types,client -o client/client.go openapi.json',
      'go vet -mod=mod ./...',
    ],
    walk: 'go run .',
  },
  {
    name: 'openapi-python-client 0.29.1 (Python)',
    // ruff 0.17, which tidies the client up, makes types of its Any that mypy refuses.
    install: [VENV, `${PIP} openapi-python-client==0.29.1 mypy==2.4.1 ruff==0.14.6`],
    build: [
      'openapi-python-client generate --path openapi.json --meta none --output-path client --overwrite --fail-on-warning',
      'mypy --strict client walk.py',
    ],
    walk: 'python walk.py',
  },
  {
    name: 'openapi-typescript 7.13.0 and openapi-fetch 0.17.0 (TypeScript)',
    install: [`${NPM} openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@26.6.6`],
    build: [
      'openapi-typescript openapi.json -o client.d.ts',
      'tsc --noEmit --strict --exactOptionalPropertyTypes --module nodenext --allowImportingTsExtensions walk.mts',
    ],
    walk: 'node walk.mts',
  },
  {
    name: 'openapi-generator 7.25.0 (Java)',
    install: [
      'javac -version',
      `${MAVEN} dependency:copy -Dartifact=org.openapitools:${JAR}:7.25.0 -DoutputDirectory=. -Dmdep.stripVersion`,
    ],
    build: [
      `java -jar ${JAR}.jar generate -i openapi.json -g java --library native -o .`,
      `${MAVEN} dependency:copy-dependencies -DoutputDirectory=lib`,
      'javac -cp lib/* -sourcepath src/main/java -d classes Walk.java',
    ],
    walk: 'java -cp lib/*:classes Walk',
  },
];

/** Of all types, with values that a client may not know how to name. */
const FIELDS = [
  ['last_used_at', '--type', 'timestamp'],
  ['uses', '--type', 'integer'],
  ['pinned', '--type', 'boolean'],
  ['class', '--type', 'one-of', '--values', 'free,2 x'],
  ['note', '--type', 'text', '--max-length', '9'],
];
/** The integer has more than 32 bits. */
const VALUES = {
  last_used_at: '2026-11-20T17:03:11Z',
  uses: 3_000_000_000,
  pinned: true,
  class: '2 x',
  note: 'n',
};

interface Service {
  readonly url: string;
  readonly adminKey: string;
  readonly document: unknown;
  /** From the store's export. */
  readonly ids: readonly string[];
}

const SERVE = ['serve', '--port', '0', '--rate-limit', '0', '--vendor', 'anthropic', '--bearer'];

describe('a roster of several pages', () => {
  const scope = suiteScope();
  const services: Service[] = [];
  before(async () => {
    services.push(await serve([]), await serve(FIELDS));
  });

  async function serve(fields: readonly string[][]): Promise<Service> {
    const { database, organization, secret } = await startSeededService(scope, numberedKeys(300));
    const operate = async (args: readonly string[], input = '') => {
      const { exitCode, stdout, stderr } = await keyroster([...args, '--database', database], { input });
      assert.equal(exitCode, 0, stderr);
      return stdout;
    };
    const exported = await operate(['export', '--organization', organization]);
    const records = linesOf(exported).map(line => JSON.parse(line));
    for (const field of fields) await operate(['fields', 'add', ...field]);
    const values = fields.length > 0 ? VALUES : {};
    const lines = records.map((record, index) =>
      JSON.stringify(index % 2 ? record : { ...record, ...values }),
    );
    await operate(['import', '-', '--organization', organization], lines.join('\n'));

    const running = startKeyroster(scope, [...SERVE, '--database', database]);
    const [, url = ''] = await running.line(/"msg":"listening on (http:[^"]+)"/);
    const document = await (await fetch(`${url}/openapi.json`)).json();
    return { url, adminKey: secret, document, ids: idsOf(records) };
  }

  /** Each for a service without declared fields, then for one with them. */
  for (const { name, install, build, walk } of clients)
    test(name, async t => {
      const folder = temporaryFolder(t);
      cpSync(fileURLToPath(new URL('generated-clients', import.meta.url)), folder, { recursive: true });
      for (const command of install) {
        const { failure } = await attempt(folder, command);
        if (failure) return t.skip(`nothing was tested: ${failure}`);
      }
      for (const service of services) {
        writeFileSync(join(folder, 'openapi.json'), JSON.stringify(service.document));
        const run = async (command: string) => {
          const { failure, stdout } = await attempt(folder, command, service);
          assert.equal(failure, undefined);
          return stdout;
        };
        for (const command of build) await run(command);
        const refusal =
          'invalid_request_error workspace_id: must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key';
        assert.deepEqual(linesOf(await run(walk)), [...service.ids, refusal]);
      }
    });
});

const linesOf = (text: string) => text.trim().split('\n');

async function attempt(
  folder: string,
  command: string,
  service?: Service,
): Promise<{ failure?: string; stdout: string }> {
  const [program = '', ...args] = command.split(' ');
  const env = {
    ...process.env,
    PATH: [join(folder, 'bin'), join(folder, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    // Go's modules come into the folder too, and can be removed from it.
    GOPATH: join(folder, 'go'),
    GOFLAGS: '-modcacherw',
    ...(service && { BASE_URL: service.url, ADMIN_KEY: service.adminKey }),
  };
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env, timeout: 300_000 });
    return { stdout };
  } catch (error) {
    const { message, stdout } = error as Error & { stdout: string };
    return { failure: `${message}\n${stdout}`, stdout };
  }
}
