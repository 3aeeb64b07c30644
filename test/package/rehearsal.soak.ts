/** Rehearses a release by its packages, each on a machine with nothing else. It needs the registry of npm. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { before, describe, test } from 'node:test';
import { migrations } from '../../src/service/sqlite/migrations/schema.ts';
import { VERSION } from '../../src/shared/version.ts';
import { blocksIn, type DocBlock } from '../support/doc-blocks.ts';
import { assertPrinted, readerIn } from '../support/examples.ts';
import { freePort } from '../support/free-port.ts';
import { fromJsonLines } from '../support/import-file.ts';
import { packPackages } from '../support/installed-package.ts';
import { type LoneMachine, loneMachine } from '../support/lone-machine.ts';
import { isReady, underLoad } from '../support/rollout.ts';
import { type Scope, suiteScope, temporaryFolder } from '../support/scope.ts';
import { createDatabase } from '../support/stores.ts';
import { noTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const NEXT = VERSION.replace(/(\d+)\.\d+$/, (_, minor) => `${Number(minor) + 1}.0`);
const SCHEMA = migrations.length;
/** The step that the next release has more. */
const STEPS = {
  sqlite: { sql: 'ALTER TABLE api_keys ADD COLUMN note TEXT', usableFrom: SCHEMA },
  postgres: { statements: ['ALTER TABLE keyroster.api_keys ADD COLUMN note text'], usableFrom: SCHEMA },
};

const noRegistry = spawnSync('npm', ['ping']).status === 0 ? false : 'needs the registry of npm';

