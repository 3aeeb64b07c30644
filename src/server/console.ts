/**
 * Serves the web console: a few built files, which are read once, at the start. Each file has a route of its own, so no
 * request can read any other file.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Vendor } from '../roster/vendor.ts';

interface ConsoleFile {
  readonly content: Buffer;
  readonly gzipped: Buffer;
}

/** The built files by their path relative to the console's folder. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

export const CONSOLE_PATH = '/console/';
const PATH_WITHOUT_SLASH = '/console';
/** The views of the console. Each has a path; all have the same page. */
const VIEWS = ['', 'overview'] as const;
const PAGE = 'index.html';

/** Reads the built console from this folder; `null` when it isn't there. */
export async function readConsole(folder: string): Promise<ConsoleFiles | null> {
  try {
    const names = (await readdir(folder, { recursive: true })).filter(name => extname(name) !== '');
    const files = new Map<string, ConsoleFile>();
    for (const name of names) {
      const content = await readFile(join(folder, name));
      files.set(name.replaceAll(sep, '/'), { content, gzipped: await promisify(gzip)(content) });
    }
    return files.has(PAGE) ? files : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** The routes of the console: each path with its handler. */
export function consoleRoutes(files: ConsoleFiles, vendor: Vendor): ReadonlyMap<string, Handler> {
  const page = String(files.get(PAGE)?.content).replace(
    'name="keyroster-vendor" content="vendor"',
    `name="keyroster-vendor" content="${vendor}"`,
  );
  const routes = new Map<string, Handler>();
  // Relative, like all links of the page, so that a proxy may serve the console under a prefix.
  routes.set(PATH_WITHOUT_SLASH, (_, reply) => reply.redirect('console/', 308));
  for (const view of VIEWS)
    routes.set(CONSOLE_PATH + view, (_, reply) => reply.headers(pageHeaders).send(page));
  for (const [name, file] of files)
    if (name.startsWith('assets/')) routes.set(CONSOLE_PATH + name, sendAsset(name, file));
  return routes;
}

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

function sendAsset(name: string, { content, gzipped }: ConsoleFile): Handler {
  return ({ headers }, reply) => {
    const acceptsGzip = String(headers['accept-encoding'])
      .split(/[\s,]+/)
      .includes('gzip');
    reply.headers({
      'content-type': contentTypes[extname(name)] ?? 'application/octet-stream',
      'cache-control': CACHE_FOREVER,
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
      ...(acceptsGzip && { 'content-encoding': 'gzip' }),
    });
    return reply.send(acceptsGzip ? gzipped : content);
  };
}
