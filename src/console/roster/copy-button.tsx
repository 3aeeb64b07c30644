import { useState } from 'preact/hooks';
import { announce } from '../shell/announce.ts';

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  /** What is copied, such as "ID". */
  readonly what: string;
  readonly text: string;
  /** In words, instead of the icon, which CSS draws. */
  readonly label?: string;
}

export function CopyButton({ what, text, label }: CopyButtonProps) {
  const [end, setEnd] = useState<'Copied' | 'Not copied' | null>(null);
  const copy = async () => {
    const now = (await copied(text)) ? 'Copied' : 'Not copied';
    setEnd(now);
    announce(label ? now : `${now}: ${text}`);
    setTimeout(() => setEnd(null), SHOWN_MS);
  };
  return (
    <button
      type="button"
      class={label ? 'small' : 'copy small'}
      aria-label={label ?? `Copy ${what} ${text}`}
      title={label ? undefined : `Copy ${what}`}
      onClick={copy}
    >
      {end ?? label}
    </button>
  );
}

/** `navigator.clipboard` exists only over HTTPS and on localhost. */
async function copied(text: string): Promise<boolean> {
  if (!navigator.clipboard) return copiedBySelection(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

function copiedBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
