import { CONSOLE_PAGE } from '@muripo/contract/console'
import type {
  ConsoleProvider,
  listConsoleProviders,
  listConsoleRoutes,
} from '@muripo/contract/console-operation'
import type { MerchantId } from '@muripo/contract/ids'
import { currencies } from '@muripo/contract/money'
import { paymentMethods } from '@muripo/contract/payments'
import type { Reply } from '@muripo/contract/route'
import { pageOf } from '../../../platform/http/page.ts'
import { merchantNames } from '../../identity/index.ts'
import {
  accountNamed,
  type CallFigures,
  healthFrom,
  latencyAt,
  listAccounts,
  noFigures,
  type ProvidersCtx,
  pageOfRoutes,
  possibleAccounts,
  readBudgets,
  readProviders,
  recentFigures,
  routeOf,
} from '../../providers/index.ts'

const HOUR = 60
/** As the status page decides. */
const HEALTH_MINUTES = 3

/** The accounts at providers with what their calls say. */
export async function readConsoleProviders(ctx: ProvidersCtx): Promise<Reply<typeof listConsoleProviders>> {
  const [accounts, hour, minutes, budgets, configured] = await Promise.all([
    listAccounts(ctx),
    recentFigures(ctx.db, HOUR),
    recentFigures(ctx.db, HEALTH_MINUTES),
    readBudgets(ctx.db),
    readProviders(ctx),
  ])
  const perMinute = new Map(configured.all.map(({ id, callsPerMinute }) => [id, callsPerMinute ?? null]))
  const providers = accounts.map(({ id, check, changedAt, ...account }): ConsoleProvider => {
    const budget = budgets.get(id)
    return {
      id,
      provider: accountNamed(id)?.provider ?? id,
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
  const routable = paymentMethods.flatMap((method) =>
    [null, ...currencies].map((currency) => ({
      method,
      currency,
      accounts: possibleAccounts(configured, { method, currency }),
    })),
  )
  return { providers, routable }
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

/** The routes of one page of merchants that have own ones. */
export async function readRoutes(
  { db }: ProvidersCtx,
  { account, after }: { readonly account: string | undefined; readonly after: MerchantId | null },
): Promise<Reply<typeof listConsoleRoutes>> {
  const found = await pageOfRoutes(db.kysely, { account, after, limit: CONSOLE_PAGE + 1 })
  const { page, last } = pageOf([...found], CONSOLE_PAGE)
  const names = await merchantNames(
    db.kysely,
    page.map(([merchantId]) => merchantId),
  )
  const routes = page.flatMap(([merchantId, own]) =>
    [...own].map(([key, accounts]) => ({
      merchantId,
      merchantName: names.get(merchantId) ?? '',
      ...routeOf(key),
      accounts: [...accounts],
    })),
  )
  return { routes, nextCursor: last?.[0] ?? null }
}
