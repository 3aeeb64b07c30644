import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface PanelProps {
  readonly title: ComponentChildren;
  /** Has the caller render it no more. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog on the right, open while it is rendered. Escape closes it. Then what had the focus before has it again. */
export function Panel({ title, onClose, children }: PanelProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close(); // removing it doesn't give the focus back
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onCancel={onClose}>
      <div class="row panel-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" class="quiet end" onClick={onClose}>
          Close
        </button>
      </div>
      <div class="panel-body">{children}</div>
    </dialog>
  );
}
