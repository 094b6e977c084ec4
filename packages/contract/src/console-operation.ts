import { z } from 'zod'
import { Delivery } from './dashboard-webhooks.ts'
import { paymentMethods } from './enums.ts'
import { filterText, idFilter } from './filters.ts'
import { AccountId, ApplicationId, EventId, MerchantId, WebhookId } from './ids.ts'
import { Currency } from './money.ts'
import { route } from './route.ts'
import { bounded, PathId, Timestamp } from './text.ts'
import { deliveryStatuses, webhookStatuses } from './webhook-enums.ts'

/** The console's pages of what runs: providers, webhooks and jobs. */

export const ConsoleProvider = z.object({
  id: z.string(),
  /** The provider, which may have several accounts. */
  provider: z.string(),
  name: z.string(),
  methods: z.array(z.enum(paymentMethods)),
  currencies: z.array(Currency),
  environment: z.enum(['live', 'test']),
  /** disabled: paused by an operator. absent: the environment no longer has it. Both take no new payment. */
  state: z.enum(['enabled', 'disabled', 'absent']),
  changedAt: Timestamp.nullable(),
  check: z.object({ at: Timestamp, result: z.string(), isOfEarlierSettings: z.boolean() }).nullable(),
  /** By the calls of the last three minutes, as the status page says. */
  health: z.enum(['operational', 'degraded', 'down']),
  /** The calls of the last hour, over all processes. */
  calls: z.object({
    made: z.int(),
    unanswered: z.int(),
    paid: z.int(),
    declined: z.int(),
    busy: z.int(),
    blocked: z.int(),
    /** The time within which half of the calls ended, and 95 %. Null without calls, and above 30 seconds. */
    halfWithinMs: z.int().nullable(),
    mostWithinMs: z.int().nullable(),
  }),
  /** The budget of calls; null for an account without one. */
  budget: z
    .object({
      callsPerMinute: z.number().nullable(),
      left: z.number(),
      pausedUntil: Timestamp.nullable(),
    })
    .nullable(),
})
export type ConsoleProvider = z.infer<typeof ConsoleProvider>

/** Null: each currency without a route of its own. */
const routeOf = { method: z.enum(paymentMethods), currency: Currency.nullable() }

export const MerchantRoute = z.object({
  merchantId: MerchantId,
  merchantName: z.string(),
  ...routeOf,
  accounts: z.array(z.string()),
})
export type MerchantRoute = z.infer<typeof MerchantRoute>

export const listConsoleProviders = route({
  method: 'GET',
  path: '/providers',
  access: 'console.providers.read',
  summary: 'Accounts at providers with their calls, budgets and state',
  reply: {
    200: z.object({
      providers: z.array(ConsoleProvider),
      routable: z
        .array(z.object({ ...routeOf, accounts: z.array(z.string()) }))
        .meta({ description: 'The accounts that a route of a method may name' }),
    }),
  },
  errors: ['rate_limited'],
})

export const listConsoleRoutes = route({
  method: 'GET',
  path: '/routes',
  access: 'console.providers.read',
  summary: 'The routes of merchants with own ones, of all or with one account, for at most 50 merchants',
  query: z.strictObject({ account: filterText(64).optional(), cursor: MerchantId.optional() }),
  reply: { 200: z.object({ routes: z.array(MerchantRoute), nextCursor: MerchantId.nullable() }) },
  errors: ['validation_failed', 'rate_limited'],
})

export const ConsoleEndpoint = z.object({
  /** The environment of the merchant. */
  merchantId: AccountId,
  merchantName: z.string(),
  applicationId: ApplicationId,
  applicationName: z.string(),
  id: WebhookId,
  url: z.string(),
  status: z.enum(webhookStatuses),
  isTest: z.boolean(),
  /** Deliveries that are still tried. */
  pending: z.int(),
  changedAt: Timestamp,
})
export type ConsoleEndpoint = z.infer<typeof ConsoleEndpoint>

