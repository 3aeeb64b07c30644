/**
 * Released, so it must not be edited: every store at this version has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * Compares the stored rows with the rules of the migration before, while others read and write them. It is a migration of
 * its own since that one's lock of the table has to be free by then.
 */
export const validChecks = {
  concurrently: [
    'ALTER TABLE keyroster.api_keys VALIDATE CONSTRAINT api_keys_id_check',
    'ALTER TABLE keyroster.api_keys VALIDATE CONSTRAINT api_keys_created_by_id_check',
    'ALTER TABLE keyroster.api_keys VALIDATE CONSTRAINT api_keys_workspace_id_check',
    'ALTER TABLE keyroster.api_keys VALIDATE CONSTRAINT api_keys_partial_key_hint_check',
  ],
  statements: [],
};
