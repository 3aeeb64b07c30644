/**
 * The table keeps each rendered record less its head, which repeats the ID that the key columns hold already:
 * 60 bytes a key.
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
