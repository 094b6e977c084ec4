import type { ApplicationId } from '@muripo/contract/ids'
import type { FastifyInstance } from 'fastify'
import {
  applicationKeyAuth,
  applicationNames,
  applicationRoutes,
  createKeyUses,
  type KeyCache,
  type KeyOwner,
  keysMadeBy,
  leakedKeyRoutes,
  limitPerKey,
  mountLogos,
  namedKeyRoutes,
} from './modules/applications/index.ts'
import { checkoutPages, createCheckout, mountCheckoutCalls } from './modules/checkout/index.ts'
import {
  type ApplicationNames,
  activityRoutes,
  identityRoutes,
  invitationRoutes,
  type MadeByPerson,
  publicIdentityRoutes,
  type SessionCaller,
  sessionAuth,
  signOutRoutes,
  teamRoutes,
  tokenHolderAuth,
  uploadRoutes,
} from './modules/identity/index.ts'
import { type Live, liveRoutes } from './modules/live/index.ts'
import { mountConsole } from './modules/operators/index.ts'
import {
  callbackActions,
  dashboardPaymentRoutes,
  isCallbackToken,
  type PaymentsCtx,
  publicCustomerRoutes,
  publicPaymentRoutes,
  publicRefundRoutes,
} from './modules/payments/index.ts'
import { mountCallbacks, type ProvidersCtx } from './modules/providers/index.ts'
import { siteRoutes, statusReader } from './modules/site/index.ts'
import { statsRoutes } from './modules/stats/index.ts'
import {
  dashboardWebhookRoutes,
  emitKeyRegenerated,
  endpointsMadeBy,
  publicWebhookRoutes,
} from './modules/webhooks/index.ts'
import type { PerDatabase } from './platform/db/databases.ts'
import { admitByQueueTime } from './platform/http/admission.ts'
import { mountDev } from './platform/http/dev.ts'
import { secureHeaders } from './platform/http/headers.ts'
import { mountHealth } from './platform/http/health.ts'
import { documented } from './platform/http/openapi.ts'
import { anyone, bindPerDatabase, mount } from './platform/http/route.ts'
import { createHttp } from './platform/http/server.ts'
import { mountWeb } from './platform/http/web.ts'
import type { WorkerHealth } from './platform/jobs/heartbeat.ts'
import type { Mailbox } from './platform/mail/mailbox.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { Targets } from './platform/outbound/targets.ts'
import { traceRequests } from './platform/tracing/trace-requests.ts'

export interface AppDeps {
  readonly ctx: PaymentsCtx & ProvidersCtx
  /** The contexts over each database with rows of accounts. */
  readonly ctxs: PerDatabase<PaymentsCtx>
  readonly keyCache: KeyCache
  /** The addresses to which events may be sent. */
  readonly targets: Targets
  readonly live: Pick<Live, 'open'>
  /** The background work of this process, or of the others. */
  readonly worker: WorkerHealth
  /** The reason why this process cannot serve, or null. */
  readonly ready: () => Promise<string | null>
  /** The mailbox of development without a mail server. */
  readonly mailbox: Mailbox | null
  /** The built web app; null in tests that need none. */
  readonly webBuild: string | null
  /** Absent: the requests are not measured. */
  readonly metrics?: Metrics | null
}

const accountOf = ({ accountId }: KeyOwner) => accountId
const merchantOf = ({ merchantId }: SessionCaller) => merchantId
const strictly = { rejectUndeclaredInput: true }

