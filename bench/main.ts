/** `npm run bench -- [--keys N] [--rounds N]`: prints what docs/benchmarks.md reports. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AdminKeySecret, parseVendor, type Vendor } from '../src/roster/admin-key.ts';
import { newId, type OrganizationId } from '../src/roster/identifier.ts';
import { timestampOfDate } from '../src/roster/timestamp.ts';
import { openWriter } from '../src/sqlite/connect.ts';
import { migrate } from '../src/sqlite/migrate.ts';
import { makeApiKeys } from './make-api-keys.ts';
import { measurePages } from './pages.ts';

const { values } = parseArgs({
  options: { keys: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '7' } },
});
const keys = Number(values.keys);
const rounds = Number(values.rounds);

const folder = mkdtempSync(join(tmpdir(), 'keyroster-bench-'));
try {
  const file = join(folder, 'keyroster.db');
  const secret = await fill(file);
  print(
    `${keys} keys in one organization: ${(statSync(file).size / keys).toFixed(0)} bytes a key on the disk`,
  );
  print('| 20-item page | requests/s | against the first page (least to most) |');
  print('|---|---|---|');
  for (const { what, perSecond, ratio } of await measurePages(`sqlite:${file}`, secret, keys, rounds)) {
    const [median, least, most] = ratio.map(figure => figure.toFixed(2));
    print(`| ${what} | ${perSecond.toFixed(0)} | ${median} (${least} to ${most}) |`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function fill(file: string): Promise<string> {
  migrate(file);
  const roster = openWriter(file);
  const organizationId = newId<OrganizationId>('org');
  const createdAt = timestampOfDate(new Date());
  await roster.createOrganization({ id: organizationId, name: 'Bench', createdAt });
  const secret = AdminKeySecret.issue(parseVendor('vendor') as Vendor);
  await roster.createAdminKey({
    id: newId('adminkey'),
    organizationId,
    name: 'bench',
    lastCharacters: secret.lastCharacters(),
    digest: secret.digest(),
    createdAt,
    expiresAt: null,
    revokedAt: null,
  });
  const start = performance.now();
  await roster.importApiKeys(organizationId, makeApiKeys(keys), refusal => print(JSON.stringify(refusal)));
  print(`imported ${((keys / (performance.now() - start)) * 1000).toFixed(0)} keys a second`);
  await roster.close();
  return secret.reveal();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
