import { statfsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type CheckReport, type Finding, RowCheck } from '../roster/check.ts';
import { withDatabase } from './connection.ts';
import { orUnavailable } from './errors.ts';
import { migrations } from './migrations/schema.ts';
import { declaredRecord } from './record.ts';
import { openStoreFile } from './store-file.ts';
import { fieldsReader } from './writes/change-fields.ts';

/** Looks at the schema and the rows of the store, and changes nothing. Throws `Refused` and `StoreUnavailable`. */
export async function check(file: string): Promise<CheckReport> {
  const work = (database: DatabaseSync) => {
    const rows = checkRows(database);
    const findings = [
      ...checkDisk(file),
      ...checkSchema(database),
      ...rows.findings('correct the rows with SQL, or restore a backup'),
      ...checkPages(database),
    ];
    return { findings, keys: rows.keys, notLookedAt: [] };
  };
  return withDatabase(openStoreFile(file, { use: 'read' }), database => orUnavailable(() => work(database)));
}

/** Types of file systems that other machines may share, as statfs(2) has them: NFS, SMB, CIFS, FUSE and Ceph. */
const SHARED_DISKS: readonly number[] = [0x6969, 0xfe534d42, 0xff534d42, 0x65735546, 0xc36400];

function checkDisk(file: string): Finding[] {
  const problem = "the file is on a network disk, or FUSE: there SQLite's write-ahead log may not work";
  const fix = 'move it to a local disk, or its keys to PostgreSQL';
  return SHARED_DISKS.includes(statfsSync(file).type) ? [{ about: 'disk', problem, fix }] : [];
}

/** Each table and index: one that has lost a page or an entry lists less, and nobody is told. */
function checkPages(database: DatabaseSync): Finding[] {
  const result = database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check;
  const problem = `SQLite says that it is damaged: ${inOneLine(result)}`;
  return result === 'ok' ? [] : [{ about: 'file', problem, fix: 'restore a backup' }];
}

/** Each table, index and trigger as the migrations make it, and no other trigger. */
function checkSchema(database: DatabaseSync): Finding[] {
  const made = new DatabaseSync(':memory:');
  for (const { sql } of migrations) made.exec(sql);
  const wanted = made.prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql > ''").all();
  made.close();
  const find = database.prepare('SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?');
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  const strange = triggers.filter(({ name }) => !wanted.some(each => each.name === name));
  const others = strange.map(({ name }): Finding => {
    const fix = `DROP TRIGGER "${String(name).replaceAll('"', '""')}"`;
    return { about: 'schema', problem: 'a trigger that migrate did not make may drop what is written', fix };
  });
  const missing = wanted.flatMap(({ type, name, sql }): Finding[] => {
    const make = inOneLine(sql);
    if (make === inOneLine(find.get(String(type), String(name))?.sql)) return [];
    const fix =
      type === 'table' ? 'run "keyroster move" into a new store' : `DROP ${type} IF EXISTS ${name}; ${make}`;
    return [{ about: 'schema', problem: `the ${type} ${name} is missing, or another one`, fix }];
  });
  return [...missing, ...others];
}

const inOneLine = (sql: unknown) => String(sql).replace(/\s+/g, ' ');

type Row = [organization: string | null, id: string, record: string, declared: string | null];

/** Reads row by row, so its memory doesn't grow with the number of rows. */
function checkRows(database: DatabaseSync): RowCheck {
  const rows = database.prepare(`
    SELECT organizations.id, api_keys.id, record, declared
    FROM api_keys LEFT JOIN organizations ON number = organization`);
  rows.setReturnArrays(true);
  const fields = fieldsReader(database)();
  const check = new RowCheck(fields);
  for (const row of rows.iterate()) {
    const [organizationId, id, record, declared] = row as unknown as Row;
    check.add({ organizationId, id, record: declaredRecord(record, fields, declared) });
  }
  return check;
}
