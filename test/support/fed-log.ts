/** A log of new keys that is rotated as by logrotate, and what of it is stored. */
import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedStore, embeddedStore } from './embedded-store.ts';
import { record } from './import-file.ts';
import { type Scope, temporaryFolder } from './scope.ts';

export interface FedLog {
  readonly store: EmbeddedStore;
  readonly file: string;
  /** The IDs of all lines. */
  readonly written: Set<string>;
  write(lines: number): void;
  /** FILE.1 becomes FILE.2 and so on, and FILE becomes FILE.1. Of these so many are kept. */
  rotate(kept?: number): void;
}

export async function fedLog(scope: Scope): Promise<FedLog> {
  const store = await embeddedStore(scope);
  const file = join(temporaryFolder(scope), 'keys.jsonl');
  const written = new Set<string>();
  writeFileSync(file, '');
  return {
    store,
    file,
    written,
    write(lines) {
      const text = Array.from({ length: lines }, () => {
        const id = `k${written.size}`;
        written.add(id);
        return `${JSON.stringify({ organization_id: store.organization, ...record(id) })}\n`;
      });
      appendFileSync(file, text.join(''));
    },
    rotate(kept = 100) {
      for (let n = kept; n > 0; n--)
        if (existsSync(`${file}.${n}`)) renameSync(`${file}.${n}`, `${file}.${n + 1}`);
      renameSync(file, `${file}.1`);
      rmSync(`${file}.${kept + 1}`, { force: true });
      writeFileSync(file, '');
    },
  };
}
