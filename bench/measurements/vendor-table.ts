import { type Compared, compare, ratioOf } from '../results/compare.ts';
import { comparison } from '../results/markdown.ts';
import { atLeast, type Section } from '../results/section.ts';
import { drawCursors } from '../roster/cursors.ts';
import { creatorId, workspaceId } from '../roster/make-api-keys.ts';
import type { PostgresStore } from '../servers/postgres.ts';
import { withService } from '../servers/service.ts';
import { withVendorTable } from '../servers/vendor-table.ts';
import { type Bench, requests } from './bench.ts';
import { cursorsFrom, DEEP } from './depth.ts';

const WORKSPACE = `workspace_id=${workspaceId(3)}`;
const CREATOR = `created_by_user_id=${creatorId(7)}`;

const ABOUT = `The same keys in a table as a vendor has it, which \`keyroster adopt\` serves through a view, against Keyroster's own
table. The record of each key is put together when a page is read, where Keyroster's own table has it stored.`;

/** A vendor's own table against ours, for each shape of a page. */
export async function measureVendorTable(bench: Bench, store: PostgresStore): Promise<Section> {
  const depth = Math.floor(bench.keys * DEEP);
  const withCursors = (filter: string) => () => drawCursors(bench.keys).map(id => `${filter}&after_id=${id}`);
  const shapes: Readonly<Record<string, () => readonly string[]>> = {
    'first page': () => [''],
    [`depth ${depth.toLocaleString('en')}`]: () => cursorsFrom(depth, bench.keys),
    status: withCursors('status=active'),
    workspace: withCursors(WORKSPACE),
    creator: withCursors(CREATOR),
    'all three': withCursors(`status=active&${WORKSPACE}&${CREATOR}`),
    'a status that matches nothing': withCursors('status=archived'),
  };
  return withVendorTable(store, vendor =>
    withService(store.url, store.secret, own =>
      withService(vendor.url, vendor.secret, async adopted => {
        const compared = new Map<string, Compared[]>();
        for (const [label, queries] of Object.entries(shapes)) {
          const subjects = [
            requests(bench, "Keyroster's own table", own, queries),
            requests(bench, label, adopted, queries),
          ];
          compared.set(label, await compare(bench, subjects));
        }
        return sectionOf(bench, compared);
      }),
    ),
  );
}

function sectionOf({ keys }: Bench, compared: ReadonlyMap<string, Compared[]>): Section {
  const rows = [...compared.values()];
  const slowest = rows.reduce((a, b) => (ratioOf(a, 1).median < ratioOf(b, 1).median ? a : b));
  return {
    title: `A vendor's own table, ${keys.toLocaleString('en')} keys`,
    about: ABOUT,
    lines: rows
      .flatMap(each => [...comparison('requests/s', "Keyroster's own table", each), ''])
      .slice(0, -1),
    goals: [
      atLeast(
        "a vendor's own table against Keyroster's own, slowest shape of a page",
        0.7,
        ratioOf(slowest, 1),
      ),
    ],
  };
}
