/** For a process whose output is to tell when this folder is flushed, and what is in it then. */
export const tellFlushed = (folder: string) => ({
  NODE_OPTIONS: `--import=${new URL('tell-flushed-folder.js', import.meta.url)}`,
  TOLD_FOLDER: folder,
});
