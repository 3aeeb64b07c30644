/** A log of new keys that is rotated as by logrotate, and what of it is stored. */
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedStore } from './embedded-store.ts';
import { record } from './import-file.ts';
import { type Scope, temporaryFolder } from './scope.ts';

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
    rotate() {
      renameSync(file, `${file}.1`);
      writeFileSync(file, '');
    },
  };
}
