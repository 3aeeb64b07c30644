/**
 * JavaScript, so that no type stripping counts. Preloaded into a measured process by `run.ts`: tells, at its end, the most memory it had at once. On Linux from
 * /proc, since `maxRSS` there also counts what the process had been before it became this program: its parent.
 */
import { readFileSync, writeSync } from 'node:fs';

const TO_PARENT = 3;
const KIB = 1024;

process.once('exit', () => writeSync(TO_PARENT, String(peakKib() * KIB)));

function peakKib() {
  try {
    const found = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    if (found) return Number(found[1]);
  } catch {}
  return process.resourceUsage().maxRSS;
}
