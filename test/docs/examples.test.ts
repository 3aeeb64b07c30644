import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { importFile } from '../../src/operator/import/run-import.ts';
import type { OrganizationId } from '../../src/shared/record/identifier.ts';
import { openBetterAuth } from '../support/adopted/better-auth.ts';
import { vendorDatabase } from '../support/adopted/vendor-database.ts';
import { runNode } from '../support/command-line.ts';
import { blockOf, blocksIn, type DocBlock } from '../support/doc-blocks.ts';
import { assertPrinted, isConsole, printedIn, type Ran, type Reader, reader } from '../support/examples.ts';
import { jsonLines, record } from '../support/import-file.ts';
import { newStore, writerOf } from '../support/opened.ts';
import { createAdminKey, now, sqlite } from '../support/roster.ts';
import { runSql } from '../support/run-sql.ts';
import { type Scope, suiteScope } from '../support/scope.ts';
import { serveStore } from '../support/service.ts';
import { noTerminal } from '../support/terminal.ts';

const ROOT = new URL('../../', import.meta.url);
const ORGANIZATION = 'org_example' as OrganizationId;
const pages = [
  ...readdirSync(ROOT).filter(name => name.endsWith('.md')),
  ...readdirSync(new URL('docs/', ROOT))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
  ...['service', 'admin', 'client'].map(part => `src/${part}/README.md`),
];

/** Blocks that aren't run here, by their beginning, each with the reason. Each must exist. */
const NOT_RUN = `
README.md
  npm ci && npm run demo # test/operator/commands/demo.test.ts runs the demo
docs/architecture.md
  serve  -> server/service.ts, request-order.ts -> server/handle.ts # a drawing
  import, feed: a line # a drawing
  the wire -> Transport # a drawing
docs/production.md
  npm ci && npm run packages # installs the project itself
  apt install # needs root; test/deploy/production.soak.ts runs it
  sed --in-place # needs systemd; test/deploy/production.soak.ts runs it
  sed s/NAME/ # needs Caddy; test/deploy/production.soak.ts runs it
docs/installing.md
  docker build # needs an engine of containers; test/deploy/files.unit.ts checks the file by a parser
  keyroster() # needs an engine of containers
  kubectl create secret # needs a cluster
  kubectl create configmap # needs a cluster
  umask 077 # needs an engine of containers
  npm install --global # needs the registry; test/package/install.soak.ts runs it
  npm ci && npm run build # needs the registry; test/package/install.soak.ts runs it
  node --max-semi # a supervisor's line; test/package/installed.soak.ts starts the package so
docs/issuing.md
  import os, psycopg # needs psycopg; test/service/writer/installed-libraries.soak.ts runs it
  import re # test/docs/hint.test.ts runs it
  CREATE FUNCTION # test/docs/hint.test.ts runs it
  UPDATE keyroster.api_keys # test/service/postgres/roles.test.ts runs it
docs/library.md
  import { createServer # test/package/installed.soak.ts runs it in an installed package
  import { createKeyroster # test/package/installed.soak.ts runs it in an installed package
  200 2 # test/package/installed.soak.ts compares it
  import { jwtAuthentication # test/package/installed.soak.ts runs it in an installed package
  import { test } # test/package.test.ts runs it in an installed package
docs/mysql.md
  npm install # needs the registry; test/examples/mysql.soak.ts runs it
  cat mysql/table.sql # needs MySQL or MariaDB; test/examples/mysql.soak.ts runs what it runs
src/service/README.md
  npm install # needs the registry; test/package/rehearsal.soak.ts runs it
  import { createServer # test/package/rehearsal.soak.ts runs it in an installed package
src/admin/README.md
  npm install # needs the registry; test/package/rehearsal.soak.ts runs it
src/client/README.md
  npm install # needs the registry; test/package/rehearsal.soak.ts runs it
  import { KeyrosterClient # test/package/rehearsal.soak.ts runs it in an installed package
  [  # test/package/rehearsal.soak.ts compares it
docs/client.md
  import { readFile # test/package/installed.soak.ts runs it in an installed package
  failed after # test/package/installed.soak.ts compares it
docs/your-table.md
  "organization_id": { # a part of a mapping; test/operator/adopt/joins.test.ts adopts such ones
docs/postgresql.md
  CREATE ROLE keyroster_owner # makes a role of the server that all tests share
  psql  # needs psql; test/service/postgres/least-privilege.test.ts runs the file
  REVOKE TEMPORARY # test/service/postgres/least-privilege.test.ts runs it
  ALTER ROLE org_example_issuer # test/service/postgres/servers-log.test.ts runs it
  CREATE VIEW # test/service/postgres/roles.test.ts runs it
docs/operations.md
  indexes: the index api_keys_listing_status # of a broken store; test/operator/commands/check.test.ts compares it
  {"level":30 # a log line: test/operator/commands/serve-settings.test.ts compares its fields
docs/runbooks.md
  pg_dump  # needs pg_dump; test/service/postgres/moving.soak.ts moves a schema by it
  CREATE ROLE keyroster_reader_2 # test/service/postgres/roles.test.ts runs it
  SELECT usename # test/service/postgres/roles.test.ts runs it
docs/releasing.md
  git checkout v0.2.0 # needs a release; test/reproducible-package.soak.ts compares two clones
docs/admin.md
  {\\n  "policies" # policies: test/admin/report/parse-policies.unit.ts reads them
  0 7 * *  # a line of a crontab, which cron runs`;
