import type { Page } from '../roster/page.ts';
import { ApiError } from './errors.ts';
import { renderPage } from './render-page.ts';

/** The supported values of `<vendor>-version` (docs/api.md#request), each with the function that renders a page. */
const versions: Readonly<Record<string, (page: Page) => Buffer>> = {
  '2023-06-01': renderPage,
};

export const SUPPORTED_VERSIONS = Object.keys(versions);

/** The renderer for the version in the header. Throws a 400 when that is missing or not supported. */
export function rendererOf(
  headerName: string,
  header: string | string[] | undefined,
): (page: Page) => Buffer {
  const supported = `supported: ${SUPPORTED_VERSIONS.join(', ')}`;
  if (header === undefined) throw new ApiError(400, `${headerName}: header is required; ${supported}`);
  const version = String(header);
  const renderer = Object.hasOwn(versions, version) ? versions[version] : undefined;
  if (!renderer) throw new ApiError(400, `${headerName}: not a supported version; ${supported}`);
  return renderer;
}
