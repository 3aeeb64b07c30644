import { connect } from './connect.ts';
import { newStore } from './opened.ts';
import { organizationIn } from './roster.ts';
import type { Scope } from './scope.ts';
import { serveStore } from './service.ts';

export type Issuer = Awaited<ReturnType<typeof startIssuer>>;

const ROW = {
  id: 'apikey_1',
  name: 'Key',
  created_by_id: 'user_1',
  created_by_type: 'user',
  partial_key_hint: 'sk-ven-api03-R2D...igAA',
};

/** An issuer that writes rows into PostgreSQL with its own SQL, and a service over the same database. */
export async function startIssuer(scope: Scope) {
  const store = await newStore(scope);
  const { id: organization, secret } = await organizationIn(store);
  const service = await serveStore(scope, store);
  const client = await connect(scope, store.url);
  return {
    organization,
    query: (sql: string, values?: unknown[]) => client.query(sql, values),
    /** Inserts a row with these values, and fills in columns without a default. */
    insert: (values: Readonly<Record<string, unknown>>) => {
      const row = Object.entries({ organization_id: organization, ...ROW, ...values });
      const columns = row.map(([column]) => column);
      const places = row.map((_, index) => `$${index + 1}`);
      const all = row.map(([, value]) => value);
      return client.query(`INSERT INTO keyroster.api_keys (${columns}) VALUES (${places})`, all);
    },
    /** The organization's records, as the service lists them. */
    listed: async (): Promise<Record<string, unknown>[]> =>
      (await service.list(secret, 'limit=1000')).body.data,
  };
}
