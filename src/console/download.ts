import type { ApiKeyRecord } from '../client/client.ts';
import { type FileFormat, type FileFormatName, fileFormats } from './file-formats.ts';
import type { Session } from './session.ts';
import { walk } from './walk.ts';

/** Walks the roster once more into a file. Each page becomes a blob at once: the browser keeps those out of the page's memory. */
export async function download(
  session: Session,
  name: FileFormatName,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<void> {
  const format: FileFormat = fileFormats[name];
  const parts: Blob[] = [new Blob([format.head])];
  let count = 0;
  await walk(session, signal, (keys: readonly ApiKeyRecord[]) => {
    if (keys.length > 0) parts.push(new Blob([format.render(keys, count === 0)]));
    count += keys.length;
    onProgress(count);
  });
  save(new Blob([...parts, format.tail], { type: format.type }), `api-keys.${name}`);
}

/** How long a browser may take to open a file that it was handed. */
const HANDED_OVER_MS = 60_000;

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), HANDED_OVER_MS);
}
