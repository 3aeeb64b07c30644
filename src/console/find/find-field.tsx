import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type KeyQuestion, MAX_TEXT, type Question } from '../../admin/find/question.ts';

interface Props {
  /** What the field has when the view is opened again: never a key. */
  readonly asked: string;
  readonly questionOf: (text: string) => Question | null;
  readonly onAsk: (question: Question) => void;
}

/**
 * The text is in the field alone: not in the state of a component, nor in an attribute, nor in the address. The field has no
 * `name`, so that no form can submit it.
 *
 * What comes into it is judged. A full key doesn't come even there by pasting and dropping. What comes by other ways, such as a
 * password manager, is taken out at once. What is typed may be a piece of a key, of which nothing would be found: it is looked for
 * when the person presses Enter, and taken out without a search when they leave the form.
 */
export function FindField({ asked, questionOf, onAsk }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [isTakenOut, setTakenOut] = useState(false);

  // Before anybody can type: an effect behind the first frame would take out what is typed by then.
  useLayoutEffect(() => {
    if (field.current) field.current.value = asked;
    field.current?.focus();
  }, []);

  const fieldText = () => field.current?.value ?? '';
  const keysOf = (text: string): KeyQuestion | null => {
    const question = questionOf(text);
    return question?.kind === 'key' ? question : null;
  };
  const empty = () => {
    if (field.current) field.current.value = '';
    setTakenOut(false);
  };
  /** Asks for the hints instead, if the text has full keys, and empties the field. */
  const tookKeys = (text: string): boolean => {
    const keys = keysOf(text);
    if (!keys) return false;
    empty();
    onAsk(keys);
    return true;
  };
  const judge = (event: Event, data: DataTransfer | null) => {
    if (tookKeys(data?.getData('text/plain') ?? '')) event.preventDefault();
  };
  const input = ({ inputType = '', data, isComposing }: InputEvent) => {
    setTakenOut(false);
    const isTyped = /^(?:insertText|delete)/.test(inputType) && (data ?? '').length <= 1;
    // An input method replaces what it has composed, so that is no text yet.
    if (!isTyped && !isComposing) tookKeys(fieldText());
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const question = tookKeys(fieldText()) ? null : questionOf(fieldText());
    if (question) onAsk(question);
  };
  const focusOut = ({ currentTarget, relatedTarget }: FocusEvent) => {
    const isWithin = (currentTarget as Element).contains(relatedTarget as Element | null);
    if (isWithin || !keysOf(fieldText())) return;
    empty();
    setTakenOut(true);
  };

  return (
    <form class="row find-form" onSubmit={submit} onFocusOut={focusOut}>
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
          onPaste={event => judge(event, event.clipboardData)}
          onDrop={event => judge(event, event.dataTransfer)}
          onInput={input}
          onKeyDown={event => event.key === 'Escape' && !event.isComposing && empty()}
        />
      </label>
      {/* Pressing it leaves the focus in the field: not every browser focuses a button that is pressed. */}
      <button type="submit" class="primary" onMouseDown={event => event.preventDefault()}>
        Find
      </button>
      <p class="typed-key small" role="status">
        {isTakenOut &&
          'What you typed looked like a full key. It was taken out of the field, and nothing was looked for or sent.'}
      </p>
    </form>
  );
}
