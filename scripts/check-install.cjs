/**
 * Says in one line what a checkout lacks to run a script of package.json. Node loads it before the script: an older Node can't even
 * read a file that ends in .ts. So this file uses only what older releases have.
 */
const { existsSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const OLDEST_NODE = '24.7';
const project = dirname(__dirname);
const version = process.versions.node;

if (!existsSync(join(project, 'node_modules', 'commander'))) stop(`run npm ci in ${project} first`);
if (version.localeCompare(OLDEST_NODE, 'en', { numeric: true }) < 0)
  stop(
    `needs Node ${OLDEST_NODE} or newer, this is ${version}; npm ci without --omit=dev installs a newer one`,
  );
if (!existsSync(process.argv[1])) stop(`run npm ci && npm run build in ${project} first`);

function stop(message) {
  const isAdmin = relative(join(project, 'src'), process.argv[1]).startsWith('admin');
  process.stderr.write(`${isAdmin ? 'keyroster-admin' : 'keyroster'}: ${message}\n`);
  process.exit(1);
}
