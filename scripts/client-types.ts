/** Generates the client's types from the OpenAPI document. */
import { compile } from 'json-schema-to-typescript';

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly parameters: readonly (Parameter | object)[] } }>
  >;
  readonly components: { readonly schemas: { readonly Error: object } };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: object;
}

export async function clientTypes(document: Document): Promise<string> {
  const parameters = Object.values(document.paths).flatMap(({ get }) => get.parameters) as Parameter[];
  const inQuery = parameters.filter(parameter => parameter.in === 'query');
  const ListParameters = closedObject(Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])));
  const { Error: ErrorAnswer, ...schemas } = document.components.schemas; // not to be confused with JavaScript's Error
  const operation = {
    ...closedObject({
      parameters: ref('ListParameters'),
      answer: ref('ApiKeyList'),
      error: ref('ErrorAnswer'),
    }),
    components: { schemas: { ...schemas, ErrorAnswer, ListParameters } },
  };
  return compile(operation, 'ListApiKeys', {
    bannerComment: '/** Made from docs/openapi.json by `npm run client-types`. Not to be edited. */',
    style: { singleQuote: true, printWidth: 110 },
  });
}

const ref = (schema: string) => ({ $ref: `#/components/schemas/${schema}` });

const closedObject = (properties: Record<string, object>) =>
  ({ type: 'object', properties, additionalProperties: false }) as const;
