/** The packages' types in the compilers that vendors have. These come from the registry, so this isn't in npm test. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { runNode } from '../../support/command-line.ts';
import {
  type InstalledPackages,
  install,
  installPackages,
  type Packed,
} from '../../support/installed-package.ts';
import { suiteScope, temporaryFolder } from '../../support/scope.ts';

/** Releases of TypeScript, each with the release of @types/node that was the long-term one in its year. */
const NODE_TYPES_OF = {
  '5.4': '20',
  '5.5': '20',
  '5.6': '22',
  '5.7': '22',
  '5.8': '22',
  '5.9': '24',
  '6.0': '24',
  '7.0': '26',
} as const;

const RESOLUTIONS = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'esnext', moduleResolution: 'node' },
];
/** The first release that doesn't have `node` by itself. */
const WITHOUT_NODE = '6.0';
/** With and without the browser's `Request` and `Response` beside those of @types/node. */
const LIBRARIES = [['es2022'], ['es2022', 'dom', 'dom.iterable']];

const tools = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];

describe('the packages', () => {
  const scope = suiteScope();
  const folder = temporaryFolder(scope);
  const toolPath = (path: string) => join(folder, 'node_modules', path);
  let installed: InstalledPackages;
  let missing: string | undefined;
  before(async () => {
    installed = await installPackages(scope);
    writeFileSync(join(installed.folder, 'use.ts'), useOf(installed));
    missing = await install(folder, [
      ...tools,
      ...Object.keys(NODE_TYPES_OF).map(version => `typescript-${version}@npm:typescript@${version}`),
      ...new Set(Object.values(NODE_TYPES_OF).map(version => `types-${version}@npm:@types/node@${version}`)),
    ]);
    if (missing) return;
    for (const version of new Set(Object.values(NODE_TYPES_OF))) {
      mkdirSync(join(folder, `types-${version}`));
      symlinkSync(toolPath(`types-${version}`), join(folder, `types-${version}`, 'node'));
    }
  });

  for (const [version, nodeTypes] of Object.entries(NODE_TYPES_OF))
    for (const resolution of RESOLUTIONS) {
      if (resolution.moduleResolution === 'node' && version >= WITHOUT_NODE) continue;
      for (const lib of LIBRARIES) {
        const name = `compile in TypeScript ${version}, ${resolution.moduleResolution}, with ${lib}`;
        test(`${name}, strictly and with all its declarations`, async t => {
          if (missing) return t.skip(missing);
          const compilerOptions = {
            ...resolution,
            lib,
            target: 'es2022',
            strict: true,
            exactOptionalPropertyTypes: true,
            skipLibCheck: false,
            noEmit: true,
            types: ['node'],
            typeRoots: [join(folder, `types-${nodeTypes}`)],
          };
          const project = join(installed.folder, 'tsconfig.json');
          writeFileSync(project, JSON.stringify({ compilerOptions, files: ['use.ts'] }));
          const { stdout } = await runNode([toolPath(`typescript-${version}/bin/tsc`), '-p', project]);
          assert.equal(stdout, '');
        });
      }
    }

  for (const which of ['keyroster', 'admin', 'client'] as const) {
    const tarball = () => join(installed.folder, installed[which].filename);

    test(`${which} has no fault that publint knows`, async t => {
      if (missing) return t.skip(missing);
      const { exitCode, stdout } = await runNode([toolPath('publint/src/cli.js'), tarball(), '--strict']);
      assert.equal(exitCode, 0, stdout);
    });

    test(`${which} has no fault in its types that attw knows, in any way to resolve them`, async t => {
      if (missing) return t.skip(missing);
      const cli = toolPath('@arethetypeswrong/cli/dist/index.js');
      // The packages are only ESM. The admin's has a program and no types.
      const { exitCode, stdout } = await runNode([cli, tarball(), '--ignore-rules', 'cjs-resolves-to-esm']);
      assert.equal(exitCode, 0, stdout);
    });
  }
});

