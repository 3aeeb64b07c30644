/** What must compile, and what must not: `tsc` fails where an expected error is missing. */
import { test } from 'node:test';
import { type ApiKeyRecord, KeyrosterClient, type ListParameters } from '../../src/client/client.ts';

test('the types accept valid queries and refuse invalid ones', () => {
  const right: ListParameters[] = [
    {},
    { limit: 5, status: 'active', workspace_id: 'w', created_by_user_id: 'u' },
    { after_id: 'k' },
    { before_id: 'k', status: undefined },
  ];
  const wrong: ListParameters[] = [
    // @ts-expect-error an unknown status
    { status: 'revoked' },
    // @ts-expect-error a number as text
    { limit: '5' },
    // @ts-expect-error two cursors
    { after_id: 'a', before_id: 'b' },
    // @ts-expect-error an unknown parameter
    { stauts: 'active' },
  ];
  void [right, wrong];
});

test('the types describe the fields of a record and the required options', () => {
  const client = new KeyrosterClient({ baseUrl: 'http://127.0.0.1', adminKey: 'k' });
  // @ts-expect-error no admin key
  const without = () => new KeyrosterClient({ baseUrl: 'http://127.0.0.1' });
  const use = async () => {
    const page = await client.apiKeys.list({ limit: 1 });
    const next: typeof page | null = await page.nextPage();
    for await (const { status, workspace_id, created_by } of client.apiKeys.list()) {
      // @ts-expect-error null for the default workspace
      const workspace: string = workspace_id;
      // @ts-expect-error a status is text
      const number = status === 1;
      void [workspace, number, created_by.id];
    }
    void next;
  };
  void [without, use];
});

test('the types say that a newer service may have more fields and other values', () => {
  const use = (record: ApiKeyRecord) => {
    const { status, created_by, expires_at } = record;
    const texts: string[] = [status, created_by.type];
    const isRevoked = status === 'revoked' || created_by.type === 'robot';
    const unknowns: unknown[] = [expires_at, created_by.email];
    // @ts-expect-error a status that this client doesn't know
    const known: 'active' | 'inactive' | 'archived' = status;
    // @ts-expect-error nothing is known of a field that this client doesn't know
    const expiry: string = expires_at;
    // The known values are still in the type, so that an editor suggests them.
    const suggested: Extract<typeof status, 'active' | 'inactive'> = 'active';
    void [texts, isRevoked, unknowns, known, expiry, suggested];
  };
  void use;
});