const notRun = NOT_RUN.split(/\n(?! )/)
  .slice(1)
  .flatMap(part => {
    const [page = '', ...rows] = part.split('\n  ');
    return rows.map(row => [page, String(row.split(' # ')[0]).replaceAll('\\n', '\n')] as const);
  });

/** A folder for settings, and variables as on a new machine. */
function newMachine({ folder }: Reader, { KEYROSTER_BASE_URL = '', KEYROSTER_ADMIN_KEY = '' }: Env) {
  writeFileSync(join(folder, 'admin-key.txt'), `${KEYROSTER_ADMIN_KEY}\n`);
  const XDG_CONFIG_HOME = join(folder, 'config');
  return { URL: KEYROSTER_BASE_URL, KEYROSTER_BASE_URL: '', KEYROSTER_ADMIN_KEY: '', XDG_CONFIG_HOME };
}

type Env = Readonly<Record<string, string>>;
/** Sets up what a block needs beyond the blocks before it. Returns variables to add to its environment. */
type Prepare = (reader: Reader, scope: Scope, pageEnv: Env) => Promise<Record<string, string>>;

const CREATE = 'keyroster organizations create "Example Ltd" --id org_example';
const IMPORT = 'keyroster import examples/api-keys.jsonl --organization org_example';

const after =
  (...commands: readonly string[]): Prepare =>
  async here => {
    for (const command of commands) await here.run(commandBlock(command));
    return {};
  };

const withFile =
  (name: string, text: () => string): Prepare =>
  async ({ folder }) => {
    writeFileSync(join(folder, name), text(), { mode: 0o600 });
    return {};
  };

type Preparation = readonly [page: string, start: string, prepare: Prepare];

/** The file that a block shows by `cat`. */
const shownFile = (page: string, name: string): Preparation => [
  page,
  `$ cat ${name}`,
  withFile(name, () => printedIn(blockOf(page, `$ cat ${name}`))[0] ?? ''),
];

