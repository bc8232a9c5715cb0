/** The version that /healthz and the OpenAPI document name; the same as in package.json, which a test holds. */
export const VERSION = '0.1.0'
