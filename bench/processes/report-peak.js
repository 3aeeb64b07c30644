/**
 * `run.ts` preloads this into the process that it measures, to report the process's peak memory when it exits. On Linux it reads
 * /proc: `maxRSS` there also counts the parent's memory from before this program was loaded. It is JavaScript, so that
 * stripping types adds nothing to what is measured.
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
