/** The servers of the examples whose frameworks or runtimes are large, or another version of one that `npm test` has. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe } from 'node:test';
import { describeFramework, sqlitePlace } from '../support/describe-framework.ts';
import { frameworks } from '../support/frameworks.ts';
import { install, packPackages } from '../support/installed-package.ts';
import { atEndOf, type Scope, suiteScope, temporaryFolder } from '../support/scope.ts';
import { createDatabase } from '../support/stores.ts';

process.env.NEXT_TELEMETRY_DISABLED = '1';

const places = {
  SQLite: sqlitePlace,
  PostgreSQL: async (scope: Scope) => {
    const { url, remove } = await createDatabase();
    atEndOf(scope, remove);
    return url;
  },
};

describe('in a project with the package', () => {
  const scope = suiteScope();
  let keyroster: string;
  before(async () => {
    const folder = temporaryFolder(scope);
    keyroster = join(folder, (await packPackages(folder)).keyroster.filename);
  });

  for (const framework of frameworks)
    if (framework.packages) {
      const packages = [...framework.packages, 'pg@8', 'pg-copy-streams@7'];
      describeFramework(framework, places, async inner => {
        const folder = temporaryFolder(inner);
        writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
        return { folder, problem: await install(folder, [keyroster, ...packages]) };
      });
    }
});
