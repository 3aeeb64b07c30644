import type { DatabaseSync } from 'node:sqlite';
import type { StoreIdentity } from '../roster/identity.ts';
import { withDatabase } from './connection.ts';
import { openStoreFile } from './store-file.ts';

export function identityOf(database: DatabaseSync): StoreIdentity {
  const row = database.prepare('SELECT id, copied FROM store').get();
  return { id: String(row?.id), isCopy: row?.copied !== 0 };
}

export async function findIdentity(file: string): Promise<StoreIdentity> {
  return withDatabase(openStoreFile(file, { use: 'read' }), identityOf);
}

export function confirmRestore(database: DatabaseSync): void {
  database.exec('UPDATE store SET copied = 0');
}
