import type { QueryParameters } from './openapi.ts';

/** Parameters that are `undefined` count as absent. */
type Optional<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** The query parameters of the operation, with at most one of the two cursors. */
export type ListParameters = Optional<Omit<QueryParameters, 'after_id' | 'before_id'>> &
  (
    | { readonly after_id?: string | undefined; readonly before_id?: never }
    | { readonly before_id: string; readonly after_id?: never }
  );
