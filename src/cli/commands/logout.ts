import { Command } from 'commander';
import { profileNameOf, profileOption } from '../service/profile.ts';
import { removeProfile } from '../service/profiles.ts';
import { printLine } from '../terminal/print.ts';

export function logoutCommand(): Command {
  return new Command('logout')
    .description('removes the file of a profile, with the admin key in it')
    .addOption(profileOption())
    .addHelpText('after', '\nExample: keyroster logout --profile staging')
    .action(({ profile }: { readonly profile?: string }) => {
      printLine(`removed ${removeProfile(profileNameOf(profile))}`);
      printLine('the admin key is still valid, until the operator of the service revokes it');
    });
}
