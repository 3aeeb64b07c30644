/** What a terminal shows, drawn by the terminal emulator of xterm.js. */
import headless from '@xterm/headless';

/** In scrollback: as many as a test prints. */
const MAX_LINES = 10_000;

/** The lines that a terminal has once it has drawn this text, without empty ones at the end. */
export async function drawn(text: string, columns: number): Promise<string> {
  const options = { cols: columns, rows: 24, scrollback: MAX_LINES };
  const terminal = new headless.Terminal({ ...options, convertEol: true, allowProposedApi: true });
  await new Promise<void>(resolve => terminal.write(text, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) =>
    active.getLine(row)?.translateToString(true),
  );
  return lines.join('\n').trimEnd();
}
