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
    <Panel kind="sheet" title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcuts">
        {Object.values(shortcuts).map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map(key => (
                <kbd key={key}>{key === 'Escape' ? 'Esc' : key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class="row">
        <input type="checkbox" checked={on} onChange={event => turn(event.currentTarget.checked)} />
        Single-key shortcuts
      </label>
    </Panel>
  );
}
