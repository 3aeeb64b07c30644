import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { CSV_COLUMNS } from '../../../../src/shared/formats/render-csv.ts';
import type { Finished } from '../../../support/command-line.ts';
import { jsonLines, record } from '../../../support/import-file.ts';
import { assertFailed, runManyCommands } from '../../../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';

/** 1,100 keys in the default workspace, and these. */
const records = [
  record('k_old', { created_at: '2020-01-01T00:00:00Z', name: '=cmd()', team: 'Billing' }),
  record('k_archived', { created_at: '2020-01-01T00:00:00Z', status: 'archived', name: 'Left', team: null }),
  record('k_left', { created_by: { id: 'user_left', type: 'user' }, name: 'Left', team: null }),
  record('k_twin', { created_by: { id: 'user_b', type: 'user' }, name: 'Left', team: null }),
  ...Array.from({ length: 1_100 }, (_, number) => record(`k${number}`, { workspace_id: null })),
];

const OLD = { name: 'old', rule: 'max-age', days: 2_000 };
const NAMED = { name: 'named', rule: 'name-pattern', patterns: ['Key *', '=*'], level: 'warn' };
const ALL = ['--file', 'roster.jsonl', '--policies', 'all.json'];
const LEFT = { name: 'left', rule: 'creators-left', creators: ['user_left', 'user_gone'] };

