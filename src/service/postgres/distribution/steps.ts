import { type CitusState, type Place, TABLES, type Table } from './state.ts';

/** One thing that is done to the database. Whatever it is stopped at, the next run finds out what is left. */
export interface Step {
  /** What it does, as a person reads it. */
  readonly what: string;
  /** What that means for requests until it is done. */
  readonly meanwhile?: string;
  /** One transaction, but for a step that is `alone`. */
  readonly statements: readonly string[];
  /** Its statements can't run in a transaction. */
  readonly alone?: true;
}

export function lineOf({ what, meanwhile }: Step): string {
  return meanwhile === undefined ? what : `${what}: ${meanwhile}`;
}

/**
 * What is left to do. API keys and their organization are on one shard of a worker. Admin keys are on the coordinator, as the audit
 * log is: to revoke one takes no worker. So an organization needs the coordinator and one worker.
 */
export function stepsToDistribute(state: CitusState): Step[] {
  return [...moveSmallTables(state), ...distributeApiKeys(state), ...restoreForeignKey(state)];
}

const wanted = ({ isCoordinatorKnown }: CitusState) => {
  const besideTheLog = isCoordinatorKnown ? 'coordinator' : 'local';
  return {
    api_keys: 'distributed',
    organizations: 'distributed',
    imports: 'distributed',
    import_statuses: 'distributed',
    admin_keys: besideTheLog,
    disabled_organizations: besideTheLog,
    migrations: 'reference',
    fields: 'reference',
    store: 'reference',
  } as const satisfies Record<Table, Place>;
};

/** All but that of the API keys, in the order in which they are moved: imports go to where their organization is. */
const SMALL_TABLES = TABLES.filter(table => table !== 'api_keys');

function moveSmallTables(state: CitusState): Step[] {
  const { places, foreignKeys } = state;
  const goal = wanted(state);
  const isWrong = (table: Table) => places[table] !== goal[table];
  const mustDrop = foreignKeys.has('admin_keys_organization_id_fkey');
  if (!mustDrop && !SMALL_TABLES.some(isWrong)) return [];
  const dropsOther = isWrong('organizations') && foreignKeys.has('api_keys_organization_id_fkey');
  return [
    {
      what: 'distribute organizations by id, and imports beside them, put admin_keys on the coordinator, and copy migrations, fields and store to each node',
      meanwhile: 'requests wait for a moment',
      statements: [
        ...(mustDrop ? [dropForeignKey('admin_keys')] : []),
        ...(dropsOther ? [dropForeignKey('api_keys')] : []),
        ...SMALL_TABLES.filter(isWrong).flatMap(table => placeTable(table, goal[table])),
      ],
    },
  ];
}

function placeTable(table: Table, goal: Place): string[] {
  if (goal === 'reference') return [`SELECT create_reference_table('keyroster.${table}')`];
  if (goal === 'coordinator') return [`SELECT citus_add_local_table_to_metadata('keyroster.${table}')`];
  if (goal !== 'distributed') return [];
  if (table === 'organizations')
    return [
      "SELECT create_distributed_table('keyroster.organizations', 'id', colocate_with => 'none')",
      ...truncateCopy('organizations'),
    ];
  return [
    `SELECT create_distributed_table('keyroster.${table}', 'organization_id', colocate_with => 'keyroster.organizations')`,
    `SELECT truncate_local_data_after_distributing_table('keyroster.${table}')`,
  ];
}

function distributeApiKeys({ places, rows, shards, workers, whyNotConcurrently }: CitusState): Step[] {
  if (places.api_keys === 'distributed') return [];
  const many = rows === 0 ? '' : ` (about ${rows} rows)`;
  const what = `distribute api_keys${many} by organization_id, ${shards} shards on ${workers} workers`;
  const colocated = "'keyroster.api_keys', 'organization_id', colocate_with => 'keyroster.organizations'";
  if (rows === 0 || whyNotConcurrently !== null) {
    const wait = { meanwhile: `requests wait until it is done, as ${whyNotConcurrently}` };
    const statements = [`SELECT create_distributed_table(${colocated})`, ...truncateCopy('api_keys')];
    return [{ what, ...(rows > 0 && wait), statements }];
  }
  const tell: Step = {
    what: 'tell Citus of api_keys',
    meanwhile: 'requests wait for a moment',
    statements: ["SELECT citus_add_local_table_to_metadata('keyroster.api_keys')"],
  };
  return [
    ...(places.api_keys === 'local' ? [tell] : []),
    {
      what,
      meanwhile: 'pages are served meanwhile, and writes wait for a moment at the end',
      statements: [
        `SELECT create_distributed_table_concurrently(${colocated})`,
        'CALL citus_cleanup_orphaned_resources()', // the copy on the coordinator
      ],
      alone: true,
    },
  ];
}

/** Citus can't distribute a table with it. So a row of no organization may have come in meanwhile, and all rows are checked then. */
function restoreForeignKey({ places, foreignKeys }: CitusState): Step[] {
  const validity = foreignKeys.get('api_keys_organization_id_fkey');
  const isKept = validity === 'valid' && places.organizations === 'distributed';
  if (isKept) return [];
  const name = 'api_keys_organization_id_fkey';
  const add: Step = {
    what: 'have PostgreSQL refuse API keys of no organization again',
    statements: [
      `ALTER TABLE keyroster.api_keys ADD CONSTRAINT ${name}
        FOREIGN KEY (organization_id) REFERENCES keyroster.organizations (id) NOT VALID`,
    ],
  };
  const validate: Step = {
    what: 'check that each API key is of an organization',
    meanwhile: "requests don't wait",
    statements: [`ALTER TABLE keyroster.api_keys VALIDATE CONSTRAINT ${name}`],
  };
  return [...(validity === 'not valid' && places.organizations === 'distributed' ? [] : [add]), validate];
}

function dropForeignKey(table: 'admin_keys' | 'api_keys'): string {
  return `ALTER TABLE keyroster.${table} DROP CONSTRAINT ${table}_organization_id_fkey`;
}

/**
 * Frees the rows that Citus has copied to the shards. Our trigger forbids `TRUNCATE`, so it is off on the coordinator for the length
 * of the transaction, in which nobody else can use the table.
 */
function truncateCopy(table: 'organizations' | 'api_keys'): string[] {
  const here = 'SET LOCAL citus.enable_ddl_propagation = off';
  return [
    here,
    `ALTER TABLE keyroster.${table} DISABLE TRIGGER guard_table`,
    `SELECT truncate_local_data_after_distributing_table('keyroster.${table}')`,
    here, // the function turns it on
    `ALTER TABLE keyroster.${table} ENABLE TRIGGER guard_table`,
    'SET LOCAL citus.enable_ddl_propagation = on',
  ];
}
