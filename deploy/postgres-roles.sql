-- The roles of Keyroster in PostgreSQL: docs/postgresql.md tells what each is for.
--
-- Run it in Keyroster's database. Each does the part that it may: who may make roles (a superuser, or CREATEROLE) makes them,
-- once, and the owner of the schema gives them their rights, after each `keyroster migrate`. A superuser does both, and would run
-- code of that owner. Running it again changes nothing, except that it takes away rights which aren't listed here. It touches
-- nothing but these roles, what they may do in this database, and the schema `keyroster`.
BEGIN;
SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['keyroster_reader', 'keyroster_issuer', 'keyroster_operator'] LOOP
    IF to_regrole(role_name) IS NULL THEN
      EXECUTE format('CREATE ROLE %I LOGIN', role_name);
    END IF;
  END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'the role % is missing, and % may not make roles', role_name, current_user
    USING ERRCODE = 'insufficient_privilege',
      HINT = 'A superuser, or a role with CREATEROLE, runs this file in this database once.';
END $$;

-- PUBLIC has CONNECT and TEMPORARY, in which an import collects its lines, unless someone took them away.
DO $$
DECLARE
  role_name text;
  needed text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['keyroster_reader', 'keyroster_issuer', 'keyroster_operator'] LOOP
    FOREACH needed IN ARRAY ARRAY['CONNECT', 'TEMPORARY'] LOOP
      CONTINUE WHEN role_name = 'keyroster_reader' AND needed = 'TEMPORARY';
      IF has_database_privilege(current_database(), needed || ' WITH GRANT OPTION') THEN
        EXECUTE format('GRANT %s ON DATABASE %I TO %I', needed, current_database(), role_name);
      ELSIF NOT has_database_privilege(role_name, current_database(), needed) THEN
        RAISE WARNING '% lacks a right: the owner of the database runs GRANT % ON DATABASE % TO %',
          role_name, needed, quote_ident(current_database()), role_name;
      END IF;
    END LOOP;
  END LOOP;
END $$;

-- So that a role runs no function or operator that somebody makes in a schema of its path. It keeps a path that it has already.
DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['keyroster_reader', 'keyroster_issuer', 'keyroster_operator'] LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_db_role_setting, unnest(setconfig) AS setting
      WHERE setrole = to_regrole(role_name) AND setting LIKE 'search\_path=%'
        AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database())));
    EXECUTE format('ALTER ROLE %I IN DATABASE %I SET search_path = pg_catalog, pg_temp', role_name, current_database());
  END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'the roles lack their search_path in this database: who may make roles has to run this file here once';
END $$;

-- How the service reads; src/service/postgres/pages/reads.ts says why. It sets them itself too, but on Citus only the
-- settings of the role reach the workers. What is set already is left: who may set it may differ from who runs this again.
DO $$
DECLARE
  setting text;
BEGIN
  FOREACH setting IN ARRAY ARRAY['default_transaction_read_only=on', 'statement_timeout=5000', 'row_security=off',
    'enable_seqscan=off', 'enable_bitmapscan=off', 'enable_sort=off', 'enable_incremental_sort=off', 'jit=off'] LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_db_role_setting WHERE setrole = to_regrole('keyroster_reader')
      AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database()) AND setting = ANY (setconfig));
    EXECUTE format('ALTER ROLE keyroster_reader IN DATABASE %I SET %s', current_database(), setting);
  END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'keyroster_reader lacks its settings in this database: who may make roles has to run this file here once';
END $$;

-- When a constraint refuses a row, PostgreSQL logs the row and the statement: a key that an issuer wrote where its hint belongs.
DO $$
DECLARE
  role_name text;
  setting text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['keyroster_issuer', 'keyroster_operator'] LOOP
    FOREACH setting IN ARRAY ARRAY['log_parameter_max_length_on_error=0', 'log_error_verbosity=terse',
      'log_min_error_statement=panic'] LOOP
      CONTINUE WHEN EXISTS (SELECT FROM pg_db_role_setting
        WHERE setrole = to_regrole(role_name) AND setdatabase = 0 AND setting = ANY (setconfig));
      EXECUTE format('ALTER ROLE %I SET %s', role_name, setting);
    END LOOP;
  END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'a key in a refused row may get into the log of PostgreSQL: a superuser has to run this file once';
END $$;

COMMIT;

-- Citus makes roles on the workers too, with their settings, but not those that were there before it was. In a transaction of
-- its own, as this uses other connections to the workers, which don't see what the one before has done until it is committed.
BEGIN;
SET LOCAL search_path = pg_catalog, pg_temp;
DO $$
DECLARE
  name text;
  on_worker CONSTANT text := 'DO $do$ BEGIN PERFORM pg_catalog.set_config(''search_path'', ''pg_catalog, pg_temp'', true);
    PERFORM set_config(''citus.enable_ddl_propagation'', ''off'', true);
    IF to_regrole(%1$L) IS NULL THEN CREATE ROLE %1$I LOGIN; END IF; %2$s END $do$';
  set_on_worker CONSTANT text := 'IF NOT EXISTS (SELECT FROM pg_db_role_setting WHERE setrole = to_regrole(%1$L)
      AND setdatabase = %2$s AND %4$L = ANY (setconfig)) THEN ALTER ROLE %1$I %3$s SET %5$I = %6$s; END IF;';
  here CONSTANT oid := (SELECT oid FROM pg_database WHERE datname = current_database());
  settings text;
  failed text;