describe('a release', { skip: noTerminal || noRegistry }, () => {
  const scope = suiteScope();
  const packages = temporaryFolder(scope);
  before(async () => {
    await packPackages(packages);
    await packPackages(packages, nextTree(scope));
  });

  test('keyroster does on a machine with nothing else what its README shows', async t => {
    const { machine, here, port, url: KEYROSTER_BASE_URL } = await newReader(t, 'keyroster');
    const [install, ownStore, ask, mount] = blocksOf('service', 'keyroster', 4);
    await here.run(install);
    const KEYROSTER_ADMIN_KEY = adminKeyIn((await here.run(ownStore)).map(ran => ran.printed).join(''));
    const asked = async () => {
      const [answer] = await here.run(ask, { KEYROSTER_BASE_URL, KEYROSTER_ADMIN_KEY });
      assert.match(String(answer?.printed), /"data":\[\{"id":"apikey_1"/);
    };

    const service = await machine.start('keyroster serve', /listening on/);
    await asked();
    assert.equal((await fetch(`${KEYROSTER_BASE_URL}/console/`)).status, 200);
    assert.equal(await service.stop(), 0);

    await machine.run(`npm install ./${fileOf('keyroster')}`);
    writeFileSync(join(machine.home, 'server.mjs'), mount.text.replace('8080', String(port)));
    const server = await machine.start('node server.mjs', /^/);
    await until('it answers', () => isReady(port));
    await asked();
    await server.stop();
    await machine.run('npm uninstall keyroster && npm uninstall --global keyroster');
    const store = ['', '-shm', '-wal'].map(end => `data/keyroster.db${end}`);
    assert.deepEqual(leftOn(machine), [...store, 'keys.jsonl', 'server.mjs']);
  });

  test('the admin and the client do what their READMEs show, with the demo of keyroster', async t => {
    const { machine: vendor, url: URL } = await newReader(t, 'keyroster');
    await vendor.run(`npm install --global ./${fileOf('keyroster')}`);
    const demo = await vendor.start('keyroster demo', /console/);
    const adminKey = adminKeyIn(demo.output());

    const admin = await newReader(t, 'keyroster-admin');
    writeFileSync(join(admin.machine.home, 'admin-key.txt'), `${adminKey}\n`);
    for (const block of blocksOf('admin', 'keyroster-admin', 3)) await admin.here.run(block, { URL });
    await admin.machine.run('keyroster-admin logout && npm uninstall --global @keyroster/admin');
    assert.deepEqual(leftOn(admin.machine), ['admin-key.txt']);

    const { machine, here } = await newReader(t, 'keyroster-client');
    const [install, program, printed] = blocksOf('client', 'keyroster-client', 3);
    await here.run(install);
    writeFileSync(join(machine.home, 'keys.mjs'), program.text.replace('http://127.0.0.1:8080', URL));
    const lines = await machine.run(`KEYROSTER_ADMIN_KEY=${adminKey} node keys.mjs`);
    assertPrinted(lines, printed.text, 'src/client/README.md');
    await machine.run('npm uninstall @keyroster/client');
    assert.deepEqual(leftOn(machine), ['keys.mjs']);
    assert.equal(await demo.stop(), 0);
  });

  for (const kind of ['SQLite', 'PostgreSQL'])
    test(`an upgrade over ${kind}, and the way back, fails no request and loses no key`, async t => {
      const KEYROSTER_DATABASE_URL = kind === 'SQLite' ? 'sqlite:keyroster.db' : (await createDatabase()).url;
      const machine = loneMachine(t, { KEYROSTER_DATABASE_URL, KEYROSTER_RATE_LIMIT: '0' });
      for (const version of [VERSION, NEXT]) {
        cpSync(join(packages, fileOf('keyroster', version)), join(machine.home, 'keyroster.tgz'));
        const beside = `--global --prefix ${machine.home}/${version}`;
        await machine.run(`npm install ${beside} ./keyroster.tgz pg@8 pg-copy-streams@7`);
        assert.equal(await machine.run(`${version}/bin/keyroster --version`), `${version}\n`);
      }
      const [now, next] = [`${VERSION}/bin/keyroster`, `${NEXT}/bin/keyroster`];
      const keys = join(machine.home, VERSION, 'lib/node_modules/keyroster/examples/api-keys.jsonl');
      await machine.run(`${now} migrate`);
      await machine.run(`${now} organizations create "Example Ltd" --id org_example`);
      await machine.run(`${now} import ${keys} --organization org_example`);
      const create = `${now} admin-keys create --organization org_example --name soak`;
      const adminKey = adminKeyIn(await machine.run(create));

      const stored = fromJsonLines(readFileSync(keys, 'utf8')).map(({ id }) => id);
      const load = await underLoad(machine, { program: now, adminKey, stored }, async replaceAll => {
        assert.equal(await machine.run(`${next} migrate --plan`), `migration ${SCHEMA + 1}\n`);
        assert.equal(await machine.run(`${next} migrate`), 'applied 1 migration(s)\n');
        await replaceAll(next);
        await replaceAll(now);
        const status = await machine.run(`${now} migrate --status`);
        assert(status.startsWith(`the store has schema ${SCHEMA + 1}; this release has ${SCHEMA},`), status);
      });
      t.diagnostic(load);
    });

  /** A machine with the file of a package, for which the service has a free port in the place of 8080. */
  async function newReader(t: Scope, file: string) {
    const port = await freePort();
    const machine = loneMachine(t, { KEYROSTER_PORT: String(port) });
    cpSync(join(packages, fileOf(file)), join(machine.home, fileOf(file)));
    const noneOfTheTests = { NODE_OPTIONS: '', NODE_COMPILE_CACHE: '', XDG_CONFIG_HOME: '', NO_COLOR: '1' };
    const here = readerIn(machine.home, { ...machine.env, ...noneOfTheTests });
    return { machine, here, port, url: `http://127.0.0.1:${port}` };
  }
});

/** The working tree, made the next release in another folder. */
function nextTree(scope: Scope): string {
  const tree = join(temporaryFolder(scope), 'tree');
  const filter = (path: string) => !['node_modules', 'dist', '.git'].includes(basename(path));
  cpSync('.', tree, { recursive: true, filter });
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
  for (const file of ['package.json', 'src/shared/version.ts'])
    writeFileSync(join(tree, file), readFileSync(file, 'utf8').replace(VERSION, NEXT));
  for (const [store, step] of Object.entries(STEPS)) {
    const more = `(migrations as Migration[]).push(${JSON.stringify(step)});\n`;
    writeFileSync(join(tree, `src/service/${store}/migrations/schema.ts`), more, { flag: 'a' });
  }
  return tree;
}

const fileOf = (name: string, version = VERSION) => `${name}-${version}.tgz`;

/** The blocks of a README, each of which has to be known here, with the file of the package in the place of its name. */
function blocksOf(part: string, name: string, count: number) {
  const blocks = blocksIn(`src/${part}/README.md`);
  assert.equal(blocks.length, count);
  const withFile = (text: string) => text.replace(/^(npm install (--global )?)\S+/, `$1./${fileOf(name)}`);
  type Blocks = [DocBlock, DocBlock, DocBlock, DocBlock];
  return blocks.map(each => ({ ...each, text: withFile(each.text) })) as Blocks;
}

const adminKeyIn = (printed: string) => /vendor-admin01-\w+/.exec(printed)?.[0] ?? assert.fail(printed);

/** The files in the home folder, without Node, npm's own and what the test put there to begin with. */
function leftOn({ home }: LoneMachine): string[] {
  return (readdirSync(home, { recursive: true }) as string[])
    .filter(path => !lstatSync(join(home, path)).isDirectory())
    .filter(path => !/^(bin\/node|\.npm\/.*|.*package(-lock)?\.json|.*\.tgz|example\.sh)$/.test(path))
    .sort();
}
