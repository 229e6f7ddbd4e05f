import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { BotCheck } from './bot-check/bot-check.ts';
import type { ContentSource } from './content/content-source.ts';
import { createGraphql } from './graphql/graphql.ts';
import { createClientNames } from './http/client-address.ts';
import { createClientLimits } from './http/client-limits.ts';
import { boundConnections } from './http/connections.ts';
import { createFairSlots } from './http/fair-slots.ts';
import { type HealthParts, registerHealth } from './http/health.ts';
import { createHealthAccess } from './http/health-access.ts';
import { boundedServer } from './http/http-server.ts';
import { boundLongBodies } from './http/long-bodies.ts';
import { connectionBounds } from './http/open-files.ts';
import { type FindReady, respondReady } from './http/ready-responses.ts';
import { isPaced, paceRequest } from './http/request-pacing.ts';
import { securityHeaders, strictResponse } from './http/security-headers.ts';
import { timeouts } from './http/timeouts.ts';
import { proxyAddresses, trustedProxies } from './http/trusted-proxies.ts';
import { respondUnreadable } from './http/unreadable-requests.ts';
import type { MetricsSink } from './metrics/metrics-sink.ts';
import type { NoScriptPosts } from './no-script-forms/no-script-posts.ts';
import { registerNoScriptForms } from './no-script-forms/no-script-routes.ts';
import { answerUnknown, findReadyPage, registerPages } from './pages/page-routes.ts';
import type { Pages } from './pages/pages.ts';
import { findReadyPicture, type PhotoRoutesParts, registerPhotoRoutes } from './photos/photo-routes.ts';
import { type CanaryMarks, markHeader } from './self-checks/canary-mark.ts';
import type { SubmitForm } from './submissions/submit.ts';

/** Answers, tokens and all: what the longest form needs, with room. */
const bodyLimit = 64 * 1024;

/** Key derivations at once. They share Node's four threads with files and names, which must not wait behind a flood. */
const challengesAtOnce = 2;

const noSchemas = () => () => {
  throw new Error('A JSON schema would be compiled to code');
};

export interface AppParts {
  content: ContentSource;
  submitForm: SubmitForm;
  noScriptPosts: NoScriptPosts;
  botCheck: BotCheck;
  pages: Pages;
  photos?: PhotoRoutesParts['photos'];
  health: HealthParts;
  /** Where somebody wants figures. */
  metrics?: Pick<MetricsSink, 'onResponse' | 'onRefused'> | undefined;
  log: Logger;
  canaryMarks: CanaryMarks;
  publicUrl?: string | undefined;
  hstsSubdomains?: boolean;
  monitorKey?: string | undefined;
  trustProxy?: number | string[] | undefined;
}

/** Builds the server without starting it, so that tests can put requests to it without a port. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { botCheck, metrics, photos, pages, log } = parts;
  const isDevelopment = pages.renderer.development !== undefined;
  const { hstsSubdomains } = parts;
  const headers = securityHeaders(parts.publicUrl, { isDevelopment, hstsSubdomains });
  const trust = trustedProxies(parts.trustProxy);
  const limits = createClientLimits({ trust });
  const connections = boundConnections(connectionBounds(), proxyAddresses(parts.trustProxy), isPaced);
  const findPage = findReadyPage(pages);
  const findPicture = photos ? findReadyPicture(photos.files) : () => null;
  const findReady: FindReady = (address) => findPicture(address) ?? findPage(address);
  const app = Fastify({
    ...timeouts,
    http: { ...timeouts.http, ServerResponse: strictResponse(headers) },
    serverFactory: boundedServer(
      connections,
      log,
      respondReady({ find: findReady, limits, exceptWith: markHeader, onResponse: metrics?.onResponse, log }),
    ),
    clientErrorHandler: respondUnreadable(headers, log),
    bodyLimit,
    loggerInstance: log as never,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trust ?? false,
    // Requests in hand are finished on close; connections that only wait are not.
    forceCloseConnections: 'idle',
    // A form that begins to arrive at that moment is still taken; a 503 would be no page that anyone can read.
    return503OnClosing: false,
    // An address the router cannot read, such as /%zz or a name of 200 letters, is one that nobody knows.
    frameworkErrors: (_error, request, reply) =>
      paceRequest(limits, request, reply, () => answerUnknown(request, reply)),
    routerOptions: { ignoreTrailingSlash: true },
    // No route has a JSON schema; the compilers for these, which write code, are not even loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  }) as unknown as FastifyInstance;

  // JSON is all that anyone sends, but for the two forms where the browser posts them; plain text is a 415.
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', (request, reply, done) => paceRequest(limits, request, reply, done));
  const nameOf = createClientNames(trust);
  const waitForRoom = boundLongBodies(nameOf);
  app.addHook('onRequest', (request, reply, done) => waitForRoom(request.raw, reply.raw, done));
  if (log.isLevelEnabled('debug')) logAnswers(app);
  registerErrors(app);
  if (metrics)
    app.addHook('onResponse', (request, reply, done) => {
      metrics.onResponse(request.method, request.routeOptions.url, reply.statusCode);
      done();
    });
  answerMarks(app, parts.canaryMarks);
  const quotaOf = (request: FastifyRequest) =>
    parts.canaryMarks.withCanaryMark(limits.quotaOf(request.raw), request.headers);

  const graphql = createGraphql({
    content: parts.content,
    submitForm: parts.submitForm,
    metrics,
    allowGraphql: (request, isKnownSubmission) => limits.allowGraphql(request.raw, isKnownSubmission),
    quotaOf,
    introspection: isDevelopment,
  });
  app.post('/graphql', graphql);

  if (botCheck.client.kind === 'altcha') {
    const places = createFairSlots(challengesAtOnce);
    app.get(botCheck.client.challengePath, async ({ raw }, reply) => {
      reply.header('cache-control', 'no-store');
      const options = limits.countChallenge(raw);
      const leave = await places.enter(nameOf(raw).name, reply.raw);
      if (!leave) return reply.hijack();
      try {
        return await botCheck.createChallenge?.(options);
      } finally {
        leave();
      }
    });
  }

  if (photos) registerPhotoRoutes(app, { photos, content: parts.content });
  const { monitorKey, publicUrl } = parts;
  const accessOf = createHealthAccess({ monitorKey, publicUrl, trust });
  registerHealth(app, parts.health, (request) => accessOf(request.raw));
  registerPages(app, pages);
  await registerNoScriptForms(app, {
    ...parts,
    quotaOf,
    clientOf: (request) => nameOf(request.raw).name,
  });
  return app;
}

/** Whoever looks at a page with a mark of ours is told that it is this site that they look at, and nobody else is. */
function answerMarks(app: FastifyInstance, marks: CanaryMarks): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Nearly nobody brings one.
    const isMarked = request.headers[markHeader] !== undefined && request.method === 'GET';
    const answer = isMarked ? marks.signResponse(request.headers) : null;
    if (answer !== null) reply.header(markHeader, answer);
    done();
  });
}

function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    // The route's pattern and never the address asked for, which a visitor may have typed anything into.
    const { method } = request;
    const route = request.routeOptions.url ?? 'unknown';
    request.log.debug({
      event: 'answered',
      method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
    done();
  });
}

function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500 && status !== 503) request.log.error({ event: 'request failed', err: error });
    reply
      .code(status)
      .header('cache-control', 'no-store')
      .send({ error: status < 500 || status === 503 ? error.message : 'Something went wrong' });
  });
}
