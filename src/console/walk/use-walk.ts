import { useLayoutEffect, useReducer } from 'preact/hooks';
import type { Walk } from './walk.ts';

/** Renders again when the walk changes. */
export function useWalk(walk: Walk | null): void {
  const [, renderAgain] = useReducer<number, undefined>(count => count + 1, 0);
  const rendered = walk?.state;
  useLayoutEffect(() => {
    // What changed since the rendering was told to nobody here.
    if (walk?.state !== rendered) renderAgain(undefined);
    return walk?.subscribe(() => renderAgain(undefined));
  }, [walk]);
}
