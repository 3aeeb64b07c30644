/** What a terminal shows of each command with a table, drawn by the terminal emulator of xterm.js. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import headless from '@xterm/headless';
import { renderApiKey } from '../../../src/service/roster/api-key.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../src/shared/record/partial-key-hint.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { startStubService } from '../../support/answering-service.ts';
import { jsonLines } from '../../support/import-file.ts';
import { now } from '../../support/roster.ts';
import { runOnTerminal } from '../../support/run-many-commands.ts';
import { temporaryFolder } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const SCREENS = new URL('screens.txt', import.meta.url);
/** Rewrites the file with what is shown now: look at each line of the difference before you commit it. */
const isRewriting = process.env.KEYROSTER_TEST_REWRITE_SCREENS === '1';
const NOT_UTF8 = { LANG: 'C', NO_COLOR: '1' };

/** The lines that a terminal has once it has drawn this text, without empty ones at the end. */
async function drawn(text: string, columns: number): Promise<string> {
  const options = { cols: columns, rows: 24, scrollback: 1_000 };
  const terminal = new headless.Terminal({ ...options, convertEol: true, allowProposedApi: true });
  await new Promise<void>(resolve => terminal.write(text, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) =>
    active.getLine(row)?.translateToString(true),
  );
  return lines.join('\n').trimEnd();
}

const DAY = 86_400_000_000n;
const names = [
  '고객 지원 nightly job',
  `e${'\u0301'.repeat(40)}\u202e\t👩🚀`,
  'A name that is far longer than any terminal of the usual width has room for',
];

/** It becomes no day older while the test runs. */
function recordOf(days: number, fields: object = {}) {
  const end = String(days).padStart(4, '0');
  const key = numberedKey(days, {
    id: `apikey_01mngCcbEoXeqXkPypvv${end}` as ApiKeyId,
    name: names[days % 3] ?? '',
    createdAt: (now() - (BigInt(days) * DAY + DAY / 2n)) as Timestamp,
    createdBy: { id: 'user_01FssZcoQ8cBj01eidBCgN3X' as CreatorId, type: 'user' },
    partialKeyHint: `sk-ven-api03-R2D...${end}` as PartialKeyHint,
    workspaceId: days % 5 === 0 ? null : ('wrkspc_01fJqmjM1zvVyVrL1JDoEVEO' as WorkspaceId),
  });
  return { ...JSON.parse(renderApiKey(key)), ...fields };
}

test('list, report, find and diff show on a terminal of each width what screens.txt has', async t => {
  const folder = temporaryFolder(t);
  const saved = (name: string, records: readonly object[]) => {
    writeFileSync(join(folder, name), jsonLines(records));
    return join(folder, name);
  };
  const [first, renamed, moved, ...others] = [3, 31, 224, 400, 1_205].map(days => recordOf(days));
  const old = saved('old.jsonl', [first, renamed, moved, ...others]);
  const current = saved('new.jsonl', [
    recordOf(1),
    { ...renamed, name: 'Renamed' },
    { ...moved, status: 'archived', workspace_id: null },
    ...others,
  ]);
  const url = await startStubService(t, [first, renamed, moved, ...others]);
  const list = ['list', '--base-url', url];
  const screens: readonly (readonly [
    line: readonly string[],
    columns: number,
    env?: Record<string, string>,
  ])[] = [
    [list, 60],
    [list, 80],
    [list, 80, NOT_UTF8],
    [list, 120],
    [list, 240],
    [[...list, '--columns', 'id,age,created_by.type,name'], 80],
    [['report', '--file', old, '--max-age', '365d'], 80, NOT_UTF8],
    [['find', 'nightly', '--file', old], 60],
    [['diff', old, current], 60],
  ];
  const shown: string[] = [];
  for (const [line, columns, env = {}] of screens) {
    const terminal = { columns, env: { KEYROSTER_ADMIN_KEY: 'key', ...env } };
    const screen = await drawn(await runOnTerminal(line, terminal), columns);
    const place = `${line[0]}, ${columns} columns${env === NOT_UTF8 ? ', not UTF-8' : ''}`;
    shown.push(`==== ${place}\n${screen.replaceAll(/ +$/gm, '')}\n`);
  }
  const text = shown.join('\n').replaceAll(/\d{4}-\d\d-\d\d?/g, 'YYYY-MM-DD');
  if (isRewriting) writeFileSync(SCREENS, text);
  assert.equal(text, readFileSync(SCREENS, 'utf8'));
});
