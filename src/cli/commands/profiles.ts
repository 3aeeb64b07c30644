import { Command } from 'commander';
import { Refused } from '../../roster/errors.ts';
import { jsonOption } from '../options/shared-options.ts';
import { type ProfileName, profileNameOf } from '../service/profile.ts';
import { fileOf, profileNames, readProfile } from '../service/profiles.ts';
import { printError, printJsonArray, printTable } from '../terminal/print.ts';

export function profilesCommand(): Command {
  return new Command('profiles')
    .description('lists the profiles that `login` has kept, without their admin keys')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample: keyroster profiles')
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
    return {
      name,
      base_url: profile.baseUrl,
      vendor: profile.vendor,
      used: name === used,
      file: fileOf(name),
    };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    process.exitCode = 1;
    printError(`keyroster: ${error.message}`);
    return undefined;
  }
}
