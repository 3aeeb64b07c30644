/**
 * Serves the web console: a few built files that are read once, at the start. Each is a route of its own, so that no
 * request can name another file, and any other path below is unknown like everywhere else.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Vendor } from '../roster/vendor.ts';

interface ConsoleFile {
  readonly content: Buffer;
  readonly gzipped: Buffer;
}

/** What was built, by its name below the console's path. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

export const CONSOLE_PATH = '/console/';
const WITHOUT_SLASH = '/console';
/** Each view has an address; the page is the same. */
const VIEWS = ['', 'overview'] as const;
const PAGE = 'index.html';

/** The built console in this folder; `null` when there is none. */
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

/** Adds the routes, wherever a proxy has put them. Returns their paths. */
export function serveConsole(app: FastifyInstance, files: ConsoleFiles, vendor: Vendor): string[] {
  const page = String(files.get(PAGE)?.content).replace(
    'name="keyroster-vendor" content="vendor"',
    `name="keyroster-vendor" content="${vendor}"`,
  );
  const views = VIEWS.map(view => CONSOLE_PATH + view);
  const assets = [...files].filter(([name]) => name.startsWith('assets/'));

  app.get(WITHOUT_SLASH, (_, reply) => reply.redirect('console/', 308)); // relative, like all links of the page
  for (const path of views) app.get(path, (_, reply) => reply.headers(pageHeaders).send(page));
  for (const [name, file] of assets) app.get(CONSOLE_PATH + name, sendAsset(name, file));
  return [WITHOUT_SLASH, ...views, ...assets.map(([name]) => CONSOLE_PATH + name)];
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
  'referrer-policy': 'no-referrer', // the address has filters
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** The name has the content's hash in it, so what it names never changes, and it is nobody's secret. */
const FOREVER = 'public, max-age=31536000, immutable';
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function sendAsset(name: string, { content, gzipped }: ConsoleFile) {
  return ({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const zip = String(headers['accept-encoding'])
      .split(/[\s,]+/)
      .includes('gzip');
    reply.headers({
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'cache-control': FOREVER,
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
      ...(zip && { 'content-encoding': 'gzip' }),
    });
    return reply.send(zip ? gzipped : content);
  };
}
