import { Directory } from '../../admin/directory/directory.ts';
import { Observable } from '../shell/observable.ts';
import { describe } from './describe.ts';
import { type FileFormat, type FileFormatName, fileFormats } from './file-formats.ts';
import { type RosterQuery, withFilter } from './query.ts';
import { type Walk, type WalkSource, walkOfQuery } from './walk.ts';

export interface Download {
  readonly fileName: string;
  readonly walk: Walk;
  /** How many keys are in the file so far. */
  count(): number;
}

type DownloadSource = WalkSource & { readonly organizationId: string | null };

/** Reads all keys of queries into files. Each page becomes a blob, which the browser keeps outside the page's memory. */
export class Downloads extends Observable {
  all: readonly Download[] = [];

  /** Begins at once; the browser saves the file at the end. The notices of those that ended go. Throws `CannotFilter`. */
  start(session: DownloadSource, query: RosterQuery, name: FileFormatName): void {
    const download = downloadOf(session, withFilter(query, 'oldest_by', ''), name); // in the order of the service
    this.#set([download, ...this.all.filter(({ walk }) => walk.state.kind !== 'complete')]);
    download.walk.run();
  }

  /** Stops it, and forgets what it has read. */
  remove(download: Download): void {
    download.walk.stop();
    this.#set(this.all.filter(each => each !== download));
  }

  removeAll(): void {
    for (const download of this.all) this.remove(download);
  }

  #set(all: readonly Download[]): void {
    this.all = all;
    this.changed();
  }
}

function downloadOf(session: DownloadSource, query: RosterQuery, name: FileFormatName): Download {
  const format: FileFormat = fileFormats[name];
  const fileName = fileNameOf(session.organizationId, query, name);
  const { brokenBy = () => [], directory = new Directory([]) } = session.desk ?? {};
  const by = { brokenBy, directory };
  const parts: Blob[] = [];
  let renderer: ReturnType<FileFormat['renderer']> | undefined;
  let count = 0;
  const walk = walkOfQuery(session, query, keys => {
    if (keys.length === 0) return;
    renderer ??= format.renderer(keys[0], by);
    parts.push(new Blob([renderer.render(keys)]));
    count += keys.length;
  });
  walk.subscribe(() => {
    if (walk.state.kind !== 'complete') return;
    const { head, tail } = renderer ?? format.renderer(undefined, by);
    save(new Blob([head, ...parts, tail?.() ?? ''], { type: format.type }), fileName);
  });
  return { fileName, walk, count: () => count };
}

/** Such as `api-keys-org_example-2026-11-22-active.csv`. */
function fileNameOf(organizationId: string | null, query: RosterQuery, name: FileFormatName): string {
  const today = new Date().toISOString().slice(0, 10);
  const words = ['api-keys', organizationId, today, describe(query)].filter(Boolean);
  const slug = words.join('-').replaceAll(/[^\w-]+/g, '-');
  return `${slug.slice(0, MAX_FILE_NAME)}.${fileFormats[name].extension}`;
}

const MAX_FILE_NAME = 120;

/** How long the browser has to start the download before the URL is revoked. */
const REVOKE_AFTER_MS = 60_000;

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}
