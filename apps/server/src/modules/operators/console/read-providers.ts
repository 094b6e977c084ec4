import type { ConsoleProvider, listConsoleProviders } from '@muripo/contract/console-operation'
import type { Reply } from '@muripo/contract/route'
import { merchantNames } from '../../identity/index.ts'
import {
  type CallFigures,
  healthFrom,
  latencyAt,
  listAccounts,
  merchantRoutes,
  noFigures,
  type ProvidersCtx,
  possibleAccounts,
  readBudgets,
  readProviders,
  recentFigures,
  routeOf,
} from '../../providers/index.ts'

const HOUR = 60
/** As the status page decides. */
const HEALTH_MINUTES = 3

/** The accounts at providers with what their calls say, and the routes of merchants. */
export async function readConsoleProviders(ctx: ProvidersCtx): Promise<Reply<typeof listConsoleProviders>> {
  const [accounts, hour, minutes, budgets, { all }] = await Promise.all([
    listAccounts(ctx),
    recentFigures(ctx.db, HOUR),
    recentFigures(ctx.db, HEALTH_MINUTES),
    readBudgets(ctx.db),
    readProviders(ctx),
  ])
  const perMinute = new Map(all.map(({ id, callsPerMinute }) => [id, callsPerMinute ?? null]))
  const providers = accounts.map(({ id, check, changedAt, ...account }): ConsoleProvider => {
    const budget = budgets.get(id)
    return {
      id,
      name: account.name,
      methods: [...account.methods],
      currencies: [...account.currencies],
      environment: account.environment,
      state: account.state,
      changedAt: changedAt?.toISOString() ?? null,
      check: check && { ...check, at: check.at.toISOString() },
      health: healthFrom(minutes.get(id) ?? noFigures),
      calls: callsIn(hour.get(id) ?? noFigures),
      budget: budget
        ? {
            callsPerMinute: perMinute.get(id) ?? null,
            left: Math.floor(budget.level),
            pausedUntil: budget.pausedUntil?.toISOString() ?? null,
          }
        : null,
    }
  })
  return { providers, routes: await routesOfMerchants(ctx) }
}

const withinMs = (figures: CallFigures, part: number): number | null => {
  const end = latencyAt(figures, part)
  return end !== null && Number.isFinite(end) ? end : null
}

const callsIn = (figures: CallFigures): ConsoleProvider['calls'] => ({
  made: figures.calls,
  unanswered: figures.failed,
  paid: figures.completed,
  declined: figures.declined,
  busy: figures.busy,
  blocked: figures.blocked,
  halfWithinMs: withinMs(figures, 0.5),
  mostWithinMs: withinMs(figures, 0.95),
})

async function routesOfMerchants(ctx: ProvidersCtx): Promise<Reply<typeof listConsoleProviders>['routes']> {
  const { db } = ctx
  const providers = await readProviders(ctx)
  const routes = await merchantRoutes(db.kysely)
  const names = await merchantNames(db.kysely, [...routes.keys()])
  return [...routes].flatMap(([merchantId, own]) =>
    [...own].map(([key, accounts]) => ({
      merchantId,
      merchantName: names.get(merchantId) ?? '',
      ...routeOf(key),
      accounts: [...accounts],
      possible: possibleAccounts(providers, routeOf(key)),
    })),
  )
}
