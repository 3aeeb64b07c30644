/** What a test leaves to be cleaned up, whether it passes or fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

type CleanUp = () => unknown;

/** A test's context, or a whole suite's `suiteScope`. */
export interface Scope {
  after(cleanUp: CleanUp): void;
}

const cleanUps = new WeakMap<Scope, CleanUp[]>();

/** Has this run at the scope's end, the latest first: what was started in a folder stops before the folder goes. */
export function atEndOf(scope: Scope, cleanUp: CleanUp): void {
  const known = cleanUps.get(scope);
  if (known) {
    known.push(cleanUp);
    return;
  }
  const all = [cleanUp];
  cleanUps.set(scope, all);
  scope.after(async () => {
    const failures: unknown[] = [];
    for (const each of all.reverse())
      await Promise.resolve()
        .then(each)
        .catch(error => failures.push(error));
    if (failures.length > 0) throw failures[0];
  });
}

/** To be called in the body of `describe`; may be used in its `before`. */
export function suiteScope(): Scope {
  const scope: Scope = { after };
  atEndOf(scope, () => {});
  return scope;
}

/** A folder of its own, gone at the scope's end. */
export function temporaryFolder(scope: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-test-'));
  atEndOf(scope, () => rmSync(folder, { recursive: true }));
  return folder;
}
