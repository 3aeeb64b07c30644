/** Prisma's own transaction. It is installed from the registry and takes 300 MB, so this isn't in npm test. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { adapter, type IssuingLibrary } from '../../support/issuing-libraries.ts';
import { describeOwnTransaction } from '../../support/own-transaction.ts';
import { type Scope, suiteScope, temporaryFolder } from '../../support/scope.ts';

const VERSION = '7.10.0';
const PACKAGES = ['prisma', '@prisma/client', '@prisma/adapter-pg'].map(name => `${name}@${VERSION}`);
const SCHEMA = `
  generator client {
    provider = "prisma-client"
    output   = "../generated"
  }
  datasource db {
    provider = "postgresql"
  }
  model IssuedKey {
    id     String @id
    digest String
    @@map("issued_keys")
  }`;
const CONFIG = `
  import { defineConfig } from 'prisma/config';
  export default defineConfig({ schema: 'prisma/schema.prisma' });`;

// biome-ignore lint/suspicious/noExplicitAny: the package isn't a dependency, so its types aren't there
type Prisma = any;

/** Installs Prisma in a temporary folder, without running its scripts, and generates a client. Throws when npm can't. */
async function install(scope: Scope): Promise<(url: string) => Prisma> {
  const folder = temporaryFolder(scope);
  const run = promisify(execFile);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder });
  mkdirSync(join(folder, 'prisma'));
  writeFileSync(join(folder, 'prisma/schema.prisma'), SCHEMA);
  writeFileSync(join(folder, 'prisma.config.ts'), CONFIG);
  // Migrations need the engine, which would be downloaded; the client doesn't.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
  await run(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], { cwd: folder, env });
  const { PrismaClient } = await import(pathToFileURL(join(folder, 'generated/client.ts')).href);
  const { PrismaPg } = await import(
    pathToFileURL(join(folder, 'node_modules/@prisma/adapter-pg/dist/index.mjs')).href
  );
  return url => new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
}

describe(`Prisma ${VERSION}`, async () => {
  const scope = suiteScope();
  const clientFor = await install(scope).catch((error: Error) => {
    const [reason] = /(?<=npm error )code .*/.exec(error.message) ?? [error.message];
    test(`nothing was tested: npm can't install it: ${reason}`, { skip: true }, () => {});
  });
  if (!clientFor) return;
  const inPrisma = await adapter('prisma');
  const library: IssuingLibrary = {
    name: `Prisma ${VERSION}`,
    inTransaction: async (url, work) => {
      const prisma = clientFor(url);
      try {
        return await prisma.$transaction((tx: Prisma) =>
          work({
            transaction: inPrisma(tx),
            insertOwn: id => tx.issuedKey.create({ data: { id, digest: '' } }),
          }),
        );
      } finally {
        await prisma.$disconnect();
      }
    },
  };
  describeOwnTransaction(library);
});
