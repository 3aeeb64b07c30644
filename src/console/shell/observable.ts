import { useLayoutEffect, useReducer } from 'preact/hooks';

/** What outlives the views that show it, and tells them of its changes. */
export class Observable {
  /** How often it has changed. */
  version = 0;
  readonly #listeners = new Set<() => void>();

  /** Calls this at every change. Returns the function that ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected changed(): void {
    this.version += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** Renders again when this changes. */
export function useChanges(observed: Observable | null): void {
  const [, renderAgain] = useReducer<number, undefined>(count => count + 1, 0);
  const rendered = observed?.version;
  useLayoutEffect(() => {
    // What changed since the rendering was told to nobody here.
    if (observed?.version !== rendered) renderAgain(undefined);
    return observed?.subscribe(() => renderAgain(undefined));
  }, [observed]);
}
