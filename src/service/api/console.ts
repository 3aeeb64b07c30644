/** Serves the web console: a few built files. Each has a route of its own, so no request can read any other file. */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Vendor } from '../../shared/record/vendor.ts';
import type { Answer } from './answer.ts';

export interface Console {
  /** The built files by their path relative to the console's folder. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Its routes, with the page of this vendor: each path with its handler. */
  readonly routes: (vendor: Vendor) => ReadonlyMap<string, Handler>;
}

export const CONSOLE_PATH = '/console/';
const PATH_WITHOUT_SLASH = '/console';
/** The views of the console. Each has a path; all have the same page. */
const VIEWS = ['', 'roster', 'find'] as const;
const PAGE = 'index.html';
/** What the page has as its vendor when it was built. */
const VENDOR_IN_PAGE = 'name="keyroster-vendor" content="vendor"';

type Handler = (answer: Answer) => void;

function routesOf(files: Console['files'], vendor: Vendor): ReadonlyMap<string, Handler> {
  const page = String(files.get(PAGE)).replace(VENDOR_IN_PAGE, `name="keyroster-vendor" content="${vendor}"`);
  const routes = new Map<string, Handler>();
  routes.set(PATH_WITHOUT_SLASH, redirectTo('console/'));
  for (const view of VIEWS) {
    routes.set(CONSOLE_PATH + view, answer => fill(answer, pageHeaders, page));
    if (view !== '') routes.set(`${CONSOLE_PATH + view}/`, redirectTo(`../${view}`));
  }
  for (const [name, file] of files)
    if (name.startsWith('assets/')) routes.set(CONSOLE_PATH + name, sendAsset(name, file));
  return routes;
}

/** Relative, like all links of the page, so that a proxy may serve the console under a prefix. */
const redirectTo =
  (location: string): Handler =>
  answer => {
    answer.status = 308;
    answer.headers.location = location;
  };

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer', // the URL contains filters
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** The name contains a hash of the content, so the file never changes; and it isn't secret. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable';
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function sendAsset(name: string, content: Buffer): Handler {
  const headers = {
    'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
    'cache-control': CACHE_FOREVER,
    'cross-origin-resource-policy': 'same-origin',
  };
  return answer => fill(answer, headers, content);
}

function fill(answer: Answer, headers: Record<string, string>, body: string | Buffer): void {
  Object.assign(answer.headers, headers);
  answer.body = body;
}

/**
 * The package is two folders up, from the sources and from `dist/` alike. Bundlers take `new URL(…, import.meta.url)` for a file
 * to bundle, and a bundle in CommonJS has no `import.meta.dirname`.
 */
const FOLDER = import.meta.dirname && join(import.meta.dirname, '../../../dist/console');

/** Reads the built console once, at the start; `null` when it isn't there. In a bundle the folder may be another's. */
export async function readConsole(folder: string | undefined = FOLDER): Promise<Console | null> {
  if (folder === undefined) return null;
  try {
    const names = (await readdir(folder, { recursive: true })).filter(name => extname(name) !== '');
    const files = new Map<string, Buffer>();
    for (const name of names) files.set(name.replaceAll(sep, '/'), await readFile(join(folder, name)));
    if (!files.get(PAGE)?.includes(VENDOR_IN_PAGE)) return null;
    return { files, routes: vendor => routesOf(files, vendor) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
