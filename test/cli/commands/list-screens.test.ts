import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderApiKey } from '../../../src/roster/api-key-record.ts';
import { startAnsweringService } from '../../support/answering-service.ts';
import { type Scope, suiteScope } from '../../support/scope.ts';
import { CTRL_C, screenOf } from '../../support/screen.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { noTerminal, shellCommand } from '../../support/terminal.ts';

const records = numberedKeys(40).map(key => JSON.parse(renderApiKey(key)));

/** What happens to the request behind the first page. */
type Then = 'no answer' | 'the connection breaks' | 'the last page';

/** A service whose first page has 20 keys. */
async function startService(scope: Scope, then: Then): Promise<Record<string, string>> {
  const url = await startAnsweringService(scope, (request, response) => {
    const isFirst = !request.url?.includes('after_id');
    if (!isFirst && then === 'no answer') return;
    if (!isFirst && then === 'the connection breaks') request.socket.destroy();
    const data = isFirst ? records.slice(0, 20) : records.slice(20);
    const page = { data, first_id: data[0].id, last_id: data[19].id, has_more: isFirst };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  });
  return { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'key', NO_COLOR: '1', PAGER: 'cat' };
}

describe('the screen of list --all', { concurrency: 2, skip: noTerminal }, () => {
  const scope = suiteScope();
  const list = ['list', '--all', '--limit', '20', '--columns', 'id,name'];
  const rows = records.slice(0, 20).map(({ id, name }) => `${id.padEnd(3)}  ${name}`);
  const table = ['ID   NAME', ...rows].join('\n');

  test('on Ctrl-C has what was read, and the command is gone', async () => {
    const env = await startService(scope, 'no answer');
    const keys = [{ after: /k19 .*/, type: CTRL_C }];
    const { screen, exitCode } = await screenOf(list, { env, keys });
    assert.deepEqual([screen, exitCode], [`${table}\n20 records written; continue with --after k19`, 130]);
  });

  test('after q in less, while the service does not answer, has what less showed', async () => {
    const env = { ...(await startService(scope, 'no answer')), PAGER: 'less' };
    const keys = [{ after: /\n:$/, type: 'q' }];
    const { screen, exitCode } = await screenOf(list, { env, keys, rows: 10 });
    assert.deepEqual([screen, exitCode], [table.split('\n').slice(0, 9).join('\n'), 0]);
  });

  test('of a service that dies has the rows before it, and then says why it ended', async () => {
    const env = await startService(scope, 'the connection breaks');
    const { screen, exitCode } = await screenOf(list, { env, columns: 120 });
    const [end, why] = screen.slice(table.length + 1).split('\n');
    assert.equal(screen.slice(0, table.length), table);
    assert.equal(end, '20 records written; continue with --after k19');
    assert.match(String(why), /^keyroster: no complete answer from http/);
    assert.equal(exitCode, 1);
  });

  test('into a pipe that its reader closes has what the reader took', async () => {
    const env = await startService(scope, 'the last page');
    const { screen } = await screenOf(`${shellCommand(list)} | head -n 2; echo end`, { env });
    assert.equal(screen, 'k0      Key 0\nk1      Key 1\nend');
  });

  test('redirected on a terminal has the progress, and nothing at the end', async () => {
    const env = await startService(scope, 'no answer');
    const line = `${shellCommand(['list', '--limit', '20', '--name', 'no such'])} >/dev/null`;
    const keys = [{ after: /reading: 20 records/, type: CTRL_C }];
    const { before, exitCode } = await screenOf(line, { env, keys });
    assert.match(String(before[0]), /^reading: 20 records[^\n]*$/);
    assert.equal(exitCode, 130);
  });
});
