export const LIST_API_KEYS_PATH = '/v1/organizations/api_keys';
export const OPENAPI_PATH = '/openapi.json';
export const HEALTH_PATH = '/healthz';
export const READINESS_PATH = '/readyz';
