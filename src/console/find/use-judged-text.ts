import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Known } from '../../find/known.ts';
import type { Question } from '../../find/question.ts';

interface Options {
  /** What the field has when the view is opened again: never a key. */
  readonly asked: string;
  readonly questionOf: (text: string) => Question | null;
  /** What `questionOf` judges by. */
  readonly known: Known;
  readonly onAsk: (question: Question) => void;
}

/** What a person is told of a key that was typed: it is still in the field, or was taken out and not looked for. */
export type TypedKey = 'in field' | 'taken out';

/** Typing pauses that long behind the last character of a key. */
const PAUSE_MS = 700;
/** As long as it takes to type the rest of a key. */
const KEPT_MS = 30_000;

/**
 * Judges what comes into the field. A full key doesn't come even there by pasting and dropping. What comes by other ways, such
 * as a password manager, is taken out at once. What is typed may be a piece of a key, of which nothing would be found: it is
 * looked for when the person presses Enter, and taken out without a search when they leave the form.
 */
export function useJudgedText({ asked, questionOf, known, onAsk }: Options) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTyped = useRef(false);
  const [typedKey, setTypedKey] = useState<TypedKey | null>(null);

  const fieldText = () => field.current?.value ?? '';
  const keysOf = (text: string) => {
    const question = questionOf(text);
    return question?.kind === 'key' ? question : null;
  };
  const empty = (why: TypedKey | null = null) => {
    clearTimeout(timer.current);
    if (field.current) field.current.value = '';
    setTypedKey(why);
  };
  /** Asks for the hints instead, if the texts have full keys, and empties the field. */
  const tookKeys = (...texts: string[]): boolean => {
    const keys = [...new Set(texts)].map(keysOf).filter(each => each !== null);
    if (keys.length === 0) return false;
    empty();
    onAsk({
      kind: 'key',
      masks: keys.flatMap(({ masks }) => masks),
      sure: keys.every(({ sure }) => sure),
    });
    return true;
  };

  const leave = () => {
    if (keysOf(fieldText())) empty('taken out');
  };
  const judgeTyped = () => {
    if (!keysOf(fieldText())) return;
    setTypedKey('in field');
    timer.current = setTimeout(leave, KEPT_MS);
  };
  const judgeAfterPause = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(judgeTyped, PAUSE_MS);
  };
  const judge = () => {
    if (isTyped.current) judgeAfterPause();
    else tookKeys(fieldText());
  };

  // Before anybody can type: an effect behind the first frame would take out what is typed by then.
  useLayoutEffect(() => {
    if (field.current) field.current.value = asked;
    return () => clearTimeout(timer.current);
  }, []);
  // What is in the field may turn out to be a key of this roster.
  useEffect(judge, [known]);

  return {
    field,
    typedKey,
    leave,
    empty,
    paste(event: ClipboardEvent) {
      const { selectionStart, selectionEnd } = field.current ?? {};
      const pasted = event.clipboardData?.getData('text/plain') ?? '';
      const text = fieldText().slice(0, selectionStart ?? 0) + pasted + fieldText().slice(selectionEnd ?? 0);
      if (tookKeys(pasted, text)) event.preventDefault();
    },
    drop(event: DragEvent) {
      if (tookKeys(event.dataTransfer?.getData('text/plain') ?? '')) event.preventDefault();
    },
    input({ inputType = '', data, isComposing }: InputEvent) {
      clearTimeout(timer.current);
      setTypedKey(null);
      isTyped.current = isComposing || (/^(?:insertText|delete)/.test(inputType) && (data ?? '').length <= 1);
      // An input method replaces what it has composed, so that is no text yet.
      if (!isComposing) judge();
    },
    composed() {
      isTyped.current = true;
      judge();
    },
    submit(event: Event) {
      event.preventDefault();
      const text = fieldText();
      if (tookKeys(text)) return;
      const question = questionOf(text);
      if (question) onAsk(question);
    },
  };
}
