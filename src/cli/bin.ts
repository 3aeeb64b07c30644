#!/usr/bin/env node
// This file uses only syntax that any Node can read. The rest is loaded once the version is known to be new enough.
const OLDEST_NODE = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  process.stderr.write(`keyroster: needs Node ${OLDEST_NODE} or newer, this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  const { main } = await import('./main.ts');
  await main(process.argv);
}
