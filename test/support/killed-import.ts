/** Runs the real `import` command and kills it at a chosen moment. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const MARK_TRANSACTION = new URL('./mark-transaction.ts', import.meta.url).href;

/** The phases of an import: before its transaction, in it, in its commit, after that, and after closing the store. */
export const PHASES = ['reading', 'writing', 'committing', 'committed', 'closed'] as const;
export type Phase = (typeof PHASES)[number];

/** A time after the start of a phase. */
export interface Moment {
  readonly phase: Phase;
  readonly delayMs: number;
}

export interface EndedImport {
  /** The last phase that it reached. */
  readonly phase: Phase;
  /** 0 when it finished; `null` when it was killed. */
  readonly exitCode: number | null;
  /** When each phase that it reached began, from the start of the process. */
  readonly startMs: Readonly<Partial<Record<Phase, number>>>;
}

/** Runs `keyroster import …` and kills it with SIGKILL at this moment, unless it has ended before. */
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
