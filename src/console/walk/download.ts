import type { ApiKeyRecord } from '../../client/client.ts';
import type { Session } from '../shell/session.ts';
import { type FileFormat, type FileFormatName, fileFormats } from './file-formats.ts';
import { readRoster } from './read-roster.ts';

/** Reads the roster again, into a file. Each page becomes a blob, which the browser keeps outside the page's memory. */
export async function download(
  session: Session,
  name: FileFormatName,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<void> {
  const format: FileFormat = fileFormats[name];
  const parts: Blob[] = [];
  let renderer: ReturnType<FileFormat['renderer']> | undefined;
  let count = 0;
  await readRoster(session, signal, (keys: readonly ApiKeyRecord[]) => {
    if (renderer === undefined) {
      renderer = format.renderer(keys);
      parts.push(new Blob([renderer.head]));
    }
    if (keys.length > 0) parts.push(new Blob([renderer.render(keys, count === 0)]));
    count += keys.length;
    onProgress(count);
  });
  save(new Blob([...parts, format.tail], { type: format.type }), `api-keys.${name}`);
}

/** How long the browser has to start the download before the URL is revoked. */
const REVOKE_AFTER_MS = 60_000;

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}
