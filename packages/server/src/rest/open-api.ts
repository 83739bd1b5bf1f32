import { z } from 'zod';
import type { Route } from './routes.js';

type Json = Readonly<Record<string, unknown>>;

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'openapi-3.0', unrepresentable: 'any' });
  return rest;
};

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({ name, in: place, required: place === 'path' || required.includes(name), schema: property }));
}

function envelopeOf(data: Json): Json {
  return {
    type: 'object', required: ['code', 'msg', 'data', 'request_id'],
    properties: {
      code: { type: 'integer', description: '0: success; else the number of the error.' }, msg: { type: 'string' }, data, request_id: { type: 'string' },
      details: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } } } },
    },
  };
}

function operation({ summary, params, query, data, isOpen, body }: Route): Json {
  return {
    summary, parameters: [...parameters(params, 'path'), ...parameters(query, 'query')], ...(isOpen && { security: [] }),
    ...(body && { requestBody: { required: false, description: 'A JSON value on each line, as the schema says.', content: { [body.type]: { schema: jsonSchema(body.line, 'input') } } } }),
    responses: { 200: { description: summary, content: data ? { 'application/json': { schema: envelopeOf(jsonSchema(data, 'output')) } } : { '*/*': { schema: { type: 'string', format: 'binary' } } } } },
  };
}

/** The OpenAPI document of the routes: made from the schemas that read requests, so it cannot say anything else. */
export function openApi(routes: readonly Route[], version: string): Json {
  return {
    openapi: '3.0.3', info: { title: 'Tapefold', version, description: 'Sessions of coding agents and their transcripts, to read; recorders may tell what they record.' },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, security: [{ token: [] }],
    paths: Object.fromEntries(routes.map((given) => [given.path, { [given.method === 'POST' ? 'post' : 'get']: operation(given) }])),
  };
}
