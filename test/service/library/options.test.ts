import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createKeyroster, type KeyrosterOptions } from '../../../src/service/library/library.ts';
import { OPTIONS as EVERY_STORES } from '../../../src/service/library/options.ts';
import { OUR_OPTIONS } from '../../../src/service/library/ours.ts';
import type { OptionRule } from '../../../src/service/options.ts';
import { startSeededService } from '../../support/seeded-service.ts';

const OPTIONS = { ...OUR_OPTIONS, ...EVERY_STORES };
const refusal = (message: string) => ({ name: 'TypeError', message });
const database = 'sqlite:x.db';
const roster = { listApiKeys: async () => null };
const authenticate = () => null;
type Name = keyof KeyrosterOptions;

const notBoolean = ['true', 1, 0, ''];

/** Values that break the rule of each option. */
const wrong: Readonly<Record<Name, readonly unknown[]>> = {
  database: ['mysql://user:password@host', '', 1, new URL('postgres://x')],
  metrics: [{}, true, 9090],
  console: notBoolean,
  openLater: notBoolean,
  roster: [{}, { listApiKeys: [] }, 'sqlite:x.db', true],
  authenticate: [{}, 'bearer', true],
  securityScheme: [
    ...[{}, 'bearer', { type: 'http', scheme: 'x\r\ny: z' }, { type: 'apiKey', in: 'query', name: 'key' }],
    { type: 'apiKey', in: 'header', name: '' },
  ],
  vendor: ['A b', '', 1, ['vendor']],
  basePath: ['api', '/api/', '//', '/a b', '/a?b', 1],
  log: [{}, { write: true }, 'stdout', true, false],
  logLevel: ['INFO', '', 30, true],
  rateLimit: [-1, 1.5, Number.NaN, '5', 1_000_001],
  trustedProxies: ['10.0.0.1', ['10.0.0.0/33'], ['proxy.example.com'], [1], {}, true],
  compression: notBoolean,
  versions: ['2026-10-21', ['latest'], [null], [['2026-10-21']], {}, true],
  defaultWorkspace: ['', 'a b', 1, ['wrkspc_1'], 'k'.repeat(256)],
  bearer: notBoolean,
  maxAdminKeyAge: ['1y', 365, '', '99999d'],
  adminKeyCache: [-1, 61, 1.5, '5'],
};
const NAMES = Object.keys(wrong) as Name[];

describe('an option', () => {
  test('that breaks its rule is refused by name, without its value; null breaks every rule', async () => {
    for (const name of NAMES)
      for (const value of [...wrong[name], null]) {
        const options = { database, [name]: value } as KeyrosterOptions;
        const message = `${name}: ${OPTIONS[name].rule}`;
        await assert.rejects(createKeyroster(options), refusal(message), `${name} ${value}`);
      }
  });

  test('that is unknown is refused, and the nearest one is named if one is near', async () => {
    const near = { rateLimt: 'rateLimit', ratelimit: 'rateLimit', version: 'versions', Bearer: 'bearer' };
    for (const [name, known] of Object.entries(near)) {
      const options = { database, [name]: 1 } as KeyrosterOptions;
      const message = `${name}: unknown option, did you mean ${known}?`;
      await assert.rejects(createKeyroster(options), refusal(message));
    }
    for (const name of ['port', 'toString', '__proto__']) {
      const options = JSON.parse(`{ "database": "${database}", "${name}": 1 }`);
      const message = `${name}: unknown option; the options are ${NAMES.join(', ')}`;
      await assert.rejects(createKeyroster(options), refusal(message));
    }
  });

  test('that would do nothing beside another one, or without it, is refused', async () => {
    const own = { roster, authenticate };
    const senseless: [options: object, message: string][] = [
      [
        { database, securityScheme: { type: 'http', scheme: 'Basic' } },
        'securityScheme: has no meaning without authenticate',
      ],
      [{ roster }, 'roster: has no meaning without authenticate'],
      [{ ...own, bearer: true }, 'bearer: has no meaning with authenticate'],
      [{ ...own, maxAdminKeyAge: '1d' }, 'maxAdminKeyAge: has no meaning with authenticate'],
      [{ database, authenticate, adminKeyCache: 1 }, 'adminKeyCache: has no meaning with authenticate'],
      [{ database, logLevel: 'warn' }, 'logLevel: has no meaning without log'],
      [{ database, defaultWorkspace: 'wrkspc_1' }, 'defaultWorkspace: has no meaning without versions'],
    ];
    for (const [options, message] of senseless)
      await assert.rejects(createKeyroster(options as KeyrosterOptions), refusal(message));
  });

  test('that needs another one is refused without it', async () => {
    const message =
      "versions: 2026-10-21 shows the ID of each key's workspace, and a roster doesn't know that of the default workspace: give it in defaultWorkspace";
    const options = { database, versions: ['2027-01-01', '2026-10-21'] };
    await assert.rejects(createKeyroster(options), refusal(message));
  });

  test('names the store: exactly one of database and roster', async () => {
    const message = 'database, roster: give one of them; database must be sqlite:FILE or postgres://…';
    for (const options of [{}, { database: undefined }, { authenticate }, { database, roster, authenticate }])
      await assert.rejects(createKeyroster(options as KeyrosterOptions), refusal(message));
  });

  test('that is undefined counts as left out, known or not', async t => {
    const { database } = await startSeededService(t, []);
    const names = [...NAMES.filter(name => name !== 'database'), 'unknown'];
    const options = { database, ...Object.fromEntries(names.map(name => [name, undefined])) };
    await (await createKeyroster(options)).close();
  });
});

test('docs/library.md has each option with its default', () => {
  const rows = readFileSync(new URL('../../../docs/library.md', import.meta.url), 'utf8').split('\n');
  for (const [name, { byDefault }] of Object.entries<OptionRule<unknown>>(OPTIONS)) {
    const start = `| \`${name}\` | ${byDefault === undefined ? '' : `\`${byDefault}\` |`}`;
    assert(
      rows.some(row => row.startsWith(start)),
      start,
    );
  }
});

test('options that are no object are refused', async () => {
  for (const options of [undefined, null, database, 1])
    await assert.rejects(createKeyroster(options as never), refusal('options: must be an object'));
});
