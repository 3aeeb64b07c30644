/** TypeScript types of the parameters and the answers, made from the OpenAPI document. */
import { compile } from 'json-schema-to-typescript';

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly parameters: readonly (Parameter | object)[] } }>
  >;
  readonly components: { readonly schemas: { readonly ApiKey: Schema } };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: object;
}

interface Schema {
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

export async function clientTypes(document: Document): Promise<string> {
  const parameters = Object.values(document.paths).flatMap(({ get }) => get.parameters) as Parameter[];
  const inQuery = parameters.filter(parameter => parameter.in === 'query');
  const QueryParameters = closed(
    Object.fromEntries(inQuery.map(({ name, description, schema }) => [name, { ...schema, description }])),
  );
  const { schemas } = document.components;
  // An interface is named after its schema's title, or else after the component.
  const titled = {
    ApiKey: { ...opened(schemas.ApiKey), title: 'ApiKeyRecord' }, // `ApiKey` is the domain's
  };
  const operation = {
    ...closed({ parameters: at('QueryParameters'), answer: at('ApiKeyList'), error: at('ErrorAnswer') }),
    components: { schemas: { ...schemas, ...titled, QueryParameters } },
  };
  const types = await compile(operation, 'ListApiKeys', {
    bannerComment: '/** Made from docs/openapi.json by `npm run client-types`. Not to be edited. */',
    style: { singleQuote: true, printWidth: 110 },
  });
  return types.replaceAll(/\/\*\*\n +\* (.{1,100})\n +\*\//g, '/** $1 */');
}

const at = (schema: string) => ({ $ref: `#/components/schemas/${schema}` });

const closed = (properties: Record<string, object>) =>
  ({ type: 'object', properties, additionalProperties: false }) as const;

/** As a newer service may answer it: with more fields, and with other values, beside which editors still suggest the known ones. */
function opened(schema: Schema): object {
  if (schema.enum)
    return { tsType: [...schema.enum.map(value => `'${value}'`), '(string & {})'].join(' | ') };
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, opened(field)]);
  return fields.length === 0
    ? schema
    : { ...schema, properties: Object.fromEntries(fields), additionalProperties: true };
}
