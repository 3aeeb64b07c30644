import { useEffect, useState } from 'preact/hooks';
import { announce } from '../shell/announce.ts';

const SHOWN_MS = 2_000;
const labels = { ready: 'Copy ID', copied: 'Copied', failed: 'Not copied' } as const;

export function CopyButton({ id }: { readonly id: string }) {
  const [state, setState] = useState<keyof typeof labels>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    const end = (await copied(id)) ? 'copied' : 'failed';
    setState(end);
    announce(`${labels[end]}: ${id}`);
  };
  return (
    <button type="button" class="quiet small copy" data-row aria-label={`Copy ID ${id}`} onClick={copy}>
      {labels[state]}
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
