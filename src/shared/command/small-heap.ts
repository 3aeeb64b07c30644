import { setFlagsFromString } from 'node:v8';

/**
 * Call before much is read that isn't kept. Reading makes garbage as fast as it can, and V8 prefers to grow the heap: to 240 MB for a
 * million keys, where 130 do. These flags make it collect sooner, also when the heap is in use already.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=5');
}
