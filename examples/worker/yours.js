/** Put yours here: a store by docs/library.md#over-your-own-store, such as one over D1 or a service of yours, and who may ask. */
import { InMemoryStore } from '../in-memory-store.js';

const records = Array.from({ length: 1_200 }, (_, number) => ({
  id: `apikey_${number}`,
  type: 'api_key',
  name: `Key ${number}`,
  created_at: '2026-11-22T09:00:00.000000Z',
  created_by: { id: 'user_01A', type: 'user' },
  partial_key_hint: 'sk-acme-api03-R2D...igAA',
  status: 'active',
  workspace_id: null,
}));
const store = new InMemoryStore([['org_example', records]]);

export class Store {
  async listApiKeys(...asked) {
    await new Promise(resolve => setTimeout(resolve, 20)); // as over a network
    return store.listApiKeys(...asked);
  }
}

export const callerOf = ({ headers }, env) =>
  headers.get('x-api-key') === env.SECRET && { organizationId: 'org_example', callerId: 'ann' };
