import { useState } from 'preact/hooks';
import { Panel } from './panel.tsx';
import { areLettersOn, shortcuts, turnLetters } from './shortcuts.ts';

/** The list of all shortcuts. */
export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(areLettersOn());
  const turn = (to: boolean) => {
    turnLetters(to);
    setOn(to);
  };
  return (
    <Panel title="Keyboard shortcuts" onClose={onClose}>
      <dl class="record">
        {Object.values(shortcuts).flatMap(({ key, does }) => [
          <dt key={key}>
            <kbd>{key === 'Escape' ? 'Esc' : key}</kbd>
          </dt>,
          <dd key={does}>{does}</dd>,
        ])}
      </dl>
      <label class="row">
        <input type="checkbox" checked={on} onChange={event => turn(event.currentTarget.checked)} />
        Single-key shortcuts
      </label>
    </Panel>
  );
}
