/** The real `import` command, killed at a moment of the caller's choice. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const MARK_TRANSACTION = new URL('./mark-transaction.ts', import.meta.url).href;

/** How far an import has come: not yet to its transaction, in it, in its commit, past that, or done. */
export const PHASES = ['reading', 'writing', 'committing', 'committed', 'closed'] as const;
export type Phase = (typeof PHASES)[number];

/** So long after the phase has begun. */
export interface Moment {
  readonly phase: Phase;
  readonly delayMs: number;
}

export interface EndedImport {
  /** The last phase that it came to. */
  readonly phase: Phase;
  /** 0 when it came to its end; `null` when it was killed. */
  readonly exitCode: number | null;
  /** When each phase began that it came to, from the start of the process. */
  readonly startMs: Readonly<Partial<Record<Phase, number>>>;
}

/** Runs `keyroster import …` and kills it with SIGKILL at this moment, unless it has ended by then. */
export function runImport(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  moment?: Moment,
): Promise<EndedImport> {
  const start = performance.now();
  const startMs: Partial<Record<Phase, number>> = {};
  const child = spawn(process.execPath, ['--import', MARK_TRANSACTION, BIN, 'import', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  let timer: NodeJS.Timeout | undefined;
  const begin = (phase: Phase) => {
    startMs[phase] = performance.now() - start;
    if (phase === moment?.phase) timer = setTimeout(() => child.kill('SIGKILL'), moment.delayMs);
  };
  begin('reading');
  child.stdio[3]?.on('data', marks => {
    for (const mark of String(marks).split('\n')) {
      const phase = PHASES.find(name => name === mark);
      if (phase) begin(phase);
    }
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', exitCode => {
      clearTimeout(timer);
      const phase = PHASES.findLast(name => startMs[name] !== undefined) ?? 'reading';
      resolve({ phase, exitCode, startMs });
    });
  });
}
