import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { INGEST_BYTES, INGEST_READING_BYTES, REST_RUNNING, REST_WAITING } from '../limits.js';
import type { Guard, Refusal } from '../guard/guard.js';
import { refuseUpgrade } from '../listen/bound-server.js';
import { Turnstile } from '../work/turnstile.js';
import { CODES } from './codes.js';
import { errorEnvelope, successEnvelope } from './envelope.js';
import { openApi } from './open-api.js';
import { newUlid, requestIdOf } from './request-id.js';
import { RestError, restErrorOf, strangeType } from './rest-error.js';
import { BytesAnswer, type Route, fastifyPath } from './routes.js';

/** What answers of the app are made of. */
export interface RestAppOptions {
  readonly routes: readonly Route[];
  readonly guard: Guard;
  readonly version: string;
  readonly nowMs: () => number;
  readonly log: (text: string) => void;
  /** Makes the HTTP server that the app is served by. */
  readonly serve: (handler: RequestListener) => Server;
}

/** No answer is a page: nothing in it may run, be framed, kept, or be taken for something else. */
const headers = {
  'cache-control': 'no-store', 'content-security-policy': 'default-src \'none\'; frame-ancestors \'none\'; sandbox', 'cross-origin-resource-policy': 'same-origin', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff',
};

const notServed = new RestError(CODES.routeNotFound, 'There is nothing at this address, or it would change something: Tapefold changes no session.', { status: 404 });
const overloaded = new RestError(CODES.busy, 'Too many requests are being answered: try again in a moment.', { status: 503 });
const failed = new RestError(CODES.internal, 'internal error', { status: 500 });

async function sendError(reply: FastifyReply, error: RestError, requestId: string): Promise<void> {
  await reply.code(error.status).send(errorEnvelope(error, requestId));
}

async function sendRefusal(reply: FastifyReply, { status, code, message }: Refusal, requestId: string): Promise<void> {
  await reply.code(status).header('connection', 'close').send(errorEnvelope({ code, message }, requestId));
}

const isOpenPath = new Set(['/healthz', '/readyz']);

/** Who may ask: the sender for every address, the credential for all but the open ones. */
function guardRequests(app: FastifyInstance, { guard, routes }: RestAppOptions): void {
  const open = new Set([...isOpenPath, ...routes.filter(({ isOpen }) => isOpen).map(({ path }) => fastifyPath(path))]);
  const posted = postedPaths(routes);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers);
    const isOpen = request.method === 'GET' && open.has(request.routeOptions.url ?? '');
    const refusal = guard.refusesSender(request.raw, 'sameOrigin') ?? (isOpen ? undefined : guard.refusesCredential(request.raw));
    if (refusal) return sendRefusal(reply, refusal, request.id);
    // Whatever it is, it would change something; its body is not even read.
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isPosted(request, posted)) await sendError(reply.header('connection', 'close'), notServed, request.id);
  });
}

const isPosted = ({ method, routeOptions }: FastifyRequest, posted: ReadonlySet<string>): boolean => method === 'POST' && posted.has(routeOptions.url ?? '');

/**
 * What is posted: lines, and nothing that a page could send without being asked first (`application/x-ndjson` is no type of a form). Bodies that are being read have a
 * budget together, since each is held whole.
 */
function takeBodies(app: FastifyInstance, { routes }: RestAppOptions): void {
  const posted = postedPaths(routes);
  let reading = 0;
  app.removeAllContentTypeParsers();
  const types = routes.flatMap(({ body }) => (body ? [body.type] : []));
  if (types.length > 0) app.addContentTypeParser(types, { parseAs: 'buffer', bodyLimit: INGEST_BYTES }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    if (!isPosted(request, posted)) return;
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') return sendError(reply.header('connection', 'close'), strangeType, request.id);
    const bytes = Math.min(Number(request.headers['content-length'] ?? INGEST_BYTES), INGEST_BYTES);
    if (reading + bytes > INGEST_READING_BYTES) return sendError(reply.header('connection', 'close'), overloaded, request.id);
    reading += bytes;
    reply.raw.once('close', () => { reading -= bytes; });
  });
}

const postedPaths = (routes: readonly Route[]): ReadonlySet<string> => new Set(routes.flatMap(({ method, path }) => (method === 'POST' ? [fastifyPath(path)] : [])));

function addErrors(app: FastifyInstance, log: RestAppOptions['log']): void {
  app.setNotFoundHandler((request, reply) => sendError(reply, notServed, request.id));
  app.setErrorHandler((error, request, reply) => {
    const known = restErrorOf(error, (request.params as { session_id?: string } | undefined)?.session_id);
    if (!known) log(`${request.method} ${request.routeOptions.url ?? ''} failed: ${error instanceof Error ? error.message : String(error)} (request ${request.id})`);
    return sendError(reply, known ?? failed, request.id);
  });
}

/** Answers what is no request, or did not come in time, and hangs up. */
function refuseNonsense({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const text = JSON.stringify(errorEnvelope({ code: CODES.malformed, message: 'The request is malformed.' }, newUlid(Date.now())));
  refuseUpgrade(socket, status, { type: 'application/json', text });
}

/** The REST API as an HTTP app: routes in envelopes, errors in envelopes, everything else "not found" in an envelope. */
export function createRestApp(options: RestAppOptions): FastifyInstance {
  const { routes, version, nowMs, log, serve } = options;
  const turnstile = new Turnstile({ running: REST_RUNNING, waiting: REST_WAITING });
  const app = Fastify({
    serverFactory: serve, clientErrorHandler: refuseNonsense, genReqId: (request) => requestIdOf((request as IncomingMessage).headers['x-request-id'], nowMs()), requestIdHeader: false, routerOptions: { maxParamLength: 512 },
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => void sendError(reply, new RestError(CODES.malformed, 'The request is malformed.', { status: 400 }), request.id),
  });
  guardRequests(app, options);
  takeBodies(app, options);
  addErrors(app, log);
  for (const path of isOpenPath) app.get(path, (_request, reply) => reply.code(200).type('text/plain').send(''));
  const document = openApi(routes, version);
  app.get('/openapi.json', () => document);
  for (const given of routes) {
    app.route({ method: given.method ?? 'GET', url: fastifyPath(given.path), handler: async (request, reply) => {
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      const passed = await turnstile.pass(async () => given.answer({ params: request.params, query: request.query, range: request.headers.range, body }));
      if (!passed) return sendError(reply, overloaded, request.id);
      const { value } = passed;
      if (value instanceof BytesAnswer) return reply.code(value.status).headers(value.headers).send(value.stream);
      return reply.send(successEnvelope(value, request.id));
    } });
  }
  return app;
}
