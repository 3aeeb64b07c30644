import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';

/** Runs SQL in a store as its owner, past Keyroster. Returns the rows. */
export async function runSql(url: string, text: string): Promise<Record<string, unknown>[]> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length));
    try {
      return database.prepare(text).all();
    } finally {
      database.close();
    }
  }
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
