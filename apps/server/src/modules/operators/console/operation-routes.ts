import { CONSOLE_PAGE } from '@muripo/contract/console'
import * as contract from '@muripo/contract/console-operation'
import { AccountId, EventId, WebhookId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { pageOf } from '../../../platform/http/page.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { requestedId } from '../../../platform/ids.ts'
import { lastRuns, selectRuns } from '../../../platform/jobs/job-runs.ts'
import { isAnyRunnerAlive } from '../../../platform/jobs/jobs.ts'
import { failedJobs, jobsByKind } from '../../../platform/jobs/store-jobs.ts'
import { findApplicationName } from '../../applications/index.ts'
import { merchantProfile } from '../../identity/index.ts'
import {
  type EndpointAnywhere,
  endpointsAnywhere,
  pageOfDeliveries,
  toDelivery,
} from '../../webhooks/index.ts'
import type { OperatorCaller } from '../people/store-sessions.ts'
import type { ActorBy, ConsoleDeps } from './deps.ts'
import { readConsoleProviders, readRoutes } from './read-providers.ts'
import { resendForMerchant } from './resend-delivery.ts'
import { retryJobs } from './retry-jobs.ts'

const MOST_ENDPOINTS = 100
const MOST_FAILURES = 50

export const operationRoutes = (deps: ConsoleDeps, actorBy: ActorBy): Binding<OperatorCaller>[] => [
  bind(contract.listConsoleProviders, async () => answer(200, await readConsoleProviders(deps.ctx))),
  bind(contract.listConsoleRoutes, async ({ query: { account, cursor = null } }) =>
    answer(200, await readRoutes(deps.ctx, { account, after: cursor })),
  ),
  ...webhookRoutes(deps, actorBy),
  bind(contract.getConsoleJobs, async () => {
    const { kysely } = deps.ctx.db
    const [isRunning, kinds, failures] = await Promise.all([
      isAnyRunnerAlive(kysely),
      jobsByKind(kysely),
      failedJobs(kysely, MOST_FAILURES),
    ])
    return answer(200, {
      isRunning,
      kinds: kinds.map((each) => ({ ...each, oldestDueAt: each.oldestDueAt?.toISOString() ?? null })),
      failures: failures.map((each) => ({
        ...each,
        createdAt: each.createdAt.toISOString(),
        dueAt: each.dueAt?.toISOString() ?? null,
      })),
    })
  }),
  bind(contract.listJobRuns, async ({ query: { name, outcome, cursor } }) => {
    const { kysely } = deps.ctx.db
    const lasts = await lastRuns(kysely)
    const isFailed = outcome === 'failed'
    const found =
      name === undefined && !isFailed
        ? lasts
        : await selectRuns(kysely, { name, isFailed, before: cursor, limit: CONSOLE_PAGE + 1 })
    const { page, last } = found === lasts ? { page: lasts, last: null } : pageOf(found, CONSOLE_PAGE)
    return answer(200, {
      runs: page.map((each) => ({ ...each, startedAt: each.startedAt.toISOString() })),
      names: lasts.map((each) => each.name),
      nextCursor: last?.id ?? null,
    })
  }),
  bind(contract.retryConsoleJobs, async ({ caller, body: { kind }, request, confirmed }) =>
    answer(200, { retried: await retryJobs(confirmed(deps.ctx), actorBy(caller, request), kind) }),
  ),
]

const webhookRoutes = ({ ctx, ctxs }: ConsoleDeps, actorBy: ActorBy): Binding<OperatorCaller>[] => [
  bind(contract.listConsoleEndpoints, async ({ query: { status, merchant: merchantId } }) => {
    const failing = merchantId === undefined ? (['failing', 'disabled'] as const) : undefined
    const statuses = status === undefined ? failing : [status]
    const found = await endpointsAnywhere(ctx.reads.kysely, { merchantId, statuses, limit: MOST_ENDPOINTS })
    return answer(200, { endpoints: await Promise.all(found.map((each) => toConsole(ctx, each))) })
  }),
  bind(contract.listConsoleDeliveries, async ({ params, query }) => {
    const endpoint = await existingEndpoint(ctx, params)
    const { accountId, id } = endpoint
    const reads = ctxs.of(accountId).reads.kysely
    const found = await pageOfDeliveries(reads, accountId, id, { ...query, limit: CONSOLE_PAGE + 1 })
    const { page, last } = pageOf(found, CONSOLE_PAGE)
    return answer(200, {
      endpoint: await toConsole(ctx, endpoint),
      deliveries: page.map(toDelivery),
      nextCursor: last?.event.id ?? null,
    })
  }),
  bind(contract.resendConsoleDelivery, async ({ caller, params, request, confirmed }) => {
    const endpoint = await existingEndpoint(ctx, params)
    const eventId = requestedId(EventId, params.eventId)
    const account = confirmed(ctxs.of(endpoint.accountId))
    return answer(
      202,
      toDelivery(await resendForMerchant(account, actorBy(caller, request), endpoint, eventId)),
    )
  }),
]

/** @throws AppError not_found */
async function existingEndpoint(
  { db }: Ctx,
  params: { readonly merchantId: string; readonly webhookId: string },
): Promise<EndpointAnywhere> {
  const accountId = requestedId(AccountId, params.merchantId)
  const id = requestedId(WebhookId, params.webhookId)
  const [found] = await endpointsAnywhere(db.kysely, { accountId, id, limit: 1 })
  if (!found) throw new AppError('not_found', { detail: 'The merchant has no such endpoint' })
  return found
}

const toConsole = async ({ reads }: Ctx, endpoint: EndpointAnywhere): Promise<contract.ConsoleEndpoint> => ({
  merchantId: endpoint.accountId,
  merchantName: (await merchantProfile(reads.kysely, endpoint.accountId)).fullname,
  applicationId: endpoint.applicationId,
  applicationName: await findApplicationName(reads.kysely, endpoint.accountId, endpoint.applicationId),
  id: endpoint.id,
  url: endpoint.url,
  status: endpoint.status,
  isTest: endpoint.isTest,
  pending: endpoint.pending,
  changedAt: endpoint.changedAt.toISOString(),
})
