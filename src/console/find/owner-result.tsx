import { useEffect } from 'preact/hooks';
import { announce } from '../shell/announce.ts';
import type { Finder } from './finder.ts';
import type { OwnerAnswer } from './owner-answer.ts';
import { OwnerNotice } from './owner-notice.tsx';

/** The way to the keys of a creator or a workspace whose ID was entered. */
export function OwnerResult({ answer, finder }: { readonly answer: OwnerAnswer; readonly finder: Finder }) {
  const { owner, text, sure } = answer.question;
  useEffect(() => announce(`The ID of a ${owner}`), [answer]);
  return (
    <>
      <OwnerNotice owner={owner} id={text} sure={sure} />
      <button type="button" onClick={() => finder.ask({ kind: 'text', text })}>
        Look for it among all keys
      </button>
    </>
  );
}
