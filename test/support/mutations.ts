/** Requests with a few changes at random places: bytes and pieces removed, doubled, moved or inserted. */
import fc from 'fast-check';
import type { Tenant } from './service-process.ts';

/** Pieces that an HTTP parser may handle wrongly. */
const PIECES = [
  ...['\r\n', '\n', '\r', '\r\n\r\n', '\n\n', '\0', '\t', '\x0b', '\x0c', '\x7f', '\x85', '\xa0', '\xff'],
  ...[' ', ':', ';', ',', '#', '?', '&', '%00', '%0d%0a', '%2f', '/', '//', '\\', 'http://localhost/', '@'],
  ...['content-length: 0\r\n', 'content-length: 4\r\n', 'Content-Length: 60\r\n', 'content-length: 1e3\r\n'],
  ...['transfer-encoding: chunked\r\n', 'Transfer-Encoding : chunked\r\n', 'transfer-encoding: x\r\n'],
  ...['0\r\n\r\n', '5\r\nabcde\r\n', 'ffffffff\r\n', '-1\r\n', '0;a=b\r\n\r\n', '1\r\n', '\r\n chunked'],
  ...['host: b\r\n', 'connection: close\r\n', 'connection: keep-alive, x-api-key\r\n', 'upgrade: h2c\r\n'],
  ...['expect: 100-continue\r\n', 'expect: x\r\n', 'x-http-method-override: POST\r\n'],
  ...['GET / HTTP/1.1\r\n', 'POST', 'HEAD', 'CONNECT', 'OPTIONS', 'PRI', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9'],
];

type Change = (text: string) => string;
type Span = readonly [start: number, end: number];

/** A position in a text of any length, as a fraction from 0 to 1. */
const place = fc.nat({ max: 10_000 }).map(at => at / 10_000);

function changes(pieces: readonly string[]): fc.Arbitrary<Change> {
  const length = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
    fc.integer({ min: 5, max: 200 }),
  );
  const span = fc.tuple(place, length);
  const spanIn = (text: string, [at, size]: readonly [number, number]): Span => {
    const start = Math.floor(at * text.length);
    return [start, Math.min(text.length, start + size)];
  };
  const replaced = (text: string, [start, end]: Span, what: string) =>
    text.slice(0, start) + what + text.slice(end);

  const removed = span.map(where => (text: string) => replaced(text, spanIn(text, where), ''));
  const doubled = span.map(where => (text: string) => {
    const [start, end] = spanIn(text, where);
    return replaced(text, [end, end], text.slice(start, end));
  });
  const moved = fc.tuple(span, place).map(([where, to]) => (text: string) => {
    const [start, end] = spanIn(text, where);
    const rest = replaced(text, [start, end], '');
    const at = Math.floor(to * rest.length);
    return replaced(rest, [at, at], text.slice(start, end));
  });
  const overwritten = fc.tuple(place, fc.nat({ max: 255 })).map(([at, code]) => (text: string) => {
    const [start, end] = spanIn(text, [at, 1]);
    return replaced(text, [start, end], String.fromCharCode(code));
  });
  const inserted = fc.tuple(place, fc.constantFrom(...pieces)).map(([at, piece]) => (text: string) => {
    const [start] = spanIn(text, [at, 0]);
    return replaced(text, [start, start], piece);
  });
  const lineDoubled = place.map(at => (text: string) => changedLine(text, at, line => `${line}\r\n${line}`));
  const lineRemoved = place.map(at => (text: string) => changedLine(text, at, () => undefined));
  const lineReplaced = fc.tuple(place, fc.constantFrom(...pieces)).map(
    ([at, piece]) =>
      (text: string) =>
        changedLine(text, at, () => piece.trimEnd()),
  );
  const truncated = place.map(at => (text: string) => text.slice(0, Math.floor(at * text.length)));
  return fc.oneof(
    { weight: 4, arbitrary: inserted },
    { weight: 2, arbitrary: overwritten },
    ...[removed, doubled, moved, lineDoubled, lineRemoved, lineReplaced, truncated],
  );
}

function changedLine(text: string, at: number, change: (line: string) => string | undefined): string {
  const lines = text.split('\r\n');
  const index = Math.floor(at * lines.length);
  return lines.flatMap((line, number) => (number === index ? (change(line) ?? []) : line)).join('\r\n');
}

/** One of these requests, or the start of one with the end of another, with up to five changes. */
export function mutated(requests: readonly string[], smuggled: Tenant): fc.Arbitrary<string> {
  const request = fc.constantFrom(...requests);
  const spliced = fc
    .tuple(request, request, place)
    .map(([one, another, at]) => one.slice(0, at * one.length) + another.slice(at * another.length));
  const source = fc.oneof({ weight: 4, arbitrary: request }, spliced);
  const change = changes([...PIECES, `x-api-key: ${smuggled.secret}\r\n`]);
  return fc
    .tuple(source, fc.array(change, { minLength: 1, maxLength: 5 }))
    .map(([text, all]) => all.reduce((changed, each) => each(changed), text));
}
