import { adminKeyRecord, newRotation } from '../../service/roster/admin-key.ts';
import { AdminKeySecret } from '../../service/roster/admin-key-secret.ts';
import { Command } from '../../shared/command/command.ts';
import { durationOf, jsonOption, keyIdOf, vendorOf } from '../../shared/command/options.ts';
import { jsonText, printNewAdminKey, tableText } from '../../shared/command/terminal/print.ts';
import type { AdminKeyId } from '../../shared/record/identifier.ts';
import { formatTimeOrNull, timestampNow } from '../../shared/record/timestamp.ts';
import { type WriteFlags, withWriter, writeOptions } from '../options/database.ts';
import { vendorOption } from '../options/setting-option.ts';

interface RotateFlags extends WriteFlags {
  readonly overlap: string;
  readonly vendor: string;
}

export function rotateCommand(): Command {
  return new Command('rotate')
    .description(
      'replaces an admin key: creates another, with the same lifetime from now on, and ends the old one later',
    )
    .argument('<id>', "the admin key's ID, as list shows it")
    .option('--overlap <duration>', 'how long the old key works on, such as 12h or 7d', '7d')
    .addOptions(vendorOption(), ...writeOptions(), jsonOption())
    .example('keyroster admin-keys rotate adminkey_6CkQWfKuQKPGpBEbBoGqVp --overlap 7d')
    .action(async (text: string, flags: RotateFlags) => {
      const id = keyIdOf<AdminKeyId>('id', text);
      const overlap = durationOf('--overlap', flags.overlap);
      const secret = AdminKeySecret.issue(vendorOf(flags.vendor));
      const rotation = newRotation(secret, timestampNow());
      const rotated = await withWriter(flags, roster => roster.rotateAdminKey(id, rotation, overlap));
      const headings = ['ID', 'SECRET (shown only now)', 'OLD KEY WORKS UNTIL'];
      printNewAdminKey(
        flags.json
          ? jsonText({
              ...adminKeyRecord(rotated.new),
              secret: secret.reveal(),
              old: adminKeyRecord(rotated.old),
            })
          : tableText(headings, [
              [rotated.new.id, secret.reveal(), formatTimeOrNull(rotated.old.expiresAt) ?? '-'],
            ]),
      );
    });
}
