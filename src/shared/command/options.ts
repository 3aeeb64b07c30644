/** The options that several commands share, each with its environment variable, its default and its parser. */
import { Option } from 'commander';
import { FORMATS, type Format, guessFormat } from '../formats/text.ts';
import { DURATION_RULE, type Duration, parseDuration } from '../record/duration.ts';
import {
  KEY_ID_RULE,
  type KeyId,
  type OrganizationId,
  OWNER_ID_RULE,
  type OwnerId,
  parseKeyId,
  parseOwnerId,
} from '../record/identifier.ts';
import { DISPLAY_NAME_RULE, parseDisplayName } from '../record/name.ts';
import { containsAdminKey, NO_ADMIN_KEY_RULE } from '../record/redact-admin-keys.ts';
import { parseVendor, VENDOR_RULE, type Vendor } from '../record/vendor.ts';
import { UsageError } from './command.ts';

export const organizationOption = () => new Option('--organization <id>', "the organization's ID");

/** `null`: all organizations. */
export function organizationOf(text: string | undefined): OrganizationId | null {
  return text === undefined ? null : ownerIdOf<OrganizationId>('--organization', text);
}

export const formatOption = (description: string, byDefault?: Format) =>
  new Option('--format <format>', description).choices(FORMATS).default(byDefault);

export const exactOption = (description = 'CSV: the text exactly as it is, not made safe for spreadsheets') =>
  new Option('--exact', description);

/** Throws a `UsageError` for `--exact` where nothing that is read or written can be CSV. */
export function requireCsv(exact: boolean | undefined, mayBeCsv: boolean): void {
  if (exact && !mayBeCsv)
    throw new UsageError('--exact: is for CSV, and there is none: leave it out, or give --format csv');
}

export const dryRunOption = () => new Option('--dry-run', 'tell what would change, and change nothing');

export const jsonOption = () => new Option('--json', 'print JSON');

/** The format that the flag names, or else the one that the file's name tells. Commander has checked the flag. */
export function formatOf(asked: string | undefined, file: string): Format {
  return FORMATS.find(format => format === asked) ?? guessFormat(file);
}

export function vendorOf(text: string, option = '--vendor'): Vendor {
  return required(option, parseVendor(text), VENDOR_RULE);
}

export function durationOf(option: string, text: string, rule = DURATION_RULE): Duration {
  return required(option, parseDuration(text), rule);
}

export function numberOf(option: string, text: string, min: number, max: number): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  const parsed = number >= min && number <= max ? number : undefined;
  return required(option, parsed, `must be a whole number from ${min} to ${max}`);
}

export function keyIdOf<Id extends KeyId>(name: string, text: string): Id {
  refuseAdminKey(name, text);
  return required(name, parseKeyId<Id>(text), KEY_ID_RULE);
}

export function ownerIdOf<Id extends OwnerId>(name: string, text: string): Id {
  refuseAdminKey(name, text);
  return required(name, parseOwnerId<Id>(text), OWNER_ID_RULE);
}

/** A display name. */
export function nameOf(option: string, text: string): string {
  refuseAdminKey(option, text);
  return required(option, parseDisplayName(text), DISPLAY_NAME_RULE);
}

/** A paste gone wrong would keep the key in the store, or show it in a message. */
function refuseAdminKey(option: string, text: string): void {
  if (containsAdminKey(text)) throw new UsageError(`${option}: ${NO_ADMIN_KEY_RULE}`);
}

export function required<T>(name: string, parsed: T | undefined, rule: string): T {
  if (parsed === undefined) throw new UsageError(`${name}: ${rule}`);
  return parsed;
}
