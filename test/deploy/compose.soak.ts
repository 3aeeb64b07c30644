/** What deploy/compose.yaml starts, one after another, with the image and a PostgreSQL of this machine. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { noContainers, runContainer, startContainer } from '../support/deploy/container.ts';
import { composeServices } from '../support/deploy/files.ts';
import { buildImage, type Image } from '../support/deploy/image.ts';
import { freePort } from '../support/free-port.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { runSql } from '../support/run-sql.ts';
import { atEndOf, suiteScope } from '../support/scope.ts';

const noPsql = spawnSync('psql', ['--version']).status !== 0 && 'needs psql';
/** What a reader writes into deploy/.env. No URL and no SQL may break at it. */
const PASSWORDS: Readonly<Record<string, string>> = {
  OWNER_PASSWORD: "o'wner $/@%41",
  READER_PASSWORD: "r'ea\\der $/@%41",
};
const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));

describe('deploy/compose.yaml', { skip: noContainers || noPsql }, () => {
  const scope = suiteScope();
  const { commands, roles, serve } = composeServices;
  let image: Image;
  let server: PostgresServer;

  /** The variables of a service, which reach PostgreSQL where it is here. */
  const envOf = ({ environment }: { environment: Record<string, string> }): Record<string, string> => {
    const values = Object.entries(environment).map(([name, value]) => [
      name,
      value
        .replace(/\$\{(\w+)[^}]*\}/g, (_, variable) => String(PASSWORDS[variable]))
        .replace(/@postgres\/|^postgres$/, host => host.replace('postgres', '127.0.0.1')),
    ]);
    return { ...Object.fromEntries(values), PGPORT: String(server.port) };
  };

  before(async () => {
    image = buildImage(scope);
    server = await startPostgres();
    atEndOf(scope, () => server.stop());
    const owner = PASSWORDS.OWNER_PASSWORD?.replaceAll("'", "''");
    await runSql(`${server.url}/postgres`, `CREATE ROLE keyroster_owner SUPERUSER LOGIN PASSWORD '${owner}'`);
    await runSql(`${server.url}/postgres`, 'CREATE DATABASE keyroster OWNER keyroster_owner');
  });

  const command = (args: readonly string[]) => runContainer(scope, image, args, { env: envOf(commands) });

  test('migrates, makes the roles and serves as the reader; and does so again, as for a new release', async t => {
    for (const migrated of [/^applied \d+ migration\(s\)\n$/, /^the schema is up to date\n$/]) {
      const { exitCode, stdout, stderr } = await command(commands.command);
      assert.match(stdout, migrated);
      assert.deepEqual([exitCode, stderr], [0, '']);
      runRoles();
      const port = await freePort();
      const env = { ...envOf(serve), KEYROSTER_PORT: String(port) };
      const service = startContainer(t, image, [...image.entrypoint, ...serve.command], {
        env,
      });
      await service.printed(/listening on/);
      assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
      service.signal('SIGTERM');
      assert.deepEqual(await service.ended, { exitCode: 0, stderr: '' });
    }
  });

  /** With the files where the container would have them. */
  function runRoles(): void {
    const [program, ...args] = roles.command;
    const files = new Map(
      (roles.volumes as string[])
        .map(volume => volume.split(':'))
        .map(([from = '', to = '']) => [to, join(DEPLOY, from)]),
    );
    const here = args.map((arg: string) => arg.replace(/(?<=^--file=).*/, path => String(files.get(path))));
    const { status, stdout, stderr } = spawnSync(program, here, {
      env: { ...process.env, ...envOf(roles) },
      encoding: 'utf8',
    });
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
  }
});
