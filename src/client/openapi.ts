/** Made from docs/openapi.json by `npm run client-types`. Not to be edited. */

export interface ListApiKeys {
  parameters?: QueryParameters;
  answer?: ApiKeyList;
  error?: ErrorAnswer;
}
export interface QueryParameters {
  /** Items per page. */
  limit?: number;
  /** An API key to list after: the `last_id` of the page before. Not together with `before_id`. */
  after_id?: string;
  /** An API key to list before: the `first_id` of the page after. Not together with `after_id`. */
  before_id?: string;
  /** Only keys with this status. */
  status?: 'active' | 'inactive' | 'archived';
  /** Only keys of this workspace. */
  workspace_id?: string;
  /** Only keys that this user or service account created. */
  created_by_user_id?: string;
  /** Only keys created at this time or later. */
  created_from?: string;
  /** Only keys created before this time. */
  created_before?: string;
}
export interface ApiKeyList {
  /** Newest first. */
  data: ApiKeyRecord[];
  /** ID of the first item, for `before_id`; null when there is none. */
  first_id: string | null;
  /** ID of the last item, for `after_id`; null when there is none. */
  last_id: string | null;
  /** Whether there are more results in the requested direction. */
  has_more: boolean;
}
export interface ApiKeyRecord {
  /** Identifier of the API key. */
  id: string;
  type: 'api_key';
  /** Name of the key. */
  name: string;
  /** Creation time: RFC 3339, UTC, six decimals. */
  created_at: string;
  /** Who created the key. */
  created_by: {
    /** Identifier of the creator. */
    id: string;
    type: 'user' | 'service_account' | (string & {});
    [k: string]: unknown;
  };
  /** The masked key: a prefix, an ellipsis, the last few characters. The key itself is never returned. */
  partial_key_hint: string;
  status: 'active' | 'inactive' | 'archived' | (string & {});
  /** The workspace; null is the default workspace. */
  workspace_id: string | null;
  /** When the key expires; null: never. Absent where the vendor doesn't declare it. */
  expires_at?: string | null;
  /** When the key was last used. Absent where the vendor doesn't declare it. */
  last_used_at?: string | null;
  [k: string]: unknown;
}
export interface ErrorAnswer {
  type: 'error';
  error: {
    type:
      | 'invalid_request_error'
      | 'authentication_error'
      | 'not_found_error'
      | 'rate_limit_error'
      | 'overloaded_error'
      | 'api_error';
    message: string;
  };
  request_id: string;
}
