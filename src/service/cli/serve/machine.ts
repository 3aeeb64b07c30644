/** What this machine gives a process of the service too little of. It is said at the start, as it shows only under load. */
import { totalmem } from 'node:os';

/** What a process opens beside its clients' connections: its store, its log, Node's own. */
const OTHER_DESCRIPTORS = 64;
/** What a process takes with 64 pages of 1,000 keys under way (docs/operations.md, "Settings"). */
const MEMORY_MB = 300;

/** The connections are those of one process, of `processes` that serve. */
export function machineWarnings(maxConnections: number, processes: number): string[] {
  const { files, memoryMb } = limits();
  const neededFiles = maxConnections + OTHER_DESCRIPTORS;
  const neededMb = MEMORY_MB * processes;
  const warnings: string[] = [];
  if (files < neededFiles)
    warnings.push(
      `this process may open ${files} files, fewer than the ${neededFiles} that its connections need: raise that limit (ulimit -n, LimitNOFILE), or lower --max-connections`,
    );
  if (memoryMb < neededMb)
    warnings.push(
      `there are ${memoryMb} MB of memory, less than the ${neededMb} MB that the service may take: give it more, or lower --workers`,
    );
  return warnings;
}

/** As the system has them for this process. */
function limits(): { readonly files: number; readonly memoryMb: number } {
  const { report } = process;
  Object.assign(report, { excludeNetwork: true, excludeEnv: true }); // these take time
  const { userLimits } = report.getReport() as { userLimits?: { open_files: { soft: unknown } } };
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  // It is the text "unlimited" where there is no limit, and Windows has none.
  return {
    files: Number(userLimits?.open_files.soft) || Number.POSITIVE_INFINITY,
    memoryMb: Math.floor(bytes / 2 ** 20),
  };
}
