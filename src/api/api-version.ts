import type { ApiVersion } from '../roster/api-version.ts';
import type { JoinedPage } from '../roster/joined-page.ts';
import type { Body } from './body.ts';
import { ApiError } from './errors.ts';
import { renderPage } from './render-page.ts';

type Renderer = (page: JoinedPage) => Body;

/** The versions of docs/api.md#request, each with the function that renders a page. */
const versions: Readonly<Record<string, Renderer>> = {
  '2023-06-01': renderPage,
};

/** The values of `<vendor>-version` that are accepted. What the operator adds is answered as 2023-06-01. */
export function acceptedVersions(added: readonly ApiVersion[]): ReadonlyMap<string, Renderer> {
  const others = added.filter(version => !Object.hasOwn(versions, version));
  return new Map([...Object.entries(versions), ...others.map(version => [version, renderPage] as const)]);
}

/** Returns the renderer for the version in the header. Throws a 400 when that is missing or not accepted. */
export function rendererOf(
  headerName: string,
  header: string | undefined,
  accepted: ReadonlyMap<string, Renderer>,
): Renderer {
  const renderer = header === undefined ? undefined : accepted.get(header);
  if (renderer) return renderer;
  const problem = header === undefined ? 'header is required' : 'not a supported version';
  throw new ApiError(400, `${headerName}: ${problem}; supported: ${[...accepted.keys()].join(', ')}`);
}
