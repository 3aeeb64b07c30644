/** The names of the contract's fields. By themselves, as the console needs them too, which has no types of Node's. */
export const recordFields = {
  id: true,
  type: true,
  name: true,
  created_at: true,
  created_by: true,
  partial_key_hint: true,
  status: true,
  workspace_id: true,
} as const;
