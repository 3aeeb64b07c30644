import { Refused } from '../../shared/record/faults.ts';

/** Which store it is. */
export interface StoreIdentity {
  /** Made by `migrate`. Backups and dumps have that of their store. */
  readonly id: string;
  /** Whether a backup or a dump made it, and nobody has looked since at what ended in the store after that. */
  readonly isCopy: boolean;
}

/** Returns its ID. Throws `Refused` for a copy: deleted organizations and revoked admin keys would be back. */
export function refuseCopy({ id, isCopy }: StoreIdentity): string {
  if (isCopy)
    throw new Refused(
      `database: this is a copy of ${id} by a backup or a dump: "keyroster restore" repeats what ended since (docs/runbooks.md#restore-a-backup), and "keyroster restore --confirm" lets it be served then`,
    );
  return id;
}
