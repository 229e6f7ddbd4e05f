import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { otherRoutes } from '../model/routes.ts';
import type { BotCheck } from './bot-check/bot-check.ts';
import type { ContentSource } from './content/content-source.ts';
import { createGraphql } from './graphql/graphql.ts';
import { createClientNames } from './http/client-address.ts';
import { type ClientLimits, createClientLimits } from './http/client-limits.ts';
import { boundConnections, connectionBounds } from './http/connections.ts';
import { createFairSlots } from './http/fair-slots.ts';
import { type HealthParts, refuseReader, registerHealth } from './http/health.ts';
import { createHealthAccess, type HealthAccess } from './http/health-access.ts';
import { boundedServer, respondUnreadable } from './http/http-server.ts';
import { boundLongBodies } from './http/long-bodies.ts';
import { createRespondReady } from './http/ready-responses.ts';
import { securityHeaders, strictResponse } from './http/security-headers.ts';
import { proxyAddresses, trustedProxies } from './http/trusted-proxies.ts';
import type { Log } from './log/log.ts';
import type { MetricsSink } from './metrics/metrics-sink.ts';
import { metricsType } from './metrics/text-format.ts';
import type { NoScriptPosts } from './no-script-forms/no-script-posts.ts';
import { registerNoScriptForms } from './no-script-forms/no-script-routes.ts';
import { findReadyPage, registerPages, respondUnknown } from './pages/page-routes.ts';
import type { Pages } from './pages/pages.ts';
import { registerPhotoRoutes } from './photos/photo-routes.ts';
import type { PictureFiles } from './photos/picture-files.ts';
import { type CanaryMarks, markHeader } from './self-checks/canary-mark.ts';
import { registerStaffPages, type StaffRoutesParts } from './staff/staff-routes.ts';
import type { SubmitForm } from './submissions/submit.ts';
import { shareFor } from './time/share-for.ts';

/** Bytes. The longest form needs less, with its token. */
const bodyLimit = 64 * 1024;

/** Key derivations at a time. They share Node's four threads with files and DNS, which a flood of them must not delay. */
const challengesAtOnce = 2;

/** Figures are gathered at most this often, because that queries the database. */
const metricsSharedMs = 250;

const refuseSchemas = () => () => {
  throw new Error('A JSON schema would be compiled to code');
};

export interface AppParts {
  content: ContentSource;
  submitForm: SubmitForm;
  noScriptPosts: NoScriptPosts;
  botCheck: BotCheck;
  pages: Pages;
  store: StaffRoutesParts['store'];
  staffKeys: StaffRoutesParts['staffKeys'];
  mailPress?: StaffRoutesParts['mailPress'];
  photos?: { files: PictureFiles };
  health: HealthParts;
  metrics?: Pick<MetricsSink, 'onResponse' | 'onRefused'>;
  /** The page for Prometheus. */
  gatherMetrics: () => Promise<string>;
  log: Log;
  canaryMarks: CanaryMarks;
  now: () => Date;
  publicUrl: string | undefined;
  hstsSubdomains: boolean;
  monitorKey: string | undefined;
  trustProxy: number | string[] | undefined;
  /** The tags of languages that are shown although they are not offered. */
  previewLanguages: readonly string[];
}

