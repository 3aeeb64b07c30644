/** What a process has loaded. */
import { readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);
const { dependencies } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));

/** Any program loads these: what they have is small. */
const COMMON = /\.ts$|^shared\/|^operator\/(commands|options|serve)$|^service\/(api|library|roster)$/;

/** The environment of a process that writes the URLs of what it has loaded to standard error, at its end. */
export const RECORD_LOADED = { NODE_OPTIONS: `--import=${new URL('record-loaded.js', import.meta.url)}` };

/** Of what such a process wrote: all URLs, and the parts of `src` that not every program has and the packages that the project depends on. */
export function loadedModules(stderr: string) {
  const urls = stderr.split('\n');
  const matching = (pattern: RegExp) =>
    [...new Set(urls.flatMap(url => pattern.exec(url)?.[1] ?? []))].sort();
  return {
    urls,
    parts: matching(new RegExp(`^${ROOT}src/(client|[^/]+/[^/]+)`)).filter(part => !COMMON.test(part)),
    packages: matching(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/).filter(name => name in dependencies),
  };
}