const preparations: readonly Preparation[] = [
  ...[
    ['docs/admin.md', '$ keyroster-admin login'],
    ['docs/admin.md', '$ keyroster-admin report --all-profiles'],
    ['docs/any-service.md', '$ keyroster-admin login'],
    ['src/admin/README.md', '$ keyroster-admin login'],
  ].map(
    ([page = '', start = '']): Preparation => [
      page,
      start,
      async (here, _, pageEnv) => newMachine(here, pageEnv),
    ],
  ),
  [
    'docs/postgresql.md',
    'export KEYROSTER_DATABASE_URL=postgres',
    async (_, scope) => ({ KEYROSTER_DATABASE_URL: (await newStore(scope)).url }),
  ],
  [
    'docs/operations.md',
    'keyroster audit --format jsonl --database sqlite:data/keyroster.db',
    async (here, scope, pageEnv) => {
      await after('keyroster migrate', CREATE, IMPORT)(here, scope, pageEnv);
      return { NEW: (await newStore(scope)).url };
    },
  ],
  // An earlier block has created the organization.
  ['docs/operations.md', '$ keyroster organizations create', after('rm -r data && keyroster migrate')],
  ['docs/operations.md', '$ keyroster set-status archived', after(IMPORT)],
  ['docs/operations.md', '$ keyroster admin-keys create', here => anAdminKey(here)],
  [
    'docs/production.md',
    'keyroster organizations create',
    async (...where) => {
      await after('keyroster migrate')(...where);
      return withFile('keys.jsonl', () => jsonLines([record('apikey_1')]))(...where);
    },
  ],
  shownFile('docs/admin.md', 'people.csv'),
  [
    'docs/admin.md',
    '$ cat users.json',
    async (...where) => {
      const [users = '', okta = ''] = printedIn(blockOf('docs/admin.md', '$ cat users.json'));
      await withFile('users.json', () => users)(...where);
      return withFile('okta.csv', () => okta)(...where);
    },
  ],
  shownFile('docs/feed.md', 'keys.jsonl'),
  ['docs/operations.md', '$ keyroster import bad.jsonl', withFile('bad.jsonl', badLines)],
  [
    'docs/runbooks.md',
    '$ keyroster restore',
    after('keyroster migrate', CREATE, 'keyroster backup keyroster-2026-11-22.db'),
  ],
  ['docs/runbooks.md', '$ keyroster admin-keys list', here => anAdminKey(here)],
  [
    'docs/runbooks.md',
    '$ grep adminkey_',
    async here => {
      const { ADMIN_KEY_ID = '' } = await anAdminKey(here);
      const line = { level: 30, time: Date.now(), admin_key_id: ADMIN_KEY_ID, status: 200, rows: 20 };
      const refused = { ...line, rows: undefined, status: 400 };
      const others = { ...line, admin_key_id: 'adminkey_other' };
      writeFileSync(join(here.folder, 'requests.log'), jsonLines([line, others, refused, line]));
      return { ADMIN_KEY_ID };
    },
  ],
];

/** The request whose answer a block of JSON shows, where no command before the block prints it. */
const REQUEST = ['docs/api.md', '{\n  "type": "error"', 'limit=0&stauts=active'] as const;

