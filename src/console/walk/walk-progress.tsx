import type { ComponentChildren } from 'preact';
import { ErrorNotice, titleOf, useSecondsUntil } from '../shell/error-notice.tsx';
import { useChanges } from '../shell/observable.ts';
import { keysText, numberText } from './keys-text.ts';
import type { Waiting, Walk } from './walk.ts';

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
      {isRunning && state.waiting && <WaitingText {...state.waiting} />}
      {!isRunning && <span>Stopped.</span>}
      {/* One button, so that it keeps the focus. */}
      <button type="button" onClick={() => (isRunning ? walk.stop() : goOn())}>
        {isRunning ? 'Stop' : 'Continue'}
      </button>
      {children}
    </div>
  );
}

/** Why nothing comes, and until when. */
function WaitingText({ error, until }: Waiting) {
  const seconds = useSecondsUntil(until);
  return (
    <span role="status">
      {titleOf(error)}. {seconds > 0 ? `Tries again in ${seconds} s.` : 'Tries again now.'}
    </span>
  );
}
