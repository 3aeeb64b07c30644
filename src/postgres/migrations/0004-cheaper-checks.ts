/**
 * Released, so it must not be edited: every store at this version has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * The same rules for IDs and hints, written so that they cost less. With a bound such as `{1,128}` PostgreSQL makes up to
 * that many states for each value, which took more time than all else of a write. `+` and the length say the same, since
 * the characters are of one byte each.
 *
 * The end of a hint has no dot. So the place of the last dot gives the lengths: it is at most the 35th character, as the
 * start has at most 32, and one of the last nine.
 *
 * The table is locked only for a moment, as the stored rows aren't read: the old rules held for them.
 */
export const cheaperChecks = {
  statements: [
    'ALTER TABLE keyroster.api_keys DROP CONSTRAINT api_keys_id_check',
    'ALTER TABLE keyroster.api_keys DROP CONSTRAINT api_keys_created_by_id_check',
    'ALTER TABLE keyroster.api_keys DROP CONSTRAINT api_keys_workspace_id_check',
    'ALTER TABLE keyroster.api_keys DROP CONSTRAINT api_keys_partial_key_hint_check',
    `ALTER TABLE keyroster.api_keys ADD CONSTRAINT api_keys_id_check
    CHECK (octet_length(id) <= 128 AND id ~ '^[A-Za-z0-9_-]+$') NOT VALID`,
    `ALTER TABLE keyroster.api_keys ADD CONSTRAINT api_keys_created_by_id_check
    CHECK (octet_length(created_by_id) <= 128 AND created_by_id ~ '^[A-Za-z0-9_-]+$') NOT VALID`,
    `ALTER TABLE keyroster.api_keys ADD CONSTRAINT api_keys_workspace_id_check
    CHECK (octet_length(workspace_id) <= 128 AND workspace_id ~ '^[A-Za-z0-9_-]+$') NOT VALID`,
    String.raw`ALTER TABLE keyroster.api_keys ADD CONSTRAINT api_keys_partial_key_hint_check
    CHECK (octet_length(partial_key_hint) <= 43
      AND partial_key_hint ~ '^[A-Za-z0-9_.+/=~-]+\.\.\.[A-Za-z0-9_+/=~-]+$'
      AND strpos(substr(partial_key_hint, 36), '.') = 0 AND strpos(right(partial_key_hint, 9), '.') > 0) NOT VALID`,
  ],
};
