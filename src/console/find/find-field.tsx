import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type KeyQuestion, MAX_TEXT, type Question } from '../../admin/find/question.ts';

interface Props {
  /** What the field has when the view is opened again: never a key. */
  readonly asked: string;
  readonly questionOf: (text: string) => Question | null;
  readonly onAsk: (question: Question) => void;
}

/** What a person is told of a key that was typed: it is still in the field, or was taken out and not looked for. */
const NOTICES = {
  'in field': 'That looks like a full key. Press Enter to look for its hint: the key itself is not sent.',
  'taken out':
    'What you typed looked like a full key. It was taken out of the field, and nothing was looked for or sent.',
} as const;
type TypedKey = keyof typeof NOTICES;

/** Typing pauses that long behind the last character of a key. */
const PAUSE_MS = 700;
/** As long as it takes to type the rest of a key. */
const KEPT_MS = 30_000;

/**
 * The text is in the field alone: not in the state of a component, nor in an attribute, nor in the address. The field has no
 * `name`, so that no form can submit it.
 */
export function FindField(props: Props) {
  const { field, typedKey, leave, empty, ...events } = useJudgedText(props);
  const { onSubmit, ...ofField } = events;

  const focusOut = ({ currentTarget, relatedTarget }: FocusEvent) => {
    const isWithin = (currentTarget as Element).contains(relatedTarget as Element | null);
    if (!isWithin) leave();
  };

  return (
    <form class="row find-form" onSubmit={onSubmit} onFocusOut={focusOut}>
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
          {...ofField}
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

/**
 * Judges what comes into the field. A full key doesn't come even there by pasting and dropping. What comes by other ways, such
 * as a password manager, is taken out at once. What is typed may be a piece of a key, of which nothing would be found: it is
 * looked for when the person presses Enter, and taken out without a search when they leave the form.
 */
function useJudgedText({ asked, questionOf, onAsk }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [typedKey, setTypedKey] = useState<TypedKey | null>(null);

  // Before anybody can type: an effect behind the first frame would take out what is typed by then.
  useLayoutEffect(() => {
    if (field.current) field.current.value = asked;
    field.current?.focus();
    return () => clearTimeout(timer.current);
  }, []);

  const fieldText = () => field.current?.value ?? '';
  const keysOf = (text: string): KeyQuestion | null => {
    const question = questionOf(text);
    return question?.kind === 'key' ? question : null;
  };
  const empty = (why: TypedKey | null = null) => {
    clearTimeout(timer.current);
    if (field.current) field.current.value = '';
    setTypedKey(why);
  };
  const leave = () => {
    if (keysOf(fieldText())) empty('taken out');
  };
  /** Asks for the hints instead, if the text has full keys, and empties the field. */
  const tookKeys = (text: string): boolean => {
    const keys = keysOf(text);
    if (!keys) return false;
    empty();
    onAsk(keys);
    return true;
  };
  const judgeTyped = () => {
    if (!keysOf(fieldText())) return;
    setTypedKey('in field');
    timer.current = setTimeout(leave, KEPT_MS);
  };
  const judgeLater = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(judgeTyped, PAUSE_MS);
  };

  return {
    field,
    typedKey,
    leave,
    empty,
    onPaste(event: ClipboardEvent) {
      const { selectionStart, selectionEnd } = field.current ?? {};
      const pasted = event.clipboardData?.getData('text/plain') ?? '';
      const text = fieldText().slice(0, selectionStart ?? 0) + pasted + fieldText().slice(selectionEnd ?? 0);
      if (tookKeys(text === pasted ? text : `${pasted} ${text}`)) event.preventDefault();
    },
    onDrop(event: DragEvent) {
      if (tookKeys(event.dataTransfer?.getData('text/plain') ?? '')) event.preventDefault();
    },
    onInput({ inputType = '', data, isComposing }: InputEvent) {
      clearTimeout(timer.current);
      setTypedKey(null);
      // An input method replaces what it has composed, so that is no text yet.
      if (isComposing) return;
      const isTyped = /^(?:insertText|delete)/.test(inputType) && (data ?? '').length <= 1;
      if (isTyped) judgeLater();
      else tookKeys(fieldText());
    },
    onCompositionEnd: judgeLater,
    onSubmit(event: Event) {
      event.preventDefault();
      if (tookKeys(fieldText())) return;
      const question = questionOf(fieldText());
      if (question) onAsk(question);
    },
  };
}
