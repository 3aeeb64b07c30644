/** Clean-up after a test or a suite, whether it passes or fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

type CleanUp = () => unknown;

/** A test's context, or the `suiteScope` of a suite. */
export interface Scope {
  after(cleanUp: CleanUp): void;
}

const cleanUps = new WeakMap<Scope, CleanUp[]>();

/** Registers a clean-up for the scope's end. The latest runs first, so a process stops before its folder is removed. */
export function atEndOf(scope: Scope, cleanUp: CleanUp): void {
  const registered = cleanUps.get(scope);
  if (registered) {
    registered.push(cleanUp);
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

/** The scope of a suite. Call it in the body of `describe`; its `before` may use it. */
export function suiteScope(): Scope {
  const scope: Scope = { after };
  atEndOf(scope, () => {});
  return scope;
}

/** Creates a temporary folder, which is removed at the scope's end. */
export function temporaryFolder(scope: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-test-'));
  atEndOf(scope, () => rmSync(folder, { recursive: true }));
  return folder;
}
