/** What made the key, where that is no person: in words, or in a table in one. A newer service may have other types. */
export function CreatorType({ type, short = false }: { readonly type: string; readonly short?: boolean }) {
  const words = type.replaceAll('_', ' ');
  if (short && type === 'user') return null;
  return (
    <span class="small muted" title={words}>
      {short ? words.split(' ', 1) : words}
    </span>
  );
}
