import { useChanges } from '../shell/observable.ts';
import type { Download, Downloads } from './downloads.ts';
import { keysText } from './keys-text.ts';
import { WalkProgress } from './walk-progress.tsx';

/** Every download of the session, in every view: one goes on when its view is left. */
export function DownloadsList({ downloads }: { readonly downloads: Downloads }) {
  useChanges(downloads);
  const { all } = downloads;
  if (all.length === 0) return null;
  return (
    <section aria-label="Downloads">
      {all.map(download => (
        <DownloadStatus key={download} {...download} onRemove={() => downloads.remove(download)} />
      ))}
    </section>
  );
}

function DownloadStatus({ walk, fileName, count, onRemove }: Download & { readonly onRemove: () => void }) {
  useChanges(walk);
  const remove = (
    <button type="button" class="quiet" onClick={onRemove}>
      {walk.state.kind === 'complete' ? 'Close' : 'Discard what was read'}
    </button>
  );
  if (walk.state.kind !== 'complete')
    return (
      <WalkProgress what={`Reading for ${fileName}`} walk={walk}>
        {/* Once it is stopped, which keeps what was read: side by side, Stop and this would look alike. */}
        {walk.state.kind !== 'running' && remove}
      </WalkProgress>
    );
  return (
    <div class="notice row">
      <span role="status">
        {fileName}: {keysText(count())}, handed to the browser.
      </span>
      {remove}
    </div>
  );
}
