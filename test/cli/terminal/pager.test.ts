import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, describe, test } from 'node:test';
import { renderApiKey } from '../../../src/roster/api-key-record.ts';
import { startAnsweringService } from '../../support/answering-service.ts';
import { keyroster } from '../../support/command-line.ts';
import { suiteScope } from '../../support/scope.ts';
import { CTRL_C, screenOf } from '../../support/screen.ts';
import { numberedKeys, startSeededService } from '../../support/seeded-service.ts';
import { lineOnTerminal, noTerminal, shellCommand } from '../../support/terminal.ts';

const noLess = noTerminal || (spawnSync('less', ['--version']).error ? 'needs less' : false);

/** What less shows in the last line while there is more, or at the end. */
const PROMPT = /\n(:|\(END\))$/;

describe('a pager', { concurrency: 2, skip: noTerminal }, () => {
  const scope = suiteScope();
  let env: Record<string, string>;

  before(async () => {
    const { service, secret } = await startSeededService(scope, numberedKeys(45));
    env = { KEYROSTER_BASE_URL: service.url, KEYROSTER_ADMIN_KEY: secret };
  });

  test('is less where none is named, and what goes to standard error follows once it has ended', {
    skip: noLess,
  }, async () => {
    const keys = [{ after: PROMPT, type: 'q' }];
    const { screen, before, exitCode } = await screenOf(['list', '--limit', '40'], { env, rows: 10, keys });
    assert.match(String(before[0]), /^ID +NAME(.*\n){9}:$/);
    assert.match(screen, /\nk7 .*\nthere are more: continue with --after k39, or use --all$/);
    assert.equal(exitCode, 0);
  });

  test('that is less ends by itself where all fits the screen', { skip: noLess }, async () => {
    const { screen } = await screenOf(['list', '--limit', '3'], { env, rows: 10 });
    assert.match(screen, /^ID +NAME(.*\n){3}k2 .*\nthere are more/);
  });

  // Not less: it takes an interrupt some time after its terminal shows one, and gives up what it is asked for meanwhile.
  test('gets Ctrl-C, which does not end the command', async () => {
    const PAGER = "trap 'echo interrupted; exit' INT; cat; echo all is read; while :; do sleep 0.1; done";
    const keys = [{ after: /all is read/, type: CTRL_C }];
    const { screen, exitCode } = await screenOf(['list'], { env: { ...env, PAGER }, keys });
    assert.match(screen, /\nk19 .*\nall is read\n.*interrupted\nthere are more/);
    assert.equal(exitCode, 0);
  });

  test('that is quit ends the command quietly, with the exit code of what was found', async () => {
    const paged = { ...env, PAGER: 'head -n 1' };
    const list = await screenOf(['list', '--all', '--limit', '1'], { env: paged });
    assert.match(list.screen, /^ID +NAME.*$/);
    assert.equal(list.exitCode, 0);
    const report = await screenOf(['report', '--max-age', '0d'], { env: paged });
    assert.equal(report.exitCode, 1);
    assert.doesNotMatch(report.screen, /EPIPE/);
  });

  test('that is quit ends the walk: nothing more is requested', async () => {
    const records = numberedKeys(1_000).map(key => JSON.parse(renderApiKey(key)));
    let requests = 0;
    const url = await startAnsweringService(scope, (request, response) => {
      const query = new URL(request.url ?? '', 'http://stub').searchParams;
      const start = records.findIndex(({ id }) => id === query.get('after_id')) + 1;
      const page = { data: [records[start]], first_id: records[start].id, last_id: records[start].id };
      requests += 1;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...page, has_more: start < records.length - 1 }));
    });
    const paged = { ...env, KEYROSTER_BASE_URL: url, PAGER: 'head -n 2' };
    const { exitCode } = await screenOf(['list', '--all', '--limit', '1'], { env: paged });
    assert.equal(exitCode, 0);
    assert.ok(requests < records.length, `${requests} requests`);
  });

  test('is the one that KEYROSTER_PAGER names, or else PAGER, by a line of the shell', async () => {
    const pagers = { KEYROSTER_PAGER: "sed 's/^/1 /' | cat", PAGER: "sed 's/^/2 /'" };
    const list = ['list', '--limit', '1'];
    assert.match((await screenOf(list, { env: { ...env, ...pagers } })).screen, /^1 ID .*\n1 k0 /);
    assert.match((await screenOf(list, { env: { ...env, PAGER: pagers.PAGER } })).screen, /^2 ID .*\n2 k0 /);
  });

  test('that is not there, that may not be run, that is empty, or that is not wanted, is none', async () => {
    const shown = /^ID +NAME(.*\n){40}k39 .*\nthere are more/;
    const list = ['list', '--limit', '40'];
    assert.match((await screenOf(list, { env: { ...env, PAGER: ' ' } })).screen, shown);
    const notWanted = { ...env, PAGER: 'head -n 1' };
    assert.match((await screenOf([...list, '--no-pager'], { env: notWanted })).screen, shown);
    // The shell says of a program that it may not run what it also says where a folder of PATH may not be read.
    for (const PAGER of ['not-installed --at-all', import.meta.filename]) {
      const { screen, exitCode } = await screenOf(list, { env: { ...env, PAGER } });
      assert.match(screen.replace(/^.*(not found|denied)\n/, ''), shown);
      assert.equal(exitCode, 0);
    }
  });

  test('gets colours only where it is less', { skip: noLess }, async () => {
    const list = ['list', '--limit', '1'];
    const withEscapes = async (PAGER: string, more = {}) =>
      (await lineOnTerminal(`exec ${shellCommand(list)}`, { ...env, PAGER, ...more })).includes('\x1b[1m');
    assert.equal(await withEscapes('less'), true);
    assert.equal(await withEscapes("sed 's/^//'"), false);
    assert.equal(await withEscapes('cat'), true);
  });

  test('is not for a terminal without escape sequences, which gets no colours either', async () => {
    for (const TERM of ['dumb', '']) {
      const shown = await lineOnTerminal(`exec ${shellCommand(['list', '--limit', '1'])}`, {
        ...env,
        PAGER: "sed 's/^/2 /'",
        TERM,
      });
      assert.match(shown, /^ID +NAME/);
      assert(!shown.includes('\x1b'), shown);
    }
  });

  test('is only for a terminal', async () => {
    const { stdout } = await keyroster(['list', '--limit', '1'], { env: { ...env, PAGER: "sed 's/^/2 /'" } });
    assert.match(stdout, /^k0\t.*\n$/);
  });

  test('does not get the admin key, as its reader may run any program from it', async () => {
    const PAGER = 'env | grep -c ^KEYROSTER_ADMIN_KEY; cat > /dev/null';
    const { screen } = await screenOf(['list', '--limit', '40'], { env: { ...env, PAGER } });
    assert.match(screen, /^0\n/);
  });

  test('ends before the command does that SIGTERM ends, so that the shell has the terminal alone', async () => {
    const PAGER = 'cat > /dev/null; sleep 1; echo the pager has ended';
    const line = `${shellCommand(['list', '--all'])} & sleep 2; kill -TERM $!; wait $!; echo "exit code $?"`;
    const { screen } = await screenOf(line, { env: { ...env, PAGER } });
    assert.match(screen, /the pager has ended\n(.*\n)*exit code (143|0)$/);
  });
});