BEGIN
  IF to_regclass('pg_catalog.pg_dist_object') IS NULL THEN RETURN; END IF;
  FOREACH name IN ARRAY ARRAY['keyroster_reader', 'keyroster_issuer', 'keyroster_operator'] LOOP
    SELECT string_agg(format(set_on_worker, name,
        CASE setdatabase WHEN 0 THEN '0' ELSE '(SELECT oid FROM pg_database WHERE datname = current_database())' END,
        CASE setdatabase WHEN 0 THEN '' ELSE format('IN DATABASE %I', current_database()) END,
        setting, parameter,
        -- Lists are stored with their quotes.
        CASE WHEN parameter IN ('search_path', 'temp_tablespaces') THEN value ELSE quote_literal(value) END), ' ')
      INTO settings
      FROM pg_db_role_setting, unnest(setconfig) AS setting,
        split_part(setting, '=', 1) AS parameter, substr(setting, strpos(setting, '=') + 1) AS value
      WHERE setrole = to_regrole(name) AND setdatabase IN (0, here);
    SELECT min(result) INTO failed FROM run_command_on_workers(format(on_worker, name, coalesce(settings, '')))
      WHERE NOT success;
    IF failed IS NOT NULL THEN RAISE EXCEPTION 'could not make the role % on a worker: %', name, failed; END IF;
  END LOOP;
END $$;
COMMIT;

-- The rights, by the owner of the schema. Whoever only makes the roles may have nothing to do with it.
BEGIN;
SET LOCAL search_path = pg_catalog, pg_temp;
DO $$
DECLARE
  field text;
  own text;
  owner regrole := (SELECT nspowner FROM pg_namespace WHERE nspname = 'keyroster');
BEGIN
  IF owner IS NULL THEN
    RAISE NOTICE 'the roles are there; run "keyroster migrate", and then this file again as the owner of the schema';
    RETURN;
  ELSIF NOT pg_has_role(owner, 'USAGE') THEN
    RAISE NOTICE 'the roles are there; % has to run this file as well, as the owner of the schema', owner;
    RETURN;
  END IF;

  REVOKE ALL ON SCHEMA keyroster FROM keyroster_reader, keyroster_issuer, keyroster_operator;
  REVOKE ALL ON ALL TABLES IN SCHEMA keyroster FROM keyroster_reader, keyroster_issuer, keyroster_operator;

  -- Each role reads what its statements name. Every command checks the version of the schema.
  GRANT USAGE ON SCHEMA keyroster TO keyroster_reader, keyroster_issuer, keyroster_operator;
  GRANT SELECT ON keyroster.migrations, keyroster.fields, keyroster.api_keys
    TO keyroster_reader, keyroster_issuer, keyroster_operator;
  GRANT SELECT ON keyroster.admin_keys, keyroster.disabled_organizations TO keyroster_reader, keyroster_operator;
  GRANT SELECT ON keyroster.organizations, keyroster.imports, keyroster.import_statuses
    TO keyroster_issuer, keyroster_operator;
  GRANT INSERT ON keyroster.imports, keyroster.import_statuses TO keyroster_issuer, keyroster_operator;

  -- Everybody who serves has to know whether this is a copy. `pg_restore --no-privileges` doesn't give it back.
  GRANT SELECT ON keyroster.store, keyroster.made TO PUBLIC;

  -- Over a table of the vendor's own (`keyroster adopt`) api_keys is a view that nobody writes, and ours is aside.
  own := CASE WHEN to_regclass('keyroster.own_api_keys') IS NULL THEN 'api_keys' ELSE 'own_api_keys' END;
  EXECUTE format('GRANT SELECT ON keyroster.%I TO keyroster_reader, keyroster_issuer, keyroster_operator', own);
  EXECUTE format('GRANT INSERT, UPDATE (name, status, workspace_id, partial_key_hint, import) ON keyroster.%I
    TO keyroster_issuer, keyroster_operator', own);
  -- A declared field is a column, which is written as the others are.
  FOR field IN SELECT name FROM keyroster.fields WHERE removed_at IS NULL LOOP
    EXECUTE format('GRANT UPDATE (%I) ON keyroster.%I TO keyroster_issuer, keyroster_operator', field, own);
  END LOOP;
  -- To delete a row also takes a transaction that says that it corrects: `imports revert`, `organizations delete`.
  EXECUTE format('GRANT DELETE ON keyroster.%I TO keyroster_operator', own);

  -- Every act is recorded in the audit log. Its time and its database user are set by a trigger.
  GRANT INSERT (actor, action, organization_id, subject_id, details) ON keyroster.audit_log
    TO keyroster_issuer, keyroster_operator;
  GRANT SELECT ON keyroster.audit_log TO keyroster_operator;
  GRANT INSERT, DELETE ON keyroster.organizations, keyroster.admin_keys, keyroster.disabled_organizations
    TO keyroster_operator;
  GRANT UPDATE (name, disabled_at, deleted_at) ON keyroster.organizations TO keyroster_operator;
  GRANT UPDATE (reverted_at) ON keyroster.imports TO keyroster_operator;
  GRANT UPDATE (made) ON keyroster.store TO keyroster_operator;
  GRANT DELETE ON keyroster.imports, keyroster.import_statuses TO keyroster_operator;
  GRANT UPDATE (expires_at, revoked_at, replaced_by) ON keyroster.admin_keys TO keyroster_operator;
END $$;
COMMIT;
