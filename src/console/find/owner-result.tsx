import { useEffect } from 'preact/hooks';
import type { Question } from '../../find/question.ts';
import { announce } from '../shell/announce.ts';
import type { Finder } from './finder.ts';
import { OwnerNotice } from './owner-notice.tsx';

interface OwnerResultProps {
  readonly question: Question & { kind: 'owner' };
  readonly finder: Finder;
}

/** The way to the keys of a creator or a workspace whose ID was entered. */
export function OwnerResult({ question, finder }: OwnerResultProps) {
  const { owner, text, sure } = question;
  useEffect(() => announce(`The ID of a ${owner}`), [question]);
  return (
    <>
      <OwnerNotice owner={owner} id={text} sure={sure} />
      <button type="button" onClick={() => finder.ask({ kind: 'text', text })}>
        Look for it among all keys
      </button>
    </>
  );
}