/** Mounts the whole gateway: every route with its authentication. */
export async function buildApp({
  ctx,
  ctxs,
  keyCache,
  targets,
  live,
  worker,
  ready,
  mailbox,
  webBuild,
  metrics = null,
}: AppDeps): Promise<FastifyInstance> {
  const { config, log } = ctx
  const app = createHttp(config, log)

  const onRefused =
    metrics && (await import('./platform/metrics/request-metrics.ts')).measureRequests(app, metrics.registry)
  if (ctx.tracing) traceRequests(app, ctx.tracing)
  admitByQueueTime(app, config, ctx.db.queues, onRefused, (path) => {
    const [, kind, first = '', second = ''] = path.split('/')
    return kind === 'pay' ? ctx.checkoutLinks.read(first) !== null : isCallbackToken(ctx, second)
  })
  secureHeaders(app, config)
  mountHealth(app, ready)

  const readStatus = statusReader(ctx, ctx.providers, worker)
  const namesOf: ApplicationNames = (merchantId) => applicationNames(ctxs.of(merchantId), merchantId)
  mount(
    app,
    '/v1',
    anyone,
    [
      ...publicIdentityRoutes(ctx),
      ...invitationRoutes(ctx, namesOf),
      ...leakedKeyRoutes(ctx, ctxs),
      ...siteRoutes(ctx, readStatus),
    ],
    strictly,
  )
  await uploadRoutes(app, ctx)
  mount(app, '/v1', tokenHolderAuth(ctx), signOutRoutes(ctx), strictly)
  mountDashboard(app, { ctx, ctxs, targets, live, namesOf })
  mountConsole(app, {
    ctx,
    ctxs,
    paymentsOf: (accountId) => (accountId === null ? ctx : ctxs.of(accountId)),
    readStatus,
  })
  await mountPublicApi(app, { ctx, ctxs, targets, keyCache })

  mountCallbacks(app, ctx, ctx.providers, ctx.backgroundTasks, {
    recognises: (token) => isCallbackToken(ctx, token),
    ...callbackActions(ctx, ctxs.of),
  })

  const checkouts = ctxs.map(createCheckout)
  const checkoutFor = (token: string) => {
    const named = ctx.checkoutLinks.read(token)
    return named === null ? checkouts.each[0] : checkouts.of(named.accountId)
  }
  mountCheckoutCalls(app, ctx, checkoutFor)
  mountLogos(app, ctx)
  if (config.mode === 'development' && config.simulatorUrl) mountDev(app, mailbox, config.simulatorUrl)
  if (webBuild) await mountWeb(app, ctx, webBuild, checkoutPages(ctx, checkoutFor), readStatus)
  return app
}

type Shared = Pick<AppDeps, 'ctx' | 'ctxs' | 'targets'>

/** The calls of the dashboard, with a session. */
function mountDashboard(
  app: FastifyInstance,
  {
    ctx,
    ctxs,
    targets,
    live,
    namesOf,
  }: Shared & Pick<AppDeps, 'live'> & { readonly namesOf: ApplicationNames },
): void {
  const madeBy: MadeByPerson = async (merchantId, personId) => {
    const { kysely } = ctxs.of(merchantId).db
    const names = await namesOf(merchantId)
    const named = <T extends { readonly applicationId: ApplicationId }>({ applicationId, ...made }: T) => ({
      ...made,
      application: { id: applicationId, name: names.get(applicationId) ?? '' },
    })
    const keys = await keysMadeBy(kysely, merchantId, personId)
    const endpoints = await endpointsMadeBy(kysely, merchantId, personId)
    return { keys: keys.map(named), endpoints: endpoints.map(named) }
  }
  const dashboard = [
    ...identityRoutes(ctx),
    ...teamRoutes(ctx, namesOf, madeBy),
    ...activityRoutes(ctx),
    ...bindPerDatabase(ctxs, merchantOf, (ctx) => [
      ...applicationRoutes(ctx, (tx, key) => emitKeyRegenerated(ctx, tx, key)),
      ...namedKeyRoutes(ctx),
      ...dashboardWebhookRoutes({ ...ctx, targets }),
      ...dashboardPaymentRoutes(ctx),
      ...statsRoutes(ctx),
    ]),
  ]
  mount(app, '/v1', sessionAuth(ctx), dashboard, strictly)
  mount(app, '/v1', sessionAuth(ctx, { use: false }), liveRoutes(live), strictly)
}

/** The calls of merchants' servers, with an application key. */
async function mountPublicApi(
  app: FastifyInstance,
  { ctx, ctxs, targets, keyCache }: Shared & Pick<AppDeps, 'keyCache'>,
): Promise<void> {
  await documented(app, ctx, '/api/v1', (scope) => {
    const routes = bindPerDatabase(ctxs, accountOf, (ctx) => [
      ...publicPaymentRoutes(ctx),
      ...publicCustomerRoutes(ctx),
      ...publicWebhookRoutes({ ...ctx, targets }),
      ...publicRefundRoutes(ctx),
    ])
    mount(scope, '/api/v1', applicationKeyAuth(ctx, keyCache, ctxs, createKeyUses(ctxs)), routes, {
      callerLimit: limitPerKey(ctx),
      ...strictly,
    })
  })
}
