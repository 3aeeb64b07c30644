/** A schema of the search path in which a stranger has made what PostgreSQL prefers to its own. */
import { globSync, readFileSync } from 'node:fs';
import { runSql } from './run-sql.ts';

const SOURCES = new URL('../../src/service/', import.meta.url).pathname;

/** All that may be a function in our SQL: the names before a parenthesis. */
const names = new Set(
  globSync(['postgres/**/*.ts', 'adoption/**/*.ts'], { cwd: SOURCES }).flatMap(
    file => readFileSync(SOURCES + file, 'utf8').match(/\b[a-z_]+(?=\()/g) ?? [],
  ),
);

/** The types that an argument may have in a function of PostgreSQL's, and one that some call of ours fits better. */
const FITTING = {
  anyarray: ['text[]', 'inet[]'],
  anyelement: ['text', 'bigint', 'record'],
  any: ['text', 'bigint'],
  bigint: ['integer'],
  numeric: ['integer'],
  'double precision': ['integer', 'numeric'],
  oid: ['regclass', 'integer'],
  name: ['text'],
};

const TYPES =
  `text name "char" integer bigint numeric oid regclass regnamespace timestamptz json text[]`.split(' ');
const OPERATORS = '= <> < > >= ~ || * / - +'.split(' ');

const array = (texts: Iterable<string>) => `'${JSON.stringify([...texts])}'::json`;

/** Each fails when it is called, whoever calls it. Of what PostgreSQL lets nobody make there is none. */
const VARIANTS = `DO $make$
DECLARE
  made record;
BEGIN
  FOR made IN
    SELECT DISTINCT ON (name, args) proname AS name, replace(types.args, own, fit) AS args,
      CASE WHEN proretset THEN 'SETOF ' ELSE '' END || CASE WHEN result LIKE 'any%' THEN 'text' ELSE result END AS result
    FROM pg_proc, LATERAL (SELECT replace(oidvectortypes(proargtypes), '"any"', 'any') AS args, prorettype::regtype::text AS result) AS types,
      json_each('${JSON.stringify(FITTING)}') AS each (own, fitting), json_array_elements_text(fitting) AS fit
    WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind IN ('f', 'a') AND own = ANY (string_to_array(types.args, ', '))
      AND proname IN (SELECT json_array_elements_text(${array(names)}))
  LOOP
    BEGIN
      EXECUTE format('CREATE FUNCTION public.%I(%s) RETURNS %s LANGUAGE plpgsql IMMUTABLE AS %L', made.name, made.args, made.result,
        format('BEGIN RAISE EXCEPTION %L; END', format('a stranger''s %s(%s) ran', made.name, made.args)));
    EXCEPTION WHEN invalid_function_definition OR feature_not_supported OR syntax_error THEN NULL;
    END;
  END LOOP;
  FOR made IN
    SELECT operator, a, b FROM json_array_elements_text(${array(OPERATORS)}) AS operator,
      json_array_elements_text(${array(TYPES)}) AS a, json_array_elements_text(${array(TYPES)}) AS b
    WHERE NOT EXISTS (SELECT FROM pg_operator WHERE oprname = operator AND oprleft = a::regtype AND oprright = b::regtype)
  LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION public.operate(%s, %s) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS %L', made.a, made.b,
      format('BEGIN RAISE EXCEPTION %L; END', format('a stranger''s operator of %s and %s ran', made.a, made.b)));
    EXECUTE format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.operate)', made.operator, made.a, made.b);
  END LOOP;
END $make$`;

/** Makes them, as every role may that may make something in `public`: in a database that began before PostgreSQL 15 each may. */
export const makeHostile = (url: string) => runSql(url, `SET search_path = pg_catalog; ${VARIANTS}`);
