import { useEffect } from 'preact/hooks';
import type { Desk } from '../worklist/own-files.ts';

/** Takes a file that is dropped anywhere into the page. A text that is dropped is left to the field below it. */
export function useDroppedFiles(desk: Desk): void {
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const allow = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    const take = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault(); // or the browser would open it in place of the page
      desk.open([...(event.dataTransfer?.files ?? [])]);
    };
    Object.assign(document, { ondragover: allow, ondrop: take });
    return () => Object.assign(document, { ondragover: null, ondrop: null });
  }, [desk]);
}

/** A button that picks a file: one that is dropped is the same. */
export function FilePicker({ desk }: { readonly desk: Desk }) {
  return (
    <label class="file">
      Open a file…
      <input
        type="file"
        class="visually-hidden"
        accept=".csv,.json,.jsonl,.ndjson,.tsv,.txt"
        multiple
        onChange={({ currentTarget }) => {
          desk.open([...(currentTarget.files ?? [])]).then(() => {
            currentTarget.value = ''; // the same file may be picked again
          });
        }}
      />
    </label>
  );
}

export function FileProblems({ desk }: { readonly desk: Desk }) {
  if (desk.problems.length === 0) return null;
  return (
    <div class="notice error" role="alert">
      {desk.problems.map(text => (
        <p key={text}>{text}</p>
      ))}
      <button type="button" onClick={() => desk.tell()}>
        Close
      </button>
    </div>
  );
}
