/** The version of this release, as in package.json. A bundle has no package.json that could be read. */
export const VERSION = '0.1.0';