/** Code that imports all that the packages export, and uses it rightly and wrongly. */
function useOf({ folder, ...packed }: InstalledPackages): string {
  const entries = Object.values<Packed>({ ...packed }).flatMap(({ name }) => {
    const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
    const exported = Object.keys(JSON.parse(manifest).exports).filter(entry => !entry.endsWith('.json'));
    return exported.map(entry => entry.replace('.', name));
  });
  const inKeyroster = ['authenticators', 'conformance', 'next', 'own-store'].map(
    entry => `keyroster/${entry}`,
  );
  assert.deepEqual(entries, ['keyroster', ...inKeyroster, '@keyroster/client']);
  return `${entries.map((entry, at) => `export * as entry${at} from '${entry}';`).join('\n')}
    import { type ConformanceCheck, conformanceChecks } from 'keyroster/conformance';
    import { createServer } from 'node:http';
    import { createKeyroster, openWriter, type PutRecord, Refused, type RefusedFault, writerIn } from 'keyroster';
    import { jwtAuthentication, sessionAuthentication } from 'keyroster/authenticators';
    import { routeHandlers } from 'keyroster/next';
    import { type ListQuery, type Page, pageItem, type RosterReader } from 'keyroster';
    import { type ApiKeyRecord, KeyrosterClient } from '@keyroster/client';
    declare const record: PutRecord & Parameters<typeof pageItem>[0];
    class OwnStore implements RosterReader {
      async listApiKeys(organizationId: string, { limit, cursor, filter }: ListQuery): Promise<Page | null> {
        // @ts-expect-error an item of a page is made by pageItem
        if (limit === 7) return { items: [{ id: 'key_a', record: '{}' }], hasMore: false };
        return { items: [pageItem(record)], hasMore: [organizationId, cursor?.id, filter.status].length > limit };
      }
    }
    export const checks: ConformanceCheck[] = conformanceChecks({ open: async () => ({ roster: new OwnStore() }) });
    // @ts-expect-error a roster is needed
    conformanceChecks({ open: () => ({ close: () => {} }) });
    const { apiKeys } = new KeyrosterClient({ baseUrl: 'http://127.0.0.1:3000', adminKey: 'k' });
    export const right = () => apiKeys.list({ status: 'active', limit: 5 });
    // @ts-expect-error no such status
    export const status = () => apiKeys.list({ status: 'revoked' });
    export const name = (key: ApiKeyRecord): string => key.name;
    export const mounted = createKeyroster({ database: process.env.DATABASE_URL }).then(({ fetch, handle }) => {
      createServer(handle);
      return fetch(new Request('https://api.example.com/'), { clientAddress: '192.0.2.1' });
    });
    // @ts-expect-error a number
    createKeyroster({ database: 'sqlite:a.db', rateLimit: '5' });
    // @ts-expect-error a store is needed
    createKeyroster({});
    const token = { jwks: 'https://a.example/keys', issuer: 'a', audience: 'b', algorithms: ['RS256'] };
    // @ts-expect-error the organization's claim is needed
    jwtAuthentication(token);
    export const byToken = () => createKeyroster({ roster: new OwnStore(), authenticate: jwtAuthentication({ ...token, organizationClaim: 'o' }) });
    export const bySession = sessionAuthentication({ cookie: 'sid', find: async id => id === 'a' && { organizationId: 'o', callerId: 'c' } });
    export const { GET } = routeHandlers(() => ({ database: process.env.DATABASE_URL }));
    // @ts-expect-error a store of your own needs your own authentication
    createKeyroster({ roster: new OwnStore() });
    createKeyroster({ roster: new OwnStore(), authenticate: async request => {
      const who = request.headers.get('authorization');
      return who === null ? null : { organizationId: 'org_1', callerId: who };
    } });
    export const put = async () => (await openWriter({ database: 'sqlite:x.db' })).put('org_1', [record]);
    // @ts-expect-error a field is missing
    writerIn({ query: async (text: string, values?: (string | null)[]) => ({ rows: [text, values] }) }).put('o', { id: 'k1' });
    export const faults = (error: Refused): readonly RefusedFault[] => error.faults;
  `;
}
