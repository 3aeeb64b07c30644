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

/** Only over HTTPS and on localhost: elsewhere browsers have no `navigator.clipboard`. */
export function CopyButton({ what, text, label }: CopyButtonProps) {
  const [end, setEnd] = useState<'Copied' | 'Not copied' | null>(null);
  const tell = (now: 'Copied' | 'Not copied') => {
    setEnd(now);
    announce(label ? now : `${now}: ${text}`);
    setTimeout(() => setEnd(null), SHOWN_MS);
  };
  if (!navigator.clipboard) return null;
  return (
    <button
      type="button"
      class={label ? 'small' : 'copy small'}
      aria-label={label ?? `Copy ${what} ${text}`}
      title={label ? undefined : `Copy ${what}`}
      onClick={() =>
        navigator.clipboard.writeText(text).then(
          () => tell('Copied'),
          () => tell('Not copied'),
        )
      }
    >
      {end ?? label}
    </button>
  );
}
