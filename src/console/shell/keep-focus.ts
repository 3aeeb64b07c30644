/**
 * When the element that has the focus is removed, such as a Stop button after its click, the browser gives the focus to
 * nothing: a screen reader is lost then. This gives it to the content. Returns what ends it.
 */
export function keepFocus(): () => void {
  let last: Element | null = document.activeElement;
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof Element) last = target;
  };
  const observer = new MutationObserver(() => {
    if (document.activeElement === document.body && last && !last.isConnected) focusContent();
  });
  addEventListener('focusin', remember);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener('focusin', remember);
    observer.disconnect();
  };
}

/** Where the focus is after a page load: at the start of what the page is about. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}
