/** What must compile, and what must not: `tsc` fails where an expected error is missing. */
import { test } from 'node:test';
import { KeyrosterClient, type ListParameters } from '../../src/client/client.ts';

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
      const types: ('user' | 'service_account')[] = [created_by.type];
      // @ts-expect-error null for the default workspace
      const workspace: string = workspace_id;
      // @ts-expect-error no such status
      const revoked = status === 'revoked';
      void [types, workspace, revoked];
    }
    void next;
  };
  void [without, use];
});
