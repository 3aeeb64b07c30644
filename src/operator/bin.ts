#!/usr/bin/env node
// This file uses only syntax that any Node can read. The rest is loaded once the version is known to be new enough.
const OLDEST_NODE = '24.7';

if (process.versions.node.localeCompare(OLDEST_NODE, 'en', { numeric: true }) < 0) {
  process.stderr.write(`keyroster: needs Node ${OLDEST_NODE} or newer, this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  const { main } = await import('./main.ts');
  await main(process.argv);
  process.channel?.unref(); // a worker of serve ends too: its channel to the supervisor would keep it running
}