describe('report with policies', () => {
  const scope = suiteScope();
  let folder: string;
  const lines = new Map<string, string[]>();
  const finished = new Map<string, Finished>();
  /** Runs with the others, in one process. */
  const line = (name: string, ...args: string[]) => lines.set(name, args);
  const ran = (name: string) => finished.get(name) as Finished;

  line('without', '--file', 'roster.jsonl');
  line('csv without', '--file', 'roster.jsonl', '--format', 'csv');
  line('fail and warn', ...ALL);
  line('warn', '--file', 'roster.jsonl', '--policies', 'warn.json');
  line('flags', ...ALL, '--no-default-workspace', '--format', 'json');
  line('html', ...ALL, '--format', 'html');
  line('csv', ...ALL, '--format', 'csv');
  line('exact csv', ...ALL, '--format', 'csv', '--exact');
  line('of exact csv', '--file', 'exact.csv', '--policies', 'all.json', '--format', 'csv', '--exact');
  line('csv of none', '--file', 'roster.jsonl', '--max-age', '9999d', '--format', 'csv');
  line('many', '--file', 'roster.jsonl', '--no-default-workspace');
  line('service and file', '--file', 'roster.jsonl', '--base-url', 'http://127.0.0.1:1');
  line('no such file', '--file', 'roster.jsonl', '--policies', 'none.json');
  line('faults', '--file', 'roster.jsonl', '--policies', 'faults.json');
  line('name of a flag', '--file', 'roster.jsonl', '--policies', 'flag.json', '--max-age', '1d');

  line('doubtful', '--file', 'roster.jsonl', '--policies', 'doubtful.json');
  line('strict', '--file', 'roster.jsonl', '--policies', 'doubtful.json', '--strict');

  before(async () => {
    folder = temporaryFolder(scope);
    const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
    const writePolicies = (name: string, ...policies: object[]) => write(name, JSON.stringify({ policies }));
    write('roster.jsonl', jsonLines(records));
    write('exact.csv', `${CSV_COLUMNS}\nk1,'=x,2020-01-01T00:00:00Z,user_left,user,sk...ab,active,\n`);
    const exceptions = [{ key: 'k_old', reason: 'a demo', until: '2999-01-01' }];
    const nowhere = { ...OLD, name: 'nowhere', keys: { workspace_id: ['default'] } };
    writePolicies('doubtful.json', { ...OLD, exceptions }, nowhere);
    writePolicies('all.json', OLD, NAMED, LEFT);
    write('warn.json', `\uFEFF${JSON.stringify({ policies: [NAMED] })}`); // as some editors write it
    writePolicies('faults.json', OLD, { ...NAMED, levle: 'warn' });
    writePolicies('flag.json', { ...OLD, name: 'max-age' });
    // A variable isn't a flag: it may be there for other commands.
    const env = { KEYROSTER_BASE_URL: 'http://127.0.0.1:1' };
    const commands = Array.from(lines.values(), args => ({ args: ['report', ...args], env }));
    const all = await runManyCommands(commands, { cwd: folder });
    for (const [index, name] of [...lines.keys()].entries())
      finished.set(name, all.finished[index] as Finished);
  });

  test('fails when one of the level fail is broken, and says both counts last', () => {
    const { stdout, stderr, exitCode } = ran('fail and warn');
    assert.equal(exitCode, 4);
    assert.equal(stderr, 'keyroster-admin: 2 breach(es) of policy, 2 warning(s)\n');
    assert.match(
      stdout,
      /\n\nold: 1 key\(s\) active and older than 2000 days\nnamed \(warning\): 2 key\(s\) active and not named like Key \* or =\*\nleft: 1 key\(s\) active and of a creator who has left\n/,
    );
    const idsOf = (policy: string) => {
      const [, table = ''] = stdout.split(`\nBreaches of ${policy}\n`);
      return (table.split('\n\n')[0] as string)
        .trim()
        .split('\n')
        .map(row => row.split('\t')[0]);
    };
    assert.deepEqual(idsOf('old'), ['ID', 'k_old']);
    assert.deepEqual(idsOf('named'), ['ID', 'k_left', 'k_twin']);
    assert.deepEqual(idsOf('left'), ['ID', 'k_left']);
    assert.match(
      stdout,
      /\nk_left\tLeft\t2024-10-30\t\d+\tsk-ven-api03-R2D\.\.\.igAA\tuser_left\twrkspc_a\n/,
    );
  });

  test('succeeds when only warnings are left, and when there is no policy', () => {
    assert.equal(ran('warn').exitCode, 0);
    assert.equal(ran('warn').stderr, 'keyroster-admin: 0 breach(es) of policy, 2 warning(s)\n');
    assert.deepEqual([ran('without').exitCode, ran('without').stderr], [0, '']);
  });

  test('excuses a key by an exception, and says what makes a verdict doubtful, which fails if asked', () => {
    assert.equal(ran('doubtful').exitCode, 0);
    assert.equal(
      ran('doubtful').stderr,
      'keyroster-admin: nowhere: its keys select none\n' +
        'keyroster-admin: nowhere: no key is in default, which its keys name\n',
    );
    assert.match(
      ran('doubtful').stdout,
      /\nold: 0 key\(s\) .*; 1 key\(s\) excused by an exception\nnowhere: 0 key/,
    );
    assert.deepEqual([ran('strict').exitCode, ran('strict').stdout], [4, ran('doubtful').stdout]);
  });

  test('joins the flags and the file, and JSON has the level of each', () => {
    const { policies, breaches, organization_id } = JSON.parse(ran('flags').stdout);
    assert.deepEqual(
      policies.map((each: Record<string, unknown>) => [each.policy, each.level, each.breaches]),
      [
        ['no-default-workspace', 'fail', 1_100],
        ['old', 'fail', 1],
        ['named', 'warn', 2],
        ['left', 'fail', 1],
      ],
    );
    assert.equal(breaches.length, 1_104);
    assert.deepEqual(breaches.at(-1), { policy: 'left', level: 'fail', api_key: records[2] });
    assert.equal(organization_id, null);
  });

  test('as HTML has the verdicts first, then the levels and the hints', () => {
    const { stdout } = ran('html');
    assert.match(stdout, /1,104 key\(s\) of roster\.jsonl were looked at/);
    assert.match(stdout, /<p class="warned"><strong>named \(warning\)<\/strong>, warned: 2 key\(s\) active/);
    assert.match(stdout, /<p class="broken"><strong>old<\/strong>, broken: 1 key\(s\) active/);
    assert.match(stdout, /<h2>Policies<\/h2>.*<h2>Breaches by creator<\/h2>.*<h2>By status<\/h2>/s);
    assert.match(
      stdout,
      /<h2>Breaches of named \(warning\)<\/h2>\n<table>.*<tr><td>k_twin<\/td>.*<td>sk-ven-api03-R2D\.\.\.igAA<\/td>/s,
    );
  });

  test('as CSV has each key that breaks a policy once, safe for spreadsheets, or exact', () => {
    const header =
      'id,name,created_at,created_by.id,created_by.type,partial_key_hint,status,workspace_id,level,policies';
    const row = (name: string) =>
      `k_old,${name},2020-01-01T00:00:00Z,user_a,user,sk-ven-api03-R2D...igAA,active,wrkspc_a,Billing,fail,old`;
    const [first, old, ...others] = ran('csv').stdout.split('\n');
    assert.deepEqual([first, old], [header.replace('level', 'team,level'), row("'=cmd()")]);
    assert.deepEqual(
      others.map(each => each.replace(/,.*,(?=fail|warn)/, ' ')),
      ['k_left fail,named left', 'k_twin warn,named', ''],
    );
    assert.equal(ran('exact csv').stdout.split('\n')[1], row('=cmd()'));
    assert.equal(ran('csv').exitCode, 4);
    assert.deepEqual([ran('csv of none').stdout, ran('csv of none').exitCode], [`${header}\n`, 0]);
  });

  test('reads a saved roster with --exact as it was written with it', () => {
    assert.match(ran('of exact csv').stdout, /\nk1,'=x,.*,fail,old named left\n/);
  });

  test('shows the first 1,000 breaches of a policy as text, and says of how many', () => {
    const { stdout } = ran('many');
    const [, table = ''] = stdout.split('\nBreaches of no-default-workspace, the first 1,000 of 1,100\n');
    const rows = table.split('\n');
    assert.equal(rows.filter(row => row.startsWith('k')).length, 1_000);
    assert.deepEqual(rows.slice(-2), ['the others are in --format csv and json', '']);
  });

  test('refuses what is wrong, and names the file, the place and the rule', () => {
    const refused: Record<string, RegExp> = {
      'csv without':
        /^keyroster-admin: --format: is of keys that break policies: give --policies or another policy\n$/,
      'service and file': /^keyroster-admin: --base-url: is of a service, and --file asks none\n$/,
      'no such file': /^keyroster-admin: --policies: can't read none\.json: ENOENT/,
      faults:
        /^keyroster-admin: --policies: faults\.json: policies\[1\]\.levle: unknown member, did you mean level\?\n$/,
      'name of a flag':
        /^keyroster-admin: --policies: flag\.json: the name max-age is that of the flag: rename the policy\n$/,
    };
    for (const [name, message] of Object.entries(refused)) assertFailed(ran(name), 2, message);
  });
});
