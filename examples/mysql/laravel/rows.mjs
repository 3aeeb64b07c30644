/** The rows of Sanctum's table, for store.test.mjs. */
export const TABLE = 'personal_access_tokens';

const numbers = new Map();
/** The table has numbers only: one for each text, some of them beyond 53 bits, and the same for itself. */
function numberOf(text) {
  const next = BigInt(numbers.size + 1);
  if (!numbers.has(text)) numbers.set(text, String(next % 3n ? next : 2n ** 53n + next));
  numbers.set(numbers.get(text), numbers.get(text));
  return numbers.get(text);
}

export function kept(account, record) {
  const [organization, id] = [numberOf(account), numberOf(record.id)];
  const created_by = { id: organization, type: 'user' };
  const without = { status: 'active', workspace_id: null, partial_key_hint: `${id}...~` };
  return [
    organization,
    { ...record, ...without, id, created_by, name: [...record.name].slice(0, 255).join('') },
  ];
}

export const rowOf = (tokenable_id, { id, name }) => ({
  ...{ id, tokenable_type: 'App\\Models\\User', tokenable_id, name, token: crypto.randomUUID() },
});