export const listConsoleEndpoints = route({
  method: 'GET',
  path: '/webhooks',
  access: 'console.webhooks.read',
  summary: 'Webhook endpoints that fail or are disabled, or all endpoints of one merchant; at most 100',
  query: z.strictObject({
    status: z.enum(webhookStatuses).optional(),
    merchant: idFilter(MerchantId).optional(),
  }),
  reply: { 200: z.object({ endpoints: z.array(ConsoleEndpoint) }) },
  errors: ['validation_failed', 'rate_limited'],
})

const EndpointParams = z.object({ merchantId: PathId, webhookId: PathId })

export const listConsoleDeliveries = route({
  method: 'GET',
  path: '/webhooks/:merchantId/:webhookId/deliveries',
  access: 'console.webhooks.read',
  summary: 'The deliveries of one endpoint, the newest event first, without their bodies',
  params: EndpointParams,
  query: z.strictObject({ status: z.enum(deliveryStatuses).optional(), cursor: EventId.optional() }),
  reply: {
    200: z.object({
      endpoint: ConsoleEndpoint,
      deliveries: z.array(Delivery),
      nextCursor: EventId.nullable(),
    }),
  },
  errors: ['validation_failed', 'rate_limited'],
})

export const resendConsoleDelivery = route({
  method: 'POST',
  path: '/webhooks/:merchantId/:webhookId/deliveries/:eventId/resend',
  access: 'console.webhooks.resend',
  summary: 'Send an event to an endpoint again, for its merchant',
  params: EndpointParams.extend({ eventId: PathId }),
  reply: { 202: Delivery },
  errors: ['webhook_disabled', 'rate_limited'],
})

export const ConsoleJobs = z.object({
  /** Whether a process runs background work. */
  isRunning: z.boolean(),
  kinds: z.array(
    z.object({
      kind: z.string(),
      due: z.int(),
      later: z.int(),
      /** Their attempts are used up: they stay for an operator. */
      givenUp: z.int(),
      oldestDueAt: Timestamp.nullable(),
    }),
  ),
  failures: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      attempts: z.int(),
      maxAttempts: z.int(),
      error: z.string(),
      createdAt: Timestamp,
      /** The next attempt; null for a job that is given up. */
      dueAt: Timestamp.nullable(),
    }),
  ),
})
export type ConsoleJobs = z.infer<typeof ConsoleJobs>

export const getConsoleJobs = route({
  method: 'GET',
  path: '/jobs',
  access: 'console.jobs.read',
  summary: 'The queue of jobs by kind, and the 50 jobs whose last attempt failed that wait for longest',
  reply: { 200: ConsoleJobs },
  errors: ['rate_limited'],
})

export const retryConsoleJobs = route({
  method: 'POST',
  path: '/jobs/retry',
  access: 'console.jobs.retry',
  summary: 'Run the failed jobs of a kind again, given up or not; a second run of a job is harmless',
  body: z.strictObject({ kind: bounded(100) }),
  reply: { 200: z.object({ retried: z.int() }) },
  errors: ['validation_failed', 'rate_limited'],
})

export const JobRun = z.object({
  id: z.string(),
  name: z.string(),
  startedAt: Timestamp,
  tookMs: z.int(),
  error: z.string().nullable().meta({ description: 'Null for a run without a failure' }),
})
export type JobRun = z.infer<typeof JobRun>

export const listJobRuns = route({
  method: 'GET',
  path: '/jobs/runs',
  access: 'console.jobs.read',
  summary:
    'The last run of each job and task; with a filter the newest runs. Each failure is recorded, and one run a minute of the others',
  query: z.strictObject({
    name: filterText(100).optional(),
    outcome: z.literal('failed').optional(),
    cursor: bounded(18).regex(/^\d+$/).optional(),
  }),
  reply: {
    200: z.object({
      runs: z.array(JobRun),
      names: z.array(z.string()).meta({ description: 'Those that the filter takes' }),
      nextCursor: z.string().nullable(),
    }),
  },
  errors: ['validation_failed', 'rate_limited'],
})
