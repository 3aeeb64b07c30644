import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { CreatorId, WorkspaceId } from '../../../../src/shared/record/identifier.ts';
import { startAnsweringService } from '../../../support/answering-service.ts';
import { assertNoTrace } from '../../../support/canaries.ts';
import { exampleRecord } from '../../../support/example-record.ts';
import { assertFailed, runCommand, runOnTerminal } from '../../../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { numberedKey, type SeededService, startSeededService } from '../../../support/seeded-service.ts';

const CREATORS = 30;
/** Those of `user_0` have left, and `user_2` is of a team of its own. */
const DIRECTORY = `id,kind,name,email,team,left on
user_0,person,Ann Miller,ann@example.com,Payments,2020-01-01
user_1,person,Bob Novak,bob@example.com,payments,
user_2,person,Cleo Kim,cleo@example.com,Search,2999-01-01
wrkspc_1,workspace,Production,,,
`;

describe('a directory', () => {
  const scope = suiteScope();
  const keys = Array.from({ length: 90 }, (_, number) =>
    numberedKey(number, {
      createdBy: { id: `user_${(number * 7) % CREATORS}` as CreatorId, type: 'user' },
      workspaceId: 'wrkspc_1' as WorkspaceId,
      status: number % 4 === 0 ? 'inactive' : 'active',
    }),
  );
  let listed: SeededService;
  let env: Record<string, string>;
  let folder: string;
  const run = (...args: string[]) => runCommand(args, { env, cwd: folder });
  const idsOf = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await run('list', '--format', 'csv', '--columns', 'id', ...args);
    assert.equal(exitCode, 0, stderr);
    return stdout.trimEnd().split('\n').slice(1);
  };
  const idsBy = (...creators: number[]) =>
    keys.filter(key => creators.includes(Number(key.createdBy.id.slice(5)))).map(({ id }) => id as string);

  before(async () => {
    listed = await startSeededService(scope, keys);
    folder = temporaryFolder(scope);
    env = {
      KEYROSTER_BASE_URL: listed.service.url,
      KEYROSTER_ADMIN_KEY: listed.secret,
      XDG_CONFIG_HOME: join(folder, 'config'),
    };
    writeFileSync(join(folder, 'people.csv'), DIRECTORY);
    writeFileSync(join(folder, 'no-dates.csv'), 'id,last day\nuser_0,2020-01-01\n');
    const others = 'okta_1,ann@example.com,Payments,2020-01-01\nokta_2,bob@example.com,Search,\n';
    writeFileSync(join(folder, 'other-ids.csv'), `id,mail,team,left_on\n${others}`);
    writeFileSync(join(folder, 'asked.txt'), 'user_5\n\n bob@example.com \n');
    writeFileSync(join(folder, 'nobody.txt'), '\n');
  });

  test('names creators and workspaces on a terminal, and JSON is exact', async () => {
    const shown = await runOnTerminal(['list', '--limit', '1', '--directory', join(folder, 'people.csv')], {
      columns: 120,
      env,
    });
    assert.match(shown, /CREATOR .*WORKSPACE.*\n.*Ann Miller +Production/);
    const [plain, named] = await Promise.all(
      [[], ['--directory', 'people.csv']].map(more =>
        run('list', '--format', 'json', '--limit', '9', ...more),
      ),
    );
    assert.equal(named?.stdout, plain?.stdout);
    const { stdout } = await run(
      ...['list', '--directory', 'people.csv', '--limit', '1', '--format', 'csv'],
      ...['--columns', 'id,created_by.id,creator.name,creator.mail,creator.team,workspace.name'],
    );
    assert.equal(stdout.split('\n')[1], 'k0,user_0,Ann Miller,ann@example.com,Payments,Production');
  });

  test('selects the keys of many creators, of a team and of leavers, in the order of the list, page by page', async () => {
    const directory = ['--directory', 'people.csv'];
    assert.deepEqual(await idsOf(...directory, '--left', '--all'), idsBy(0));
    assert.deepEqual(await idsOf(...directory, '--team', 'payments', '--all'), idsBy(0, 1));
    assert.deepEqual(await idsOf(...directory, '--team', 'Payments', '--left', '--all'), idsBy(0));
    assert.deepEqual(await idsOf(...directory, '--creator', '@asked.txt', '--all'), idsBy(1, 5));
    assert.deepEqual(await idsOf(...directory, '--team', 'search', '--left', '--all'), []);
    const few = ['--creator', 'user_3', 'user_4', 'user_7'];
    assert.deepEqual(await idsOf(...few), idsBy(3, 4, 7));
    const [, second = ''] = idsBy(3, 4, 7);
    assert.deepEqual(await idsOf(...few, '--limit', '2', '--after', second), idsBy(3, 4, 7).slice(2, 4));
    assert.deepEqual(await idsOf(...few, '--limit', '2', '--before', 'k89'), idsBy(3, 4, 7).slice(-2));
    const many = Array.from({ length: 25 }, (_, number) => number);
    assert.deepEqual(await idsOf('--all', '--creator', ...many.map(id => `user_${id}`)), idsBy(...many));
    assert.deepEqual(
      await idsOf(...few, '--all', '--status', 'inactive'),
      idsBy(3, 4, 7).filter(id => Number(id.slice(1)) % 4 === 0),
    );
  });

  test('is told to be missing or wrong where it is asked for', async () => {
    const without = /needs a directory, which has people by ID/;
    for (const [args, message] of [
      [['--left'], without],
      [['--team', 'Search'], without],
      [
        ['--left', '--directory', 'no-dates.csv'],
        /the directory doesn't tell who has left: it has no day of leaving and no state such as Terminated/,
      ],
      [['--creator', '@nobody.txt'], /--creator: the file names nobody/],
      [['--team', 'none', '--directory', 'people.csv'], /--team: nobody in the directory is of this team/],
      [
        ['--directory', 'asked.txt'],
        /--directory: asked\.txt: has no ID and no mail address: the headings are user_5\n/,
      ],
      [['--columns', 'creator.name'], /no "creator\.name"/],
      [['--name', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc*'], /--name: looks like a full key, and not like a name/],
    ] as const)
      assertFailed(await run('list', ...args), 2, message);
  });

  test('tells how many creators of the keys that were read it knows, wherever it is used', async () => {
    const told = async (directory: string, ...args: string[]) => {
      const { stdout, stderr } = await run(...args, '--directory', directory);
      return /^the directory knows .*$/m.exec(
        args[0] === 'report' ? stdout.replaceAll('; ', '\n') : stderr,
      )?.[0];
    };
    const all = await run('list', '--all', '--format', 'jsonl');
    writeFileSync(join(folder, 'one.jsonl'), all.stdout.split('\n', 1).join());
    writeFileSync(join(folder, 'all.jsonl'), all.stdout);
    for (const args of [
      ['list', '--left'],
      ['list', '--team', 'search'],
      ['list', '--creator', 'bob@example.com'],
      ['list', '--all', '--format', 'json'],
      ['find', 'k1'],
      ['report'],
      ['diff', 'one.jsonl', 'all.jsonl'],
    ]) {
      assert.equal(
        await told('people.csv', ...args),
        'the directory knows 3 of 30 creators, 1 of them left',
        `${args}`,
      );
      assert.equal(await told('other-ids.csv', ...args), 'the directory knows 0 of 30 creators', `${args}`);
    }
    assert.equal(
      await told('people.csv', 'list', '--limit', '2'),
      'the directory knows 1 of 2 creators, 1 of them left',
    );
    assert.equal(await told('people.csv', 'get', 'k1'), 'the directory knows 0 of 1 creators');
  });

  test('can tell nothing of people whom it names by other IDs than the service: that is not "none"', async () => {
    const directory = ['--directory', 'other-ids.csv'];
    for (const people of [['--left'], ['--team', 'Search'], ['--creator', 'bob@example.com']]) {
      const { exitCode, stderr } = await run('list', ...people, ...directory);
      assert.equal(exitCode, 5, stderr);
      assert.match(stderr, /\nnothing can be told of these people: does the directory have the IDs that/);
    }
    const { stdout } = await run('report', '--format', 'json', ...directory);
    assert.equal(JSON.parse(stdout).left, undefined);
    const left = { name: 'left', rule: 'creators-left' };
    writeFileSync(join(folder, 'left.json'), JSON.stringify({ policies: [left] }));
    assert.equal((await run('report', '--policies', 'left.json', ...directory)).exitCode, 5);
    writeFileSync(join(folder, 'who.txt'), 'bob@example.com\nbbo@example.com\n');
    for (const [asked, read] of [
      ['bbo@example.com', 0],
      ['@who.txt', 3],
    ] as const) {
      const some = await run('list', '--all', '--creator', asked, '--directory', 'people.csv');
      assert.match(
        some.stderr,
        /\nnobody with an ID in the directory has the mail address bbo@example\.com\n/,
      );
      assert.deepEqual([some.exitCode, some.stdout.trim().split('\n').filter(Boolean).length], [5, read]);
    }
    const nobody = await run('list', '--creator', 'user_99', ...directory);
    assert.deepEqual([nobody.exitCode, nobody.stderr], [0, 'no key matches\n']);
  });

  test('is kept by its path in a profile', async () => {
    const login = await run('login', '-p', 'staging', '--directory', 'people.csv');
    assert.match(
      login.stdout,
      /names are those of 4 entries\npeople\.csv: 4 row\(s\), 0 joined, 4 not; read: id, kind, name, email, team, left on\n/,
    );
    assert.deepEqual(await idsOf('-p', 'staging', '--left', '--all'), idsBy(0));
    await run('login', '-p', 'staging');
    assert.deepEqual(await idsOf('-p', 'staging', '--left', '--all'), idsBy(0));
    const file = join(folder, 'config', 'keyroster', 'profiles', 'staging.json');
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(kept.directory, [join(folder, 'people.csv')]);
    writeFileSync(file, JSON.stringify({ ...kept, directory: kept.directory[0] })); // as of a release before
    assert.deepEqual(await idsOf('-p', 'staging', '--left', '--all'), idsBy(0));
  });

  test('tells who has left in a report and a policy', async () => {
    const report = await run('report', '--policies', 'default', '--directory', 'people.csv');
    const active = idsBy(0).filter(id => Number(id.slice(1)) % 4 > 0);
    const others = keys.filter(({ createdBy }) => !['user_0', 'user_1', 'user_2'].includes(createdBy.id));
    const othersActive = others.filter(({ status }) => status === 'active').length;
    const left = `\n3 of people who have left, ${active.length} of them active; the directory knows 3 of 30 creators, 1 of them left; 81 of the others, ${othersActive} of them active`;
    const broken = `\nsomeone-who-left (warning): ${active.length} key(s) active and of a creator who has left`;
    for (const told of [left, broken]) assert(report.stdout.includes(told), told);
    assert.match(report.stdout, /\nAnn Miller\tann@example\.com\t\d\t\d of someone-who-left\n/);
  });

  test("is joined by mail address from the vendor's users and the company's people, in a command and in a profile", async () => {
    const users = Array.from({ length: CREATORS }, (_, number) => ({
      id: `user_${number}`,
      type: 'user',
      email: `u${number}@example.com`,
    }));
    writeFileSync(join(folder, 'users.json'), JSON.stringify({ data: users, has_more: false }));
    const utf16 = Buffer.from(
      '\uFEFFlogin\tstatus\nU3@example.com\tDeprovisioned\nu4@example.com\tSuspended\n',
      'utf16le',
    );
    writeFileSync(join(folder, 'okta.txt'), utf16);
    const mails = users.map(({ email }) => email).filter(mail => mail !== 'u5@example.com');
    writeFileSync(join(folder, 'everyone.csv'), `saml_name_id\n${mails.join('\n')}\n`);
    const joined = ['--directory', 'users.json', '--directory', 'okta.txt'];
    const { stderr } = await run('list', '--left', '--all', ...joined);
    const gave =
      'users.json: 30 row(s), 2 joined, 28 not; read: id, type, email\nokta.txt: 2 row(s), 2 joined, 0 not; read: login, status\n';
    assert.equal(
      stderr,
      `${gave}the directory knows 30 of 30 creators, 1 of them left, 1 disabled\nread 90 keys to find 3\n`,
    );
    assert.deepEqual(await idsOf('--left', '--all', ...joined), idsBy(3));
    const json = await run('report', '--format', 'json', ...joined);
    const { left, disabled, not_in_directory } = JSON.parse(json.stdout);
    assert.deepEqual(
      [left.keys, disabled.keys, not_in_directory.keys],
      [idsBy(3).length, idsBy(4).length, 0],
    );
    const everyone = ['--everyone', 'everyone.csv'];
    assert.deepEqual(await idsOf('--left', '--all', '--directory', 'users.json', ...everyone), idsBy(5));
    await run('login', '-p', 'joined', ...joined, ...everyone);
    assert.deepEqual(await idsOf('-p', 'joined', '--left', '--all'), idsBy(3, 5));
    writeFileSync(join(folder, 'everyone.csv'), 'saml_name_id\nu1@example.com\n');
    assertFailed(
      await run('list', '--directory', 'users.json', ...everyone),
      2,
      /--everyone: everyone\.csv: lacks 29 of 30 users by their mail address/,
    );
    assertFailed(
      await run('list', '--directory', 'okta.txt'),
      2,
      /--directory: okta\.txt: has no IDs of creators/,
    );
    writeFileSync(join(folder, 'people.xlsx'), 'PK\x03\x04');
    assertFailed(
      await run('list', '--directory', 'people.xlsx'),
      2,
      /people\.xlsx: it is no text in UTF-8 or UTF-16: save a sheet as CSV UTF-8/,
    );
  });

  test('is never sent: no request, log line or file of a job has anything of it', async () => {
    const secret = 'canary-4f1d2c3b5a69-of-the-directory';
    writeFileSync(
      join(folder, 'secret.json'),
      JSON.stringify([
        { id: 'user_0', name: secret, mail: `${secret}@example.com`, team: secret, left_on: '2020-01-01' },
        { id: 'wrkspc_1', name: secret, kind: 'workspace' },
      ]),
    );
    const company = `login,displayName,department,manager,status\n${secret}@example.com,${secret},${secret},${secret},Left\n`;
    writeFileSync(join(folder, 'company.csv'), company);
    const requests: string[] = [];
    const stub = await startAnsweringService(scope, (request, response) => {
      requests.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
      const created_by = { id: 'user_0', type: 'user' };
      const key = { ...exampleRecord, id: 'k1', created_by, workspace_id: 'wrkspc_1' };
      const page = { data: [key], first_id: 'k1', last_id: 'k1', has_more: false };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
    });
    for (const url of [stub, listed.service.url])
      for (const line of [
        ['list', '--left', '--team', secret, '--creator', `${secret}@example.com`],
        ['get', 'k1'],
        ['report', '--policies', 'default', '--format', 'json'],
        ['report', '--policies', 'default', '--format', 'csv'],
        ['report', '--messages', `messages-${new URL(url).port}`, '--format', 'json'],
        ['find', 'k1', '--format', 'jsonl'],
        ['watch', 'snapshots'],
      ]) {
        const finished = await run(
          ...[...line, '--directory', 'secret.json', '--everyone', 'company.csv', '--base-url', url],
        );
        assert(finished.exitCode !== 2, finished.stderr);
        if (line.includes('json') || line.includes('csv'))
          assertNoTrace([secret], finished.stdout, String(line));
      }
    assert(requests.length >= 5);
    assertNoTrace([secret], requests.join('\n'), 'the requests');
    assertNoTrace([secret], listed.service.logText(), 'the log');
  });
});
