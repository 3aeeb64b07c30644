import type { ComponentChildren } from 'preact';
import { Countdown, ErrorNotice, titleOf } from '../shell/error-notice.tsx';
import { useChanges } from '../shell/observable.ts';
import { keysText, numberText } from './keys-text.ts';
import type { Walk } from './walk.ts';

interface Props {
  /** Such as "Reading the roster". */
  readonly what: string;
  readonly walk: Walk;
  /** How many of the keys that were read are what is looked for. */
  readonly found?: number;
  /** What else there is to do. */
  readonly children?: ComponentChildren;
}

/** How far a walk is, why it waits, and what can be done: Stop while it runs, and Continue when it was stopped or failed. */
export function WalkProgress({ what, walk, found, children }: Props) {
  useChanges(walk);
  const { state, read } = walk;
  const goOn = () => walk.run();
  const count = found === undefined ? keysText(read) : `${numberText(found)} found in ${keysText(read)} read`;
  if (state.kind === 'complete') return null;
  if (state.kind === 'failed')
    return (
      <ErrorNotice error={state.error} onRetry={goOn} retryLabel="Continue">
        {(found === undefined || read > 0) && (
          <span>
            {what}: {found === undefined ? `${count} were read` : count}.
          </span>
        )}
        {children}
      </ErrorNotice>
    );
  const isRunning = state.kind === 'running';
  return (
    <div class="notice row">
      <label>
        {what}: <output>{count}</output> {isRunning && <progress />}
      </label>
      {isRunning && state.waiting && (
        <span key={state.waiting} role="status">
          {titleOf(state.waiting.error)}. <Countdown seconds={state.waiting.waitMs / 1000} />
        </span>
      )}
      {!isRunning && <span>Stopped.</span>}
      {/* One button, so that it keeps the focus. */}
      <button type="button" onClick={() => (isRunning ? walk.stop() : goOn())}>
        {isRunning ? 'Stop' : 'Continue'}
      </button>
      {children}
    </div>
  );
}
