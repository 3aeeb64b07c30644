import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { VERSION } from '../../../../src/shared/version.ts';
import { startStubService } from '../../../support/answering-service.ts';
import { assertFailed, runCommand, runOnTerminal } from '../../../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { numberedKey, type SeededService, startSeededService } from '../../../support/seeded-service.ts';

const HOSTILE = '<img src=x onerror="alert(1)">&\u202e\u2028\t';

describe('report', () => {
  const scope = suiteScope();
  /** Keys that are 0 to 1199 days old, more than fit one page. */
  const keys = Array.from({ length: 1_200 }, (_, number) =>
    numberedKey(number, number === 4 || number === 5 ? { name: HOSTILE } : {}),
  );
  let listed: SeededService;
  let env: Record<string, string>;
  const report = (...args: string[]) => runCommand(['report', ...args], { env });

  before(async () => {
    listed = await startSeededService(scope, keys);
    env = { KEYROSTER_BASE_URL: listed.service.url, KEYROSTER_ADMIN_KEY: listed.secret };
  });

  test('on a terminal draws bars within its width in colour, and in a pipe has tabs', async () => {
    const shown = await runOnTerminal(['report'], { columns: 60, env });
    assert(shown.includes('\x1b[32m█'), 'the output has no colour');
    const lines = stripVTControlCharacters(shown).split('\n');
    assert.match(String(lines.find(line => line.startsWith('active'))), /^active +800 +800 {2}█+$/);
    for (const line of lines) assert([...line].length <= 60, line);
    const { stdout } = await report();
    assert(!stdout.includes('\x1b') && !stdout.includes('\u202e'));
    assert.match(stdout, /\ninactive\t400\t0\n/);
  });

  test('as HTML is one page that loads nothing and shows names as text', async () => {
    const { stdout } = await report('--format', 'html', '--no-default-workspace');
    assert.match(stdout, /^<!doctype html>/);
    assert(stdout.includes('<bdi>&#60;img src=x onerror=&#34;alert(1)&#34;&#62;&#38;'));
    const elements = new Set([...stdout.matchAll(/<([a-z]\w*)/g)].map(([, element]) => element));
    for (const element of ['script', 'img', 'link', 'iframe', 'object'])
      assert(!elements.has(element), element);
    assert.doesNotMatch(stdout, /\b(src|href)=["']|url\(|@import/);
    assert.equal(stdout.match(/https?:/g)?.length, 1, 'the address of the service, as text');
    assert.match(stdout, /default-src 'none'/);
    assert.match(stdout, /@media print/);
    assert.match(stdout, /color-scheme: light dark;/);
    assert.match(stdout, /<svg [^>]*aria-label="800 of 800 active"/);
  });

  test('as HTML says of which service, by which version and by which files it was made', async t => {
    const cwd = temporaryFolder(t);
    const policies = { policies: [{ name: 'left', rule: 'creators-left', creators: ['user_1'] }] };
    const files: Record<string, [option: string, content: string]> = {
      'people.csv': ['--directory', 'id,mail\nuser_1,a@example.com\n'],
      'company.csv': ['--directory', '\uFEFFmail,employee_id\r\na@example.com,1\r\n'],
      'all.csv': ['--everyone', 'mail,employee_id\na@example.com,1\n'],
      'policies.json': ['--policies', JSON.stringify(policies)],
    };
    for (const [name, [, content]] of Object.entries(files)) writeFileSync(join(cwd, name), content);
    const args = Object.entries(files).flatMap(([name, [option]]) => [option, name]);
    const { stdout } = await runCommand(['report', '--format', 'html', ...args], { env, cwd });
    assert(stdout.includes(`key(s) of ${listed.service.url} were looked at`));
    const [, made] = /<h2>Made by<\/h2>\n<ul>\n(.*)<\/ul>/s.exec(stdout) ?? [];
    const digestOf = (content: string) => createHash('sha256').update(content).digest('hex');
    assert.deepEqual(made?.trim().split('\n'), [
      `<li>keyroster-admin ${VERSION}</li>`,
      ...Object.entries(files).map(
        ([name, [option, content]]) => `<li>${option} ${name}, SHA-256 ${digestOf(content)}</li>`,
      ),
    ]);
  });

  test('for an empty roster prints no NaN, undefined or Infinity', async () => {
    const url = await startStubService(scope, []);
    const empty = { ...env, KEYROSTER_BASE_URL: url };
    for (const format of ['table', 'json', 'html']) {
      const { exitCode, stdout } = await runCommand(['report', '--format', format], { env: empty });
      assert.equal(exitCode, 0);
      assert.doesNotMatch(stdout, /NaN|undefined|Infinity/);
    }
  });

  test('exits with 4 where a policy is broken, and with 1 where it could not look', async () => {
    assert.equal((await report('--max-age', '365d')).exitCode, 4);
    const away = { ...env, KEYROSTER_BASE_URL: 'http://127.0.0.1:1' }; // a port that fetch refuses
    assertFailed(await runCommand(['report', '--max-age', '365d'], { env: away }), 1, /fix the base URL/);
  });

  test('refuses wrong options, also beside a saved roster', async () => {
    const [first] = (await listed.client().apiKeys.list({ limit: 1 })).data;
    for (const wrong of ['365', '1y', '-1d', ''])
      assertFailed(await report('--max-age', wrong), 2, /--max-age: must be a number of days such as 365d/);
    assertFailed(await report('--exact'), 2, /--exact: is for CSV, and there is none/);
    const saved = { input: `${JSON.stringify(first)}\n` };
    const ofSaved = (...args: string[]) => runCommand(['report', '--file', '-', '--exact', ...args], saved);
    assert.equal((await ofSaved('--max-age', '9999d', '--format', 'csv')).exitCode, 0);
  });
});
