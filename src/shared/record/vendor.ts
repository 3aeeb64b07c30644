/** To be used within a larger pattern: it has no anchors and doesn't limit the length. */
export const VENDOR_PATTERN = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*';
const wholeVendor = new RegExp(`^(?=.{1,32}$)${VENDOR_PATTERN}$`);

export const VENDOR_RULE = 'must be 1 to 32 of a-z 0-9 and inner hyphens, starting with a letter';

/** The name of the vendor whose service this is: the prefix of the version header and of admin keys. */
export type Vendor = string & { readonly kind: 'Vendor' };

/** Where none is named. */
export const DEFAULT_VENDOR = 'vendor' as Vendor;

export function parseVendor(text: unknown): Vendor | undefined {
  return typeof text === 'string' && wholeVendor.test(text) ? (text as Vendor) : undefined;
}
