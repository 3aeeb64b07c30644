/** A log of new keys that is rotated as by logrotate, and what of it is stored. */
import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedStore } from './embedded-store.ts';
import { record } from './import-file.ts';
import { type Scope, temporaryFolder } from './scope.ts';

export type FedLog = Awaited<ReturnType<typeof fedLog>>;

export async function fedLog(scope: Scope) {
  const store = await embeddedStore(scope);
  const file = join(temporaryFolder(scope), 'keys.jsonl');
  const written = new Set<string>();
  writeFileSync(file, '');
  return {
    store,
    file,
    /** The IDs of all lines. */
    written,
    write(lines: number) {
      const text = Array.from({ length: lines }, () => {
        const id = `k${written.size}`;
        written.add(id);
        return `${JSON.stringify({ organization_id: store.organization, ...record(id) })}\n`;
      });
      appendFileSync(file, text.join(''));
    },
    /** FILE.1 becomes FILE.2 and so on, and FILE becomes FILE.1. Of these so many are kept. */
    rotate(kept = 100) {
      for (let n = kept; n > 0; n--)
        if (existsSync(`${file}.${n}`)) renameSync(`${file}.${n}`, `${file}.${n + 1}`);
      renameSync(file, `${file}.1`);
      rmSync(`${file}.${kept + 1}`, { force: true });
      writeFileSync(file, '');
    },
  };
}