describe('the examples of the docs', { skip: noTerminal }, () => {
  const scope = suiteScope();
  let env: Record<string, string>;
  before(async () => {
    env = await exampleService(scope);
  });

  test('each block that is not run here exists', () => {
    for (const [file, start] of notRun) blockOf(file, start);
  });

  for (const page of pages) {
    test(`the examples of ${page} print what the page shows`, async () => {
      const pageEnv = { ...env, ...(await databasesOf[page]?.(scope)) };
      const here = reader(scope, pageEnv);
      let last: Ran[] = [];
      for (const block of blocksIn(page)) last = await follow(here, block, last, pageEnv);
    });
  }

  /** Runs a block as a reader would. Returns what its commands printed, or else what the commands before it printed. */
  async function follow(
    here: Reader,
    block: DocBlock,
    last: Ran[],
    pageEnv: Record<string, string>,
  ): Promise<Ran[]> {
    const where = `${block.file}:${block.line}`;
    const isThis = ([file, start]: readonly [string, string, ...unknown[]]) =>
      file === block.file && block.text.startsWith(start);
    if (notRun.some(isThis)) return last;
    const added = (await preparations.find(isThis)?.[2](here, scope, pageEnv)) ?? {};
    if (isConsole(block.text) || block.language === 'sh') return here.run(block, added);
    if (block.language === '' && last.length > 0) {
      assertPrinted(last.map(({ printed }) => printed).join(''), block.text, where);
      return [];
    }
    if (block.language === 'json') {
      const answer = isThis(REQUEST) ? await answerTo(REQUEST[2]) : last.at(-1)?.printed;
      const shown = (text: string) => JSON.stringify(JSON.parse(text));
      assertPrinted(shown(answer || 'null'), shown(block.text), where);
      return [];
    }
    if (block.language === 'js') await runScript(here, block, pageEnv);
    else if (block.language === 'sql') await runStatements(block);
    else if (block.language === 'csv') await importCsv(here, block);
    else
      assert.fail(
        `${where}: can't run this block: begin it with "$ ", mark it as sh, or add it with a reason to NOT_RUN`,
      );
    return last;
  }

  async function answerTo(query: string): Promise<string> {
    const headers = { 'x-api-key': String(env.KEYROSTER_ADMIN_KEY), 'vendor-version': '2023-06-01' };
    const answer = await fetch(`${env.KEYROSTER_BASE_URL}/v1/organizations/api_keys?${query}`, { headers });
    return answer.text();
  }

  /** Compares with the text "It prints ..." that follows the block. */
  async function runScript(
    here: Reader,
    { file, text }: DocBlock,
    env: Record<string, string>,
  ): Promise<void> {
    writeFileSync(join(here.folder, 'example.mjs'), text);
    const finished = await runNode(['example.mjs'], { cwd: here.folder, env });
    const page = readFileSync(new URL(file, ROOT), 'utf8');
    const [, expected] = /It prints `([^`]+)`/.exec(page.slice(page.indexOf(text))) ?? [];
    assert.deepEqual(finished, { exitCode: 0, stdout: `${expected}\n`, stderr: '' });
  }

  async function runStatements({ text }: DocBlock): Promise<void> {
    const store = await newStore(scope);
    const writer = await writerOf(scope, store);
    await writer.createOrganization({ id: ORGANIZATION, name: 'Example Ltd', createdAt: now() });
    await runSql(store.url, text);
  }

  async function importCsv(here: Reader, { text }: DocBlock): Promise<void> {
    writeFileSync(join(here.folder, 'example.csv'), text);
    const [ran] = await here.run(commandBlock('keyroster import example.csv --organization org_example'));
    assertPrinted(String(ran?.printed), 'inserted 1, updated 0, unchanged 0, refused 0, import …', 'the CSV');
  }
});

/** better-auth's own table, with three keys of one user that better-auth has made. */
async function betterAuthDatabase(scope: Scope): Promise<string> {
  const { url, client } = await vendorDatabase(scope);
  const auth = await openBetterAuth(url);
  await auth.migrate();
  await client.query(`INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
    VALUES ('user_ada', 'Ada', 'ada@example.com', true, now(), now())`);
  for (const name of ['Billing', 'Website', 'Nightly export'])
    await auth.api().createApiKey({ body: { userId: 'user_ada', prefix: 'shop_', name } });
  await auth.close();
  return url;
}

/** Makes an admin key, whose ID takes the place of those in the docs. */
async function anAdminKey(here: Reader): Promise<Record<string, string>> {
  const create = 'keyroster admin-keys create --organization org_example --name audit --json';
  const [created] = await here.run(commandBlock(create));
  return { ADMIN_KEY_ID: JSON.parse(String(created?.printed)).id };
}

const commandBlock = (command: string): DocBlock => ({
  file: '',
  line: 0,
  language: 'sh',
  text: `${command}\n`,
});

/** The database of a page that needs one with something in it. */
const databasesOf: Readonly<Record<string, (scope: Scope) => Promise<Record<string, string>>>> = {
  'docs/issuing.md': async scope => ({ KEYROSTER_DATABASE_URL: (await newStore(scope)).url }),
  'docs/feed.md': async scope => ({ KEYROSTER_DATABASE_URL: (await newStore(scope)).url }),
  'docs/your-table.md': async scope => ({ KEYROSTER_DATABASE_URL: await betterAuthDatabase(scope) }),
};

/** Starts a service over the example roster. Returns the environment variables that a reader would set for it. */
async function exampleService(scope: Scope): Promise<Record<string, string>> {
  const store = await newStore(scope, sqlite);
  const writer = await writerOf(scope, store);
  await writer.createOrganization({ id: ORGANIZATION, name: 'Example Ltd', createdAt: now() });
  await importFile(writer, { id: ORGANIZATION }, 'examples/api-keys.jsonl');
  const KEYROSTER_ADMIN_KEY = await createAdminKey(writer, ORGANIZATION);
  const service = await serveStore(scope, store);
  return { KEYROSTER_BASE_URL: service.url, KEYROSTER_ADMIN_KEY, KEYROSTER_PORT: '0' };
}

/** The lines of bad.jsonl, with the faults that docs/operations.md shows. */
function badLines(): string {
  const right = record('apikey_2');
  const texts = { secret: 's', created_at: 'x', partial_key_hint: 'x', status: 'x' };
  const wrong = { ...texts, created_by: { id: 'u', type: 'x' } };
  const key = 'sk-ven-api03-R2DxxxxxxxxxxxxxxxxxxigAA';
  const lines = [right, record('apikey_3', wrong), right, record('apikey_4', { name: key })];
  return `${jsonLines(lines)}not JSON\n`;
}
