import { useEffect, useReducer } from 'preact/hooks';
import type { Walk } from './walk.ts';

/** Renders again when the walk changes. */
export function useWalk(walk: Walk | null): void {
  const [, renderAgain] = useReducer<number, undefined>(count => count + 1, 0);
  useEffect(() => walk?.subscribe(() => renderAgain(undefined)), [walk]);
}
