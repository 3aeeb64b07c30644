/** What the commands show on a terminal of each width that also read a saved roster. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { type ApiKey, renderApiKey } from '../../../../src/service/roster/api-key.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../../src/shared/record/partial-key-hint.ts';
import { jsonLines } from '../../../support/import-file.ts';
import { runOnTerminal } from '../../../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { drawn } from '../../../support/screen.ts';
import { numberedKey } from '../../../support/seeded-service.ts';

const SCREENS = new URL('file-screens.txt', import.meta.url);
/** Rewrites the file with what is shown now: look at each line of the difference before you commit it. */
const isRewriting = process.env.KEYROSTER_TEST_REWRITE_SCREENS === '1';

const names = [
  'Fraud check local',
  '고객 지원 nightly job',
  'A name that is far longer than any terminal of the usual width has room for',
];
const hints = ['sk-ven-api03-R2D...igAA', 'sk-ven-api03-YqG...pj6r', 'sk-ven-api03-D6s...3lNY'];

const recordOf = (days: number, parts: Partial<ApiKey> = {}) =>
  JSON.parse(
    renderApiKey(
      numberedKey(days, {
        id: `apikey_01mngCcbEoXeqXkPypvv${String(days).padStart(4, '0')}` as ApiKeyId,
        name: names[days % 3] ?? '',
        partialKeyHint: hints[days % 3] as PartialKeyHint,
        createdBy: { id: 'user_01FssZcoQ8cBj01eidBCgN3X' as CreatorId, type: 'user' },
        ...parts,
      }),
    ),
  );

const widths = [
  { columns: 60 },
  { columns: 80 },
  { columns: 80, env: { LANG: 'C', NO_COLOR: '1' } },
  { columns: 120 },
  { columns: 200 },
];

describe('on a terminal', () => {
  const scope = suiteScope();
  let commands: Record<string, readonly string[]>;
  before(() => {
    const folder = temporaryFolder(scope);
    const saved = (name: string, records: readonly object[]) => {
      writeFileSync(join(folder, name), jsonLines(records));
      return join(folder, name);
    };
    const records = [30, 31, 45, 400, 401, 800].map(days => recordOf(days));
    const [, renamed, moved, ...others] = records;
    const old = saved('old.jsonl', records);
    const current = saved('new.jsonl', [
      recordOf(10),
      { ...renamed, name: 'Renamed' },
      { ...moved, status: 'archived', workspace_id: 'wrkspc_01fJqmjM1zvVyVrL1JDoEVEO' as WorkspaceId },
      ...others,
    ]);
    commands = {
      report: ['report', '--file', old, '--max-age', '365d'],
      find: ['find', 'nightly', '--file', old],
      diff: ['diff', old, current],
    };
  });

  test('report, find and diff show what file-screens.txt has', async () => {
    const shown: string[] = [];
    for (const [name, line] of Object.entries(commands))
      for (const { columns, env } of widths) {
        const screen = await drawn(await runOnTerminal(line, { columns, ...(env && { env }) }), columns);
        const place = `${name}, ${columns} columns${env ? ', not UTF-8, NO_COLOR' : ''}`;
        shown.push(`==== ${place}\n${screen.replaceAll(/ +$/gm, '')}\n`);
      }
    const text = shown.join('\n').replaceAll(/\d{4}-\d\d-\d\d?/g, 'YYYY-MM-DD');
    if (isRewriting) writeFileSync(SCREENS, text);
    assert.equal(text, readFileSync(SCREENS, 'utf8'));
  });
});
