/** What a profile is: its name, and the text of its file. */
import { Option } from 'commander';
import { KeyrosterClient } from '../../client/client.ts';
import { Refused } from '../../roster/errors.ts';
import { parseVendor, type Vendor } from '../../roster/vendor.ts';
import { required } from '../options/shared-options.ts';

export interface Profile {
  readonly baseUrl: string;
  readonly vendor: Vendor;
  readonly adminKey: string;
}

/** A part of a file's name: without a dot or a slash. */
export type ProfileName = string & { readonly kind: 'ProfileName' };

export const PROFILE_NAME = '[A-Za-z0-9][A-Za-z0-9_-]{0,31}';
const wholeName = new RegExp(`^${PROFILE_NAME}$`);
const DEFAULT_NAME = 'default' as ProfileName;

export const profileOption = () =>
  new Option('-p, --profile <name>', `what \`login\` keeps of a service (default: ${DEFAULT_NAME})`).env(
    'KEYROSTER_PROFILE',
  );

/** The one that is used where the option has this value. */
export function profileNameOf(given: string | undefined): ProfileName {
  if (given === undefined) return DEFAULT_NAME;
  const name = wholeName.test(given) ? (given as ProfileName) : undefined;
  return required('--profile', name, 'must be 1 to 32 of A-Z a-z 0-9 _ -, starting with a letter or a digit');
}

/** The error of a text that isn't JSON would repeat a part of it. */
export function parseProfile(text: string, file: string, name: ProfileName): Profile {
  const { base_url, vendor: vendorText, admin_key } = Object(jsonOf(text));
  const vendor = parseVendor(vendorText);
  if (typeof base_url !== 'string' || typeof admin_key !== 'string' || vendor === undefined)
    throw new Refused(
      `${file} isn't a profile with base_url, vendor and admin_key: keyroster login -p ${name}`,
    );
  const profile = { baseUrl: base_url, vendor, adminKey: admin_key };
  if (!isUsable(profile))
    throw new Refused(
      `${file} has a base_url or an admin_key that no client takes: keyroster login -p ${name}`,
    );
  return profile;
}

function isUsable(profile: Profile): boolean {
  try {
    new KeyrosterClient(profile); // checks the settings
    return true;
  } catch {
    return false;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function profileText({ baseUrl, vendor, adminKey }: Profile): string {
  return `${JSON.stringify({ base_url: baseUrl, vendor, admin_key: adminKey }, null, 2)}\n`;
}
