/** The record shown in docs/api.md#the-record. */
export const exampleRecord = {
  id: 'apikey_01Rj2N8SVvo6BePZj99NhmiT',
  type: 'api_key',
  name: 'Developer Key',
  created_at: '2024-10-30T23:58:27.427722Z',
  created_by: { id: 'user_01WCz1FkmYMm4gnmykNKUu3Q', type: 'user' },
  partial_key_hint: 'sk-ven-api03-R2D...igAA',
  status: 'active',
  workspace_id: 'wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ',
};
