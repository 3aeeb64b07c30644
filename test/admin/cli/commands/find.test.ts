import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ApiKeyId } from '../../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../../src/shared/record/partial-key-hint.ts';
import { startAnsweringService } from '../../../support/answering-service.ts';
import { assertNoTrace } from '../../../support/canaries.ts';
import { jsonLines, record } from '../../../support/import-file.ts';
import { assertFailed, runCommand, runManyCommands } from '../../../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { numberedKey, type SeededService, startSeededService } from '../../../support/seeded-service.ts';
import { lineOnTerminal, noTerminal, shellCommand } from '../../../support/terminal.ts';

const body = (bytes: number) => `a1B2${randomBytes(bytes).toString('base64').replaceAll(/[+/=]/g, 'x')}`;
const LEAKED = `sk-ven-api03-R2D${body(36)}igAA`;

describe('find', () => {
  const scope = suiteScope();
  const id = (number: number) => `apikey_${String(number).padStart(24, '0')}`;
  const hintOf = (number: number) =>
    `sk-ven-api03-${String(number).padStart(3, '0')}...igBB` as PartialKeyHint;
  const keys = Array.from({ length: 700 }, (_, number) =>
    numberedKey(number, {
      id: id(number) as ApiKeyId,
      partialKeyHint: number === 601 ? ('sk-ven-api03-R2D...igAA' as PartialKeyHint) : hintOf(number),
      ...(number === 601 && { status: 'active', name: 'Payment "prod"' }),
    }),
  );
  let listed: SeededService;
  let env: Record<string, string>;
  let folder: string;
  const find = (input: string | Uint8Array, ...args: string[]) =>
    runCommand(['find', ...args], { env, input });

  before(async () => {
    folder = temporaryFolder(scope);
    listed = await startSeededService(scope, keys);
    env = { KEYROSTER_BASE_URL: listed.service.url, KEYROSTER_ADMIN_KEY: listed.secret };
  });

  test('tells of a leaked key on standard input whose it is, that it is active, and what to do', async () => {
    const { stdout, stderr, exitCode } = await find(`export KEY="${LEAKED}"\n`);
    const row = `^${id(601)}\tPayment "prod"\tactive\t20.*\tuser_1\twrkspc_1\tsk-ven-api03-R2D...igAA\thint\n$`;
    assert.match(stdout, new RegExp(row));
    const [answer = '', count] = stderr.split('\n');
    assert.match(answer, /^apikey_\d+601, "Payment .* of user_1, in the workspace wrkspc_1, created /);
    assert.match(
      answer,
      /\(601 days ago\)\. It is ACTIVE: .* Ask whoever issues the keys to deactivate it now/,
    );
    assert.equal(count, '1 of 700 keys found that fits sk-ven-api03-R2D...igAA');
    assert.equal(exitCode, 0);
  });

  test('says how many keys it read where it finds none, and exits with 4', async () => {
    const stranger = `sk_live_${body(18)}`;
    const { stdout, stderr, exitCode } = await find(stranger);
    assert.match(
      stderr,
      /^no key was found that fits sk_live_\S+\.\.\.\S{4}: 700 were read; where it was cut off, put … and look again\n$/,
    );
    assert.deepEqual([stdout, exitCode], ['', 4]);
    assert.equal((await find('', 'no such name')).stderr, 'no key was found: 700 were read\n');
    assert.equal(JSON.parse((await find('', 'no such name', '--format', 'json')).stdout).data.length, 0);
    assertFailed(await find(' \n'), 2, /there is nothing to look for/);
    assertFailed(await find('', 'Key', '--exact'), 2, /--exact: is for CSV, and there is none/);
  });

  test('looks in a saved roster, which it reads from a file or standard input', async () => {
    const file = join(folder, 'saved.jsonl');
    const roster = jsonLines([
      record('k1'),
      record('k9', { status: 'archived', name: 'Old', partial_key_hint: 'sk-ven-api03-Zzz...9999' }),
    ]);
    writeFileSync(file, roster);
    const found = await runCommand(['find', '--file', file], { input: LEAKED });
    assert.match(found.stdout, /^k1\tKey k1\tactive\t.*\thint\n$/);
    const fromInput = await runCommand(['find', 'Old', '--file', '-'], { input: roster });
    assert.match(fromInput.stdout, /^k9\tOld\tarchived\t.*\tname\n$/);
    assertFailed(await runCommand(['find', '--file', '-'], {}), 2, /standard input can be only one of/);
  });

  /** A key that is like those of the roster, and some that are not; `question.unit.ts` has each kind in each text. */
  const canaries: Readonly<Record<string, [key: string, begin?: string, end?: string]>> = {
    'in a URL': [`sk-ven-api03-R2D${body(36)}igAA`, 'https://example.com/v1?key=', '&page=2'],
    'that begins as IDs do': [`apikey_${body(36)}`, '', '\r\n'],
    'that is a UUID': [randomUUID()],
    'that is an admin key': [`vendor-admin01-${body(33)}`],
  };

  test('keeps a full key out of each request, output and file, whatever its form', async t => {
    const requests: string[] = [];
    const url = await startAnsweringService(t, async (request, response) => {
      requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      const answer = await fetch(listed.service.url + request.url, { headers: request.headers as never });
      response.setHeader('content-type', 'application/json');
      response.end(await answer.text());
    });
    const options = { env: { ...env, KEYROSTER_BASE_URL: url }, cwd: temporaryFolder(t) };
    const made = Object.entries(canaries).map(([form, [key, begin = '', end = '']]) => {
      return { form, key, text: begin + key + end };
    });
    const secrets = made.map(({ key }) => key);
    for (const { form, text } of made) {
      const { stdout, stderr, exitCode } = await runCommand(['find'], { ...options, input: text });
      assert.ok(exitCode === 0 || exitCode === 4, `${form}: ${stderr}`);
      assert.match(stderr, /\.\.\./, `${form}: what was taken for a key is named by its hint`);
      assertNoTrace(secrets, stdout + stderr, form);
    }
    const lines = made.map(({ text }) => ({ args: ['find', text] }));
    const { finished, log } = await runManyCommands(lines, options);
    for (const [index, { stdout, stderr, exitCode }] of finished.entries()) {
      const form = `${made[index]?.form} as an argument`;
      assert.deepEqual([stdout, exitCode], ['', 2], form);
      assert.match(stderr, /looks like a full API key\. .* in the history of the shell/, form);
      assertNoTrace(secrets, stderr, form);
    }
    assertNoTrace(secrets, requests.join('\n') + log, 'the requests and the log');
    assert.deepEqual(readdirSync(options.cwd), []);
  });

  test('finds a key anywhere in a text of several megabytes, and never says that there is none where it did not look', async () => {
    const noise = 'GET /index.html 200\n'.repeat(50_000);
    for (const text of [
      `${noise.slice(0, 9_990)} ${LEAKED} ${noise.slice(9_990)}`,
      gzipSync(`${noise} ${LEAKED}`),
      `${'a1B2c3D4'.repeat(1_000_000)} ${LEAKED}`,
    ]) {
      const { exitCode, stderr } = await find(text);
      assert.equal(exitCode, 0, stderr);
      assert.match(stderr, /It is ACTIVE/);
    }
    const cut = await find(`${`x${' '.repeat(16 * 1024 * 1024)}`} ${LEAKED}`);
    assert.equal(cut.exitCode, 1);
    assert.match(cut.stderr, /only the first 16 MB of the text were looked at/);
    const many = Array.from({ length: 1_200 }, () => `KEY="sk-ven-api03-${body(36)}"`).join('\n');
    const more = await find(many);
    assert.equal(more.exitCode, 1);
    assert.match(more.stderr, /only the first 1,000 keys of the text were looked for/);
  });

  test('tells of each key and ID in a text whose it is, and which no key fits', async () => {
    const other = `sk-ven-api03-ZZZ${body(36)}AAAA`;
    const { stderr, exitCode } = await find(`A=${LEAKED}\nB=${other}\nC=${id(7)}\nD=${id(8)}\n`);
    const expected = [
      '3 of 700 keys found$',
      `${id(7)}, "`,
      `${id(8)}, "`,
      `sk-ven-api03-R2D...igAA: ${id(601)}, .* It is ACTIVE: .* Ask whoever`,
      'sk-ven-api03-ZZZ...AAAA: none of the keys that were read$',
    ];
    const lines = stderr.trimEnd().split('\n').toSorted();
    assert.equal(lines.length, expected.length, stderr);
    for (const [index, line] of lines.entries()) assert.match(line, new RegExp(`^${expected[index]}`));
    assert.equal(exitCode, 0);
  });

  test('counts each key that a hint fits, and not only those that it shows', async () => {
    const { exitCode, stderr } = await find('sk-ven-api03-…');
    assert.equal(exitCode, 5);
    assert.match(
      stderr,
      /^it is one of 700 keys, .*; \d+ of them are ACTIVE\n700 of 700 keys found, 700 of them by one end alone, 500 are shown/,
    );
    assert.match(
      stderr,
      new RegExp(`; ${keys.filter(({ status }) => status === 'active').length} of them are`),
    );
  });

  test('tells of a key that was cut off which one it may be, and why, and exits with 5', async () => {
    for (const [left, end] of [
      [`${LEAKED.slice(0, 60)}…`, 'begin'],
      [`…${LEAKED.slice(-6)}`, 'end'],
    ] as const) {
      const { stdout, stderr, exitCode } = await find(left);
      assert.match(stdout, new RegExp(`^${id(601)}\t.*\t${end}\n$`));
      const why = `only its ${end} fits, as its .* is cut off( or not known)?\\. It may be: ${id(601)}, .* It is ACTIVE`;
      assert.match(stderr, new RegExp(why));
      assert.match(stderr, /\n1 of 700 keys found.*, 1 of them by one end alone\n$/);
      assert.equal(exitCode, 5, left);
      assertNoTrace([LEAKED.slice(14)], stdout + stderr, left);
    }
  });

  test('takes the results of scanners, with a verdict for each, and exits with 5 where nothing can be told', async () => {
    const results = (...secrets: string[]) =>
      JSON.stringify(
        secrets.map((Secret, index) => ({ RuleID: 'key', File: 'a.env', StartLine: index + 1, Secret })),
      );
    const { stderr, exitCode } = await find(results(LEAKED, `sk_live_${body(18)}`, 'REDACTED'));
    const [leaked, other, redacted, sum] = stderr.split('\n');
    assert.match(leaked ?? '', new RegExp(`^key in a.env:1, sk-ven-api03-R2D...igAA: ${id(601)}, .* ACTIVE`));
    assert.match(other ?? '', /^key in a.env:2, sk_live_\S+: none of the keys that were read$/);
    assert.match(
      redacted ?? '',
      /^key in a.env:3: nothing can be told: have the scanner write JSON with the keys/,
    );
    assert.equal(sum, '1 of 700 keys found');
    assert.equal(exitCode, 0);
    assert.equal((await find(results('REDACTED'))).exitCode, 5);
    const hashed = await find(`{"results":{"a.env":[{"hashed_secret":"${'ab12'.repeat(10)}"}]}}`);
    assert.match(
      hashed.stderr,
      /^a part of the report: nothing can be told: .*\nno key was found: 700 were read\n$/,
    );
    assert.equal(hashed.exitCode, 5);
    const cutOff = await find(`KEY=sk-ven-api03-${'Q9'.repeat(8)}…`);
    assert.match(cutOff.stderr, /^sk-ven-api03-Q9Q\.\.\.\w*: nothing can be told, as it is cut off\n/);
    assert.equal(cutOff.exitCode, 5);
    assert.equal((await find(results(`sk_live_${body(18)}`))).exitCode, 4);
  });

  test('as JSON has a verdict for each finding of a scanner, with its rule, file and line', async () => {
    const secrets = [LEAKED, `sk_live_${body(18)}`, 'REDACTED', LEAKED, `vendor-admin01-${body(36)}`];
    const findings = secrets.map((Secret, index) => ({
      RuleID: 'key',
      File: `${index}.env`,
      StartLine: 7,
      Secret,
    }));
    const { stdout } = await find(JSON.stringify(findings), '--format', 'json');
    assertNoTrace(
      secrets.filter(each => each !== 'REDACTED'),
      stdout,
      'the output',
    );
    const found = JSON.parse(stdout);
    const place = (index: number) => ({ rule: 'key', file: `${index}.env`, line: 7 });
    const none = { api_key_id: null, status: null, keys: 0, active: 0 };
    const theirs = { api_key_id: id(601), status: 'active', keys: 1, active: 1 };
    const leaked = { looked_for: 'sk-ven-api03-R2D...igAA', verdict: 'found', ...theirs };
    assert.deepEqual(
      found.findings.map((each: Record<string, unknown>) =>
        ['none', 'admin_key'].includes(String(each.verdict)) ? { ...each, looked_for: '…' } : each,
      ),
      [
        { ...place(0), ...leaked },
        { ...place(3), ...leaked },
        { ...place(1), looked_for: '…', verdict: 'none', ...none },
        { ...place(4), looked_for: '…', verdict: 'admin_key', ...none },
        { ...place(2), looked_for: null, verdict: 'untold', ...none },
      ],
    );
    assert.equal(found.data.length, 1);
    const verdictOf = async (text: string) => {
      const [only] = JSON.parse((await find(text, '--format', 'json')).stdout).findings;
      return [only.verdict, only.file];
    };
    assert.deepEqual(await verdictOf(`A=${LEAKED.slice(0, 60)}…\n`), ['maybe', null]);
    assert.deepEqual(await verdictOf(`KEY=sk-ven-api03-${'Q9'.repeat(8)}…\n`), ['untold', null]);
  });

  test('says what to do with an admin key, and does not print it', async () => {
    const admin = `vendor-admin01-${body(36)}`;
    const { stderr, exitCode } = await find(admin);
    assert.match(stderr, /this is an admin key, not an API key: ask the operator to revoke it now/);
    assertNoTrace([admin], stderr, 'the output');
    assert.equal(exitCode, 4);
  });

  test('knows the admin key that it uses by its value, whatever its form', async t => {
    const admin = 'admin/of+any~form==';
    const page = JSON.stringify({ data: [{ id: 'k1', name: `of ${admin}` }], has_more: false });
    const url = await startAnsweringService(t, (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(page),
    );
    const KEYROSTER = { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: admin };
    const { stdout, stderr } = await runCommand(['find'], { env: KEYROSTER, input: `x-api-key: ${admin}` });
    assert.match(stderr, /^the text has the admin key that is used here, .*: ask whoever issues admin keys/m);
    assertNoTrace([admin], stdout + stderr, 'the output');
  });

  test('gives no all-clear for a saved page behind which there are more, whatever stands behind it, nor does a report', async t => {
    const file = join(temporaryFolder(t), 'page.json');
    const page = JSON.stringify({
      data: [record('k1', { created_by: { id: 'u', type: 'user' } })],
      has_more: true,
    });
    for (const content of [page, page.replace(':true', ': "yes"'), page + JSON.stringify(record('k2'))]) {
      writeFileSync(file, content);
      for (const args of [
        ['find', '--file', file],
        ['report', '--file', file, '--max-age', '99999d'],
      ]) {
        const { exitCode, stderr } = await runCommand(args, { input: 'an ID such as k9' });
        assert.equal(exitCode, 5, args.join(' '));
        assert.match(stderr, /has only some of the keys: has_more is true/);
      }
    }
  });

  test('asks on a terminal, and does not show what is typed', { skip: noTerminal }, async () => {
    const typed = { after: /not shown\): /, text: `${LEAKED}\r` };
    const shown = await lineOnTerminal(shellCommand(['find']), env, { columns: 120, typed });
    assert.match(shown, /It is ACTIVE/);
    assertNoTrace([LEAKED], shown, 'the terminal');
  });
});
