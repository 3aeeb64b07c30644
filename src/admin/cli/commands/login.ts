import { resolve } from 'node:path';
import { type ApiKeyPage, KeyrosterError } from '../../../client/client.ts';
import { Command, UsageError } from '../../../shared/command/command.ts';
import { vendorOf } from '../../../shared/command/options.ts';
import { printError, printLine } from '../../../shared/command/terminal/print.ts';
import { Prompt } from '../../../shared/command/terminal/prompt.ts';
import { scopeWords } from '../../../shared/record/list-query.ts';
import { DEFAULT_VENDOR, parseVendor, type Vendor } from '../../../shared/record/vendor.ts';
import {
  givenAdminKey,
  isInteractive,
  promptForAdminKey,
  readStandardInput,
} from '../connection/admin-key-source.ts';
import {
  requireBaseUrl,
  type ServiceFlags,
  serviceOf,
  serviceOptions,
  timeoutOf,
} from '../connection/connect.ts';
import { type DirectoryFlags, directoryOptions, readDirectory } from '../connection/directory-file.ts';
import {
  type Profile,
  type ProfileName,
  profileNameOf,
  readProfile,
  type ServiceSettings,
  writeProfile,
} from '../connection/profiles.ts';
import { readPage } from '../connection/waits.ts';

export function loginCommand(): Command {
  return new Command('login')
    .description(
      'checks an admin key against its service, and keeps both as a profile in a file that only you can read',
    )
    .addOptions(...serviceOptions(), ...directoryOptions())
    .example('keyroster-admin login --base-url https://keys.example.com < admin-key.txt')
    .action(async (flags: ServiceFlags & DirectoryFlags) => {
      const name = profileNameOf(flags.profile);
      const joined = readDirectory(flags);
      const timeoutMs = timeoutOf(flags);
      const vendor = flags.vendor === undefined ? undefined : vendorOf(flags.vendor);
      const address = { ...(await askFor(flags, name)), version: flags.apiVersion, timeoutMs };
      const checked = await check(address, vendor);
      const { organizationId, scope } = checked.page;
      const people = joined ? pathsOf(flags) : current(name);
      const file = await writeProfile(name, { ...people, ...address, vendor: checked.vendor });
      printLine(`logged in to ${address.baseUrl} for ${organizationId ?? 'an unnamed organization'}`);
      if (scope !== null) printLine(`sees only ${scopeWords(scope)}`);
      printLine(`kept in ${file}`);
      if (joined) {
        printLine(`names are those of ${joined.directory.size} entries`);
        for (const line of [...joined.gave, ...joined.ignored, ...joined.doubts]) printLine(line);
      }
      warnOfVariables();
    });
}

const pathsOf = ({ directory, everyone }: DirectoryFlags) => ({
  directory: directory?.map(file => resolve(file)),
  everyone: everyone && resolve(everyone),
});

type Address = Omit<ServiceSettings, 'vendor'>;

/** What isn't given is asked for on a terminal; elsewhere the admin key is on standard input. */
async function askFor(flags: ServiceFlags, name: ProfileName): Promise<Address> {
  const given = await givenAdminKey(flags.adminKeyFile);
  const known = flags.baseUrl ?? current(name)?.baseUrl;
  if (!isInteractive())
    return { baseUrl: requireBaseUrl(known), adminKey: given ?? (await readStandardInput()) };
  const prompt = new Prompt();
  try {
    const question = known === undefined ? 'Base URL: ' : `Base URL [${known}]: `;
    const baseUrl = flags.baseUrl ?? ((await prompt.ask(question)) || known);
    return { baseUrl: requireBaseUrl(baseUrl), adminKey: given ?? (await promptForAdminKey(prompt)) };
  } finally {
    prompt.close();
  }
}

/** A profile that can't be read is no reason not to write it again. */
function current(name: ProfileName): Profile | undefined {
  try {
    return readProfile(name);
  } catch {
    return undefined;
  }
}

/** Lists one API key. Without a vendor it takes the one that the service asks for. */
async function check(
  address: Address & { readonly timeoutMs: number },
  asked: Vendor | undefined,
): Promise<{ readonly vendor: Vendor; readonly page: ApiKeyPage }> {
  const vendor = asked ?? DEFAULT_VENDOR;
  try {
    return { vendor, page: await readPage(serviceOf({ ...address, vendor }), { limit: 1 }) };
  } catch (error) {
    const wanted = vendorWanted(error);
    if (wanted === undefined || wanted === vendor) throw notKept(error, address);
    if (asked === undefined) return check(address, wanted);
    throw new UsageError(`--vendor: the service asks for ${wanted}-version: give --vendor ${wanted}`);
  }
}

/** From the answer of a service that got another version header than its own. */
function vendorWanted(error: unknown): Vendor | undefined {
  if (!(error instanceof KeyrosterError) || error.status !== 400) return undefined;
  return parseVendor(/\b([a-z0-9-]+)-version: header is required/.exec(error.message)?.[1]);
}

function notKept(error: unknown, { baseUrl }: Address): unknown {
  if (!(error instanceof KeyrosterError)) return error;
  const isElsewhere = error.type === 'not_found_error' || error.type === 'unexpected_answer_error';
  const { origin, pathname } = new URL(baseUrl);
  const advice = isElsewhere && pathname !== '/' ? `; give only the address, such as ${origin}` : '';
  return new KeyrosterError({ ...error.toJSON(), message: `nothing was kept: ${error.message}${advice}` });
}

/** They win over what was kept. */
function warnOfVariables(): void {
  const variables = ['BASE_URL', 'VENDOR', 'API_VERSION', 'ADMIN_KEY', 'ADMIN_KEY_FILE'].map(
    name => `KEYROSTER_${name}`,
  );
  const set = variables.filter(name => process.env[name]);
  if (set.length > 0)
    printError(`warning: ${set.join(', ')}: set in the environment, which wins over a profile`);
}
