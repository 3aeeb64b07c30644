import { Command } from '../../../shared/command/command.ts';
import { jsonOption } from '../../../shared/command/options.ts';
import { printError, printJsonArray, printLine, printTable } from '../../../shared/command/terminal/print.ts';
import { Refused } from '../../../shared/record/faults.ts';
import {
  fileOf,
  type ProfileName,
  profileNameOf,
  profileNames,
  profileOption,
  readProfile,
  removeProfile,
} from '../connection/profiles.ts';

export function logoutCommand(): Command {
  return new Command('logout')
    .description('removes the file of a profile, with the admin key in it')
    .addOption(profileOption())
    .example('keyroster-admin logout --profile staging')
    .action(({ profile }: { readonly profile?: string }) => {
      printLine(`removed ${removeProfile(profileNameOf(profile))}`);
      printLine('the admin key is still valid, until the operator of the service revokes it');
    });
}

export function profilesCommand(): Command {
  return new Command('profiles')
    .description('lists the profiles that `login` has kept, without their admin keys')
    .addOption(jsonOption())
    .example('keyroster-admin profiles')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const used = profileNameOf(process.env.KEYROSTER_PROFILE);
      const profiles = profileNames().flatMap(name => listed(name, used) ?? []);
      if (json) return printJsonArray([profiles], profile => profile);
      const heading = ['PROFILE', 'BASE URL', 'VENDOR', 'USED', 'FILE'];
      await printTable(heading, [profiles], ({ name, base_url, vendor, used, file }) => [
        name,
        base_url,
        vendor,
        used ? 'now' : '',
        file,
      ]);
    });
}

/** One that can't be read doesn't hide the others. */
function listed(name: ProfileName, used: ProfileName) {
  try {
    const profile = readProfile(name);
    if (profile === undefined) return undefined; // it was removed meanwhile
    const { baseUrl: base_url, vendor } = profile;
    return { name, base_url, vendor, used: name === used, file: fileOf(name) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    process.exitCode = 1;
    printError(`keyroster-admin: ${error.message}`);
    return undefined;
  }
}
