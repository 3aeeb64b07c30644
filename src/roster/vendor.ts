/** As a part of a larger pattern: without anchors, and without the limit of its length. */
export const VENDOR_PATTERN = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*';
const wholeVendor = new RegExp(`^(?=.{1,32}$)${VENDOR_PATTERN}$`);

export const VENDOR_RULE = 'must be 1 to 32 of a-z 0-9 and inner hyphens, starting with a letter';

/** The service maker's name: the prefix of the version header and of admin keys. */
export type Vendor = string & { readonly kind: 'Vendor' };

export function parseVendor(text: string): Vendor | undefined {
  return wholeVendor.test(text) ? (text as Vendor) : undefined;
}
