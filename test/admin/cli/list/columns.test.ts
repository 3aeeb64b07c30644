import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startAnsweringService } from '../../../support/answering-service.ts';
import { exampleRecord } from '../../../support/example-record.ts';
import { runOnTerminal } from '../../../support/run-many-commands.ts';
import { suiteScope } from '../../../support/scope.ts';
import { drawn } from '../../../support/screen.ts';

const DAY_MS = 86_400_000;
/** A little more, as the process of the commands took its time when it began. */
const daysAgo = (days: number) =>
  new Date(Date.now() - (days + 0.5) * DAY_MS).toISOString().replace('Z', '000Z');

/** A key that is as old as the test wants it. */
const key = (days: number, end: string, fields: object) => ({
  ...exampleRecord,
  id: `apikey_01Rj2N8SVvo6BePZj99NhmiT`.slice(0, -end.length) + end,
  created_at: daysAgo(days),
  partial_key_hint: `sk-ven-api03-R2D...${end}`,
  ...fields,
});

const KEYS = [
  key(3, 'aa01', { name: 'Billing service, production' }),
  key(224, 'aa02', { name: '日本語の名前がとても長い鍵です', status: 'inactive', workspace_id: null }),
  key(1204, 'aa03', { name: `e${'\u0301'.repeat(40)}\u202e\t👩🚀`, status: 'archived' }),
];
const DATES = KEYS.map(({ created_at }) => created_at.slice(0, 10));

describe('the screen of list', () => {
  const scope = suiteScope();

  /** With the same days in each run. */
  async function listed(
    columns: number,
    env: Record<string, string> = {},
    ...args: string[]
  ): Promise<string> {
    const url = await startAnsweringService(scope, (_, response) => {
      const page = { data: KEYS, first_id: KEYS[0]?.id, last_id: KEYS[2]?.id, has_more: false };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
    });
    const all = { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'key', NO_COLOR: '1', ...env };
    const screen = await drawn(await runOnTerminal(['list', ...args], { columns, env: all }), columns);
    return DATES.reduce((text, date, index) => text.replaceAll(date, `2026-01-0${index + 1}`), screen);
  }

  test('at 60 columns has the ID, the status, the age and the last characters of the hint', async () => {
    assert.equal(`\n${await listed(60)}\n`, SCREENS[60]);
  });

  test('at 80 columns has the name and the day too', async () => {
    assert.equal(`\n${await listed(80)}\n`, SCREENS[80]);
  });

  test('at 120 columns has all columns, cut in their middle', async () => {
    assert.equal(`\n${await listed(120)}\n`, SCREENS[120]);
  });

  test('at 200 columns has all of each', async () => {
    assert.equal(`\n${await listed(200)}\n`, SCREENS[200]);
  });

  test('without UTF-8 has three dots for an ellipsis', async () => {
    assert.equal(`\n${await listed(80, { LANG: 'C' })}\n`, SCREENS.ascii);
  });

  test('with --columns has these', async () => {
    assert.equal(`\n${await listed(80, {}, '--columns', 'id,age,created_by.type,name')}\n`, SCREENS.chosen);
  });
});

/** As they are on the screen, between the first and the last line break. */
const SCREENS = {
  60: `
ID                               STATUS    AGE    HINT
apikey_01Rj2N8SVvo6BePZj99Naa01  active    3d     …aa01
apikey_01Rj2N8SVvo6BePZj99Naa02  inactive  224d   …aa02
apikey_01Rj2N8SVvo6BePZj99Naa03  archived  1204d  …aa03
left out at this width: name, created_at, created_by.id, wor
kspace_id; use a wider terminal, or choose by --columns
`,
  80: `
ID                               NAME         STATUS    CREATED     AGE    HINT
apikey_01Rj2N8SVvo6BePZj99Naa01  Billi…ction  active    2026-01-01  3d     …aa01
apikey_01Rj2N8SVvo6BePZj99Naa02  日本…鍵です  inactive  2026-01-02  224d   …aa02
apikey_01Rj2N8SVvo6BePZj99Naa03  é́́́́́\\u20…t👩🚀  archived  2026-01-03  1204d  …aa03
left out at this width: created_by.id, workspace_id; use a wider terminal, or ch
oose by --columns
`,
  120: `
ID                               NAME                   STATUS    CREATED     AGE    CREATOR        WORKSPACE      HINT
apikey_01Rj2N8SVvo6BePZj99Naa01  Billing se…production  active    2026-01-01  3d     user_0…NKUu3Q  wrkspc…HKfFUJ  …aa01
apikey_01Rj2N8SVvo6BePZj99Naa02  日本語の名…長い鍵です  inactive  2026-01-02  224d   user_0…NKUu3Q  (default)      …aa02
apikey_01Rj2N8SVvo6BePZj99Naa03  é́́́́́\\u202e\\t👩🚀          archived  2026-01-03  1204d  user_0…NKUu3Q  wrkspc…HKfFUJ  …aa03
`,
  200: `
ID                               NAME                            STATUS    CREATED     AGE    CREATOR                        WORKSPACE                        HINT
apikey_01Rj2N8SVvo6BePZj99Naa01  Billing service, production     active    2026-01-01  3d     user_01WCz1FkmYMm4gnmykNKUu3Q  wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ  sk-ven-api03-R2D...aa01
apikey_01Rj2N8SVvo6BePZj99Naa02  日本語の名前がとても長い鍵です  inactive  2026-01-02  224d   user_01WCz1FkmYMm4gnmykNKUu3Q  (default)                        sk-ven-api03-R2D...aa02
apikey_01Rj2N8SVvo6BePZj99Naa03  é́́́́́\\u202e\\t👩🚀                   archived  2026-01-03  1204d  user_01WCz1FkmYMm4gnmykNKUu3Q  wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ  sk-ven-api03-R2D...aa03
`,
  ascii: `
ID                               NAME       STATUS    CREATED     AGE    HINT
apikey_01Rj2N8SVvo6BePZj99Naa01  Bil...ion  active    2026-01-01  3d     ...aa01
apikey_01Rj2N8SVvo6BePZj99Naa02  日...です  inactive  2026-01-02  224d   ...aa02
apikey_01Rj2N8SVvo6BePZj99Naa03  é́́́́́\\u...🚀   archived  2026-01-03  1204d  ...aa03
left out at this width: created_by.id, workspace_id; use a wider terminal, or ch
oose by --columns
`,
  chosen: `
ID                               AGE    CREATOR TYPE  NAME
apikey_01Rj2N8SVvo6BePZj99Naa01  3d     user          Billing servi…, production
apikey_01Rj2N8SVvo6BePZj99Naa02  224d   user          日本語の名前…も長い鍵です
apikey_01Rj2N8SVvo6BePZj99Naa03  1204d  user          é́́́́́\\u202e\\t👩🚀
`,
};