/** Builds the server without starting it, so that tests can inject requests without a port. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { botCheck, metrics, photos, pages, log, publicUrl, hstsSubdomains } = parts;
  const isDevelopment = pages.renderer.development !== undefined;
  const headers = securityHeaders(publicUrl, { isDevelopment, hstsSubdomains });
  const trust = trustedProxies(parts.trustProxy);
  const limits = createClientLimits({ trust });
  const isProxy = proxyAddresses(parts.trustProxy);
  const connections = boundConnections(connectionBounds(), isProxy, limits.isPaced);
  const findPage = findReadyPage(pages);
  const respondReady = createRespondReady({
    find: (address) => photos?.files.find(address) ?? findPage(address),
    limits,
    excludedHeader: markHeader,
    onResponse: metrics?.onResponse,
    log,
  });
  const app = Fastify({
    serverFactory: boundedServer({ connections, ServerResponse: strictResponse(headers), respondReady, log }),
    clientErrorHandler: respondUnreadable(headers, log),
    bodyLimit,
    loggerInstance: log as never,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trust ?? false,
    // On close, open requests are finished and idle connections closed.
    forceCloseConnections: 'idle',
    // A form that begins to arrive while the server closes is still accepted: a 503 would show its sender no page.
    return503OnClosing: false,
    // An address that the router cannot decode, such as /%zz, is an unknown address.
    frameworkErrors: (_error, request, reply) =>
      limits.pace(request.raw, reply.raw, () => respondUnknown(pages)(request, reply)),
    routerOptions: { ignoreTrailingSlash: true },
    // No route has a JSON schema, so Fastify's schema compilers, which generate code, are not even loaded.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
  }) as unknown as FastifyInstance;

  // Bodies are JSON, except for the forms without a script. Plain text is a 415.
  app.removeContentTypeParser('text/plain');
  const nameOf = createClientNames(trust);
  const boundBody = boundLongBodies(nameOf);
  app.addHook('onRequest', ({ raw }, reply, done) =>
    limits.pace(raw, reply.raw, () => {
      boundBody(raw, reply.raw);
      done();
    }),
  );
  signMarks(app, parts.canaryMarks);
  reportResponses(app, log, metrics?.onResponse);
  registerErrors(app);

  const quotaOf = (request: FastifyRequest) =>
    parts.canaryMarks.withCanaryMark(limits.quotaOf(request.raw), request.headers);
  const clientOf = ({ raw }: FastifyRequest) => nameOf(raw).name;
  const graphql = createGraphql({
    ...parts,
    quotaOf,
    allowGraphql: ({ raw }, isOwnSubmission) => limits.allowGraphql(raw, isOwnSubmission),
    introspection: isDevelopment,
  });
  app.post(otherRoutes.graphql, graphql);
  registerChallenges(app, botCheck, limits, clientOf);
  if (photos) registerPhotoRoutes(app, photos.files);
  const accessOf = createHealthAccess({ monitorKey: parts.monitorKey, publicUrl, trust });
  registerHealth(app, parts.health, ({ raw }) => accessOf(raw));
  registerMetrics(app, parts.gatherMetrics, ({ raw }) => accessOf(raw));
  registerPages(app, pages);
  await registerNoScriptForms(app, { ...parts, quotaOf, clientOf });
  await registerStaffPages(app, { ...parts, clientOf });
  return app;
}

function registerChallenges(
  app: FastifyInstance,
  { client, createChallenge }: BotCheck,
  limits: ClientLimits,
  clientOf: (request: FastifyRequest) => string,
): void {
  if (client.kind !== 'altcha') return;
  const slots = createFairSlots(challengesAtOnce);
  app.get(client.challengePath, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const options = limits.countChallenge(request.raw);
    const freeSlot = await slots.enter(clientOf(request), reply.raw);
    if (!freeSlot) return reply.hijack();
    try {
      return await createChallenge?.(options);
    } finally {
      freeSlot();
    }
  });
}

/** For whom health tells its details: whoever reads how many requests there are sees when one comes in. */
function registerMetrics(
  app: FastifyInstance,
  gatherMetrics: () => Promise<string>,
  accessOf: (request: FastifyRequest) => HealthAccess,
): void {
  const gather = shareFor(metricsSharedMs, gatherMetrics);
  app.get(otherRoutes.metrics, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (accessOf(request) !== 'details') return refuseReader(reply, 'This needs the MONITOR_KEY');
    return reply.type(metricsType).send(await gather());
  });
}

/** Proves to the canary, and to nobody else, that this site has sent the page that the canary fetched. */
function signMarks(app: FastifyInstance, marks: CanaryMarks): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isMarked = request.headers[markHeader] !== undefined && request.method === 'GET';
    const signed = isMarked ? marks.signResponse(request.headers) : null;
    if (signed !== null) reply.header(markHeader, signed);
    done();
  });
}

function reportResponses(
  app: FastifyInstance,
  log: Log,
  onResponse: MetricsSink['onResponse'] | undefined,
): void {
  const isLogged = log.isLevelEnabled('debug');
  if (!isLogged && !onResponse) return;
  app.addHook('onResponse', (request, reply, done) => {
    // The route's pattern and never the address, into which a visitor may have typed anything.
    const { method, routeOptions } = request;
    const { statusCode: status, elapsedTime } = reply;
    onResponse?.(method, routeOptions.url, status);
    const route = routeOptions.url ?? 'unknown';
    if (isLogged)
      request.log.debug({ event: 'response sent', method, route, status, ms: Math.round(elapsedTime) });
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
