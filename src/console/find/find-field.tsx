import type { Known } from '../../find/known.ts';
import { MAX_TEXT } from '../../find/pieces.ts';
import type { Question } from '../../find/question.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { type TypedKey, useJudgedText } from './use-judged-text.ts';

interface Props {
  /** What the field has when the view is opened again: never a key. */
  readonly asked: string;
  readonly questionOf: (text: string) => Question | null;
  /** What `questionOf` judges by. */
  readonly known: Known;
  readonly onAsk: (question: Question) => void;
}

const NOTICES: Readonly<Record<TypedKey, string>> = {
  'in field': 'That looks like a full key. Press Enter to look for its hint: the key itself is not sent.',
  'taken out':
    'What you typed looked like a full key. It was taken out of the field, and nothing was looked for or sent.',
};

/**
 * The text is in the field alone: not in the state of a component, nor in an attribute, nor in the address. The field has no
 * `name`, so that no form can submit it.
 */
export function FindField(props: Props) {
  const { field, typedKey, leave, empty, paste, drop, input, composed, submit } = useJudgedText(props);
  useShortcuts({ search: () => field.current?.focus() });

  const focusOut = ({ currentTarget, relatedTarget }: FocusEvent) => {
    const isWithin = (currentTarget as Element).contains(relatedTarget as Element | null);
    if (!isWithin) leave();
  };

  return (
    <form class="find-form" onSubmit={submit} onFocusOut={focusOut}>
      <label class="field">
        Name, ID or hint
        <input
          id="find"
          ref={field}
          autocomplete="off"
          maxLength={MAX_TEXT}
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="search"
          aria-describedby="find-note"
          onPaste={paste}
          onDrop={drop}
          onInput={input}
          onCompositionEnd={composed}
          onKeyDown={event => event.key === 'Escape' && !event.isComposing && empty()}
        />
      </label>
      {/* Pressing it leaves the focus in the field: not every browser focuses a button that is pressed. */}
      <button type="submit" class="primary" onMouseDown={event => event.preventDefault()}>
        Find
      </button>
      <p class="typed-key small" role="status">
        {typedKey && NOTICES[typedKey]}
      </p>
    </form>
  );
}
