/** A request, whatever server it came to. */
export interface ApiRequest {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly url: string;
  /** The value of the header with this lower-case name. A header that was sent twice has both values, joined with a comma. */
  header(name: string): string | undefined;
  /** The values of the header one by one, as far as the server tells them apart. */
  headerValues(name: string): readonly string[];
  /** All headers, for an authentication that isn't ours. */
  headers(): Headers;
  /** The address that the connection came from: a proxy's, if there is one. `undefined` when nobody knows. */
  readonly peerAddress: string | undefined;
  /** The same object for all requests of a connection. */
  readonly connection: object;
  /** Whether a body follows of which no header tells: HTTP/2 needs none. */
  readonly hasBodyOfUnknownLength: boolean;
  /** What the server had for this request. */
  readonly original: unknown;
  /** Throws an `ApiError` when the request is malformed in a way that only the server can tell. */
  requireWellFormed(): void;
}
