import { useEffect } from 'preact/hooks';
import { scopeWords } from '../../shared/record/list-query.ts';
import { FilePicker } from '../files/dropped-files.tsx';
import { Created } from '../roster/values.tsx';
import { Menu } from '../shell/menu.tsx';
import { useChanges } from '../shell/observable.ts';
import type { Session } from '../shell/session.ts';
import type { FileFormatName } from '../walk/file-formats.ts';
import { keysText, numberText } from '../walk/keys-text.ts';
import { ANY_POLICY } from '../walk/query.ts';
import { WalkProgress } from '../walk/walk-progress.tsx';
import { Charts } from './charts.tsx';
import { PolicyNumbers, RosterNumbers } from './numbers.tsx';
import { People } from './people.tsx';

/**
 * What should go: by policy, by person, and as a list for the vendor. The walk tells of its progress a few times a second, so the numbers
 * change as often. It counts without a click only when there is nothing to show yet.
 */
export function WorklistView({ session }: { readonly session: Session }) {
  const { desk, scope } = session;
  const { count, directory, policiesFile } = desk;
  useChanges(count?.walk ?? null);
  useEffect(() => {
    if (!count) desk.countAgain();
  }, [count]);
  if (!count) return null;
  const { walk, total } = count;
  const download = (format: FileFormatName) =>
    session.downloads.start(session, { breaks: ANY_POLICY }, format);
  const toRevoke = total === undefined ? 0 : count.people(0).keys;
  return (
    <>
      <div class="title">
        <h1>Worklist{scope && ` of ${scopeWords(scope)}`}</h1>
        {total !== undefined && (
          <p class="muted">
            {numberText(toRevoke)} of {keysText(total)} break a policy, counted{' '}
            <Created at={count.now.toISOString()} />
          </p>
        )}
        <div class="row end">
          {toRevoke > 0 && (
            <>
              <button type="button" class="primary" onClick={() => download('revoke')}>
                List to revoke (CSV)
              </button>
              <button type="button" onClick={() => download('messages')}>
                Messages to owners
              </button>
            </>
          )}
          <FilePicker desk={desk} />
          <Menu label="More">
            <button type="button" onClick={() => desk.countAgain()}>
              Count again
            </button>
            {policiesFile !== null && (
              <button type="button" onClick={() => desk.forgetPolicies()}>
                Use the default policies
              </button>
            )}
            {directory.size > 0 && (
              <button type="button" onClick={() => desk.forgetDirectory()}>
                Forget the directory
              </button>
            )}
          </Menu>
        </div>
      </div>
      <WalkProgress what="Reading the roster, the oldest keys last" walk={walk} />
      {total === 0 && <p class="empty">There are no API keys yet.</p>}
      {walk.read > 0 && (
        <div class={total === undefined ? 'worklist partial' : 'worklist'}>
          <PolicyNumbers desk={desk} count={count} />
          <People session={session} count={count} />
          <RosterNumbers desk={desk} count={count} />
          <Charts desk={desk} count={count} />
        </div>
      )}
    </>
  );
}
