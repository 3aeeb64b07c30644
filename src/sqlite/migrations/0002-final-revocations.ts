/**
 * Released, so it must not be edited: every store at version 2 has exactly this schema. It is literal text and uses no
 * constant of the code.
 *
 * What the commands promise about organizations and admin keys becomes a rule of the tables: a revocation is final, an
 * expiry only moves earlier, and the creation never changes.
 */
export const finalRevocations = `
  CREATE TRIGGER organizations_are_never_deleted BEFORE DELETE ON organizations
  BEGIN SELECT RAISE(ABORT, 'organizations are never deleted'); END;

  CREATE TRIGGER organizations_creation_never_changes BEFORE UPDATE OF number, id, created_at ON organizations
  WHEN (old.number, old.id, old.created_at) IS NOT (new.number, new.id, new.created_at)
  BEGIN SELECT RAISE(ABORT, 'the ID and the creation of an organization never change'); END;

  CREATE TRIGGER admin_keys_are_never_deleted BEFORE DELETE ON admin_keys
  BEGIN SELECT RAISE(ABORT, 'admin keys are never deleted: revoke them'); END;

  CREATE TRIGGER admin_keys_creation_never_changes
  BEFORE UPDATE OF digest, id, organization, last_characters, created_at ON admin_keys
  WHEN (old.digest, old.id, old.organization, old.last_characters, old.created_at)
    IS NOT (new.digest, new.id, new.organization, new.last_characters, new.created_at)
  BEGIN
    SELECT RAISE(ABORT, 'the ID, the digest, the organization and the creation of an admin key never change');
  END;

  CREATE TRIGGER admin_keys_revocation_is_final BEFORE UPDATE OF revoked_at ON admin_keys
  WHEN old.revoked_at IS NOT NULL AND new.revoked_at IS NOT old.revoked_at
  BEGIN SELECT RAISE(ABORT, 'a revocation is final'); END;

  CREATE TRIGGER admin_keys_expiry_only_moves_earlier BEFORE UPDATE OF expires_at ON admin_keys
  WHEN old.expires_at IS NOT NULL AND (new.expires_at IS NULL OR new.expires_at > old.expires_at)
  BEGIN SELECT RAISE(ABORT, 'the expiry of an admin key only moves earlier'); END;
  `;
