/** Saved rosters of a million API keys, for soaks of the admin's commands. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { jsonLines, record } from './import-file.ts';

const KEYS = 1_000_000;
const BATCH = 10_000;
const START = Date.parse('2026-11-20T00:00:00Z');

/** As JSON Lines. Of 100,000 creators in 1,000 workspaces; a tenth of the names are used more than once. */
export function saveRecords(path: string, { oldestFirst = false } = {}): void {
  const file = openSync(path, 'w');
  for (let first = 0; first < KEYS; first += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, index) => first + index);
    writeSync(
      file,
      jsonLines(numbers.map(number => numberedRecord(oldestFirst ? KEYS - 1 - number : number))),
    );
  }
  closeSync(file);
}

function numberedRecord(number: number) {
  const id = (prefix: string, value: number) => `${prefix}_01${String(value).padStart(22, 'X')}`;
  return record(id('apikey', number), {
    name: number % 10 === 0 ? `Deployment of service ${(number / 10) % 10_000}` : `Developer key ${number}`,
    created_at: new Date(START - number * 120_000).toISOString(),
    created_by: { id: id('user', number % 100_000), type: number % 10 === 3 ? 'service_account' : 'user' },
    status: number % 7 === 0 ? 'inactive' : 'active',
    workspace_id: number % 5 === 0 ? null : id('wrkspc', number % 1_000),
  });
}
