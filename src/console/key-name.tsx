import { useState } from 'preact/hooks';

/** A longer name is cut until it is asked for. */
const LONG_NAME = 120;

/** Whatever a name holds is text: isolated, so that its direction stays its own. */
export function KeyName({ name }: { readonly name: string }) {
  const [whole, setWhole] = useState(false);
  if (name.trim() === '') return <em class="muted">no name</em>;
  if (name.length <= LONG_NAME) return <bdi class="name">{name}</bdi>;
  return (
    <>
      <bdi class={whole ? 'name' : 'name cut'}>{name}</bdi>
      <button type="button" class="plain small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? 'Show less' : 'Show the whole name'}
      </button>
    </>
  );
}
