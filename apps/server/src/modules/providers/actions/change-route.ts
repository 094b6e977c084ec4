import type { MerchantId } from '@muripo/contract/ids'
import type { Currency } from '@muripo/contract/money'
import type { PaymentMethod } from '@muripo/contract/payments'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { accountNamed } from '../account-name.ts'
import { notifyProvidersChanged, type ProvidersCtx, readProviders } from '../live-providers.ts'
import { accountsIn, type FindConnector, type Routes, refuseRoute, routeKey } from '../method-routes.ts'
import type { Providers } from '../registry.ts'
import { deleteRoute, merchantRoutes, setRoute } from '../store-routes.ts'

/** The word for the deployment's route. */
export const DEFAULT_ROUTE = 'default'

export interface RouteRequest {
  readonly merchantId: MerchantId
  readonly method: PaymentMethod
  /** Left out: each currency without a route of its own. */
  readonly currency?: Currency
  /** Accounts in the order in which they are called, `none`, or `default`. */
  readonly route: string
  readonly reason: string
}

/** The own routes of a merchant. */
export const routesOf = async (ctx: ProvidersCtx, merchantId: MerchantId): Promise<Routes> =>
  (await merchantRoutes(ctx.db.kysely)).get(merchantId) ?? new Map()

/** The own route of a merchant as text; that of the deployment has the word for it. */
export async function routeVersion(
  q: Queryable,
  { merchantId, method, currency }: Pick<RouteRequest, 'merchantId' | 'method' | 'currency'>,
): Promise<string> {
  const accounts = (await merchantRoutes(q)).get(merchantId)?.get(routeKey(method, currency))
  return accounts === undefined ? DEFAULT_ROUTE : accounts.join(',') || 'none'
}

/** The reason why a route is refused, as the rest of "the route names"; null when it is not. */
export async function refusalOfRoute(
  ctx: ProvidersCtx,
  { method, currency, route }: Omit<RouteRequest, 'reason'>,
): Promise<string | null> {
  const find = accountOf(await readProviders(ctx))
  for (const account of accountsOf(route) ?? []) {
    const name = accountNamed(account)
    if (name?.isForTests) return `${account}, which is for test keys: name ${name.provider}`
    const refusal = refuseRoute(account, find, method, currency)
    if (refusal !== null) return refusal
  }
  return null
}

/** The simulated provider is no account. */
const accountOf =
  (providers: Providers): FindConnector =>
  (id) =>
    accountNamed(id) && providers.has(id) ? providers.byId(id) : undefined

/** The accounts that a route of the method may name. */
export const possibleAccounts = (
  providers: Providers,
  { method, currency }: { readonly method: PaymentMethod; readonly currency: Currency | null },
): string[] =>
  providers.all
    .map(({ id }) => id)
    .filter(
      (id) =>
        accountNamed(id)?.isForTests === false &&
        refuseRoute(id, accountOf(providers), method, currency ?? undefined) === null,
    )

const accountsOf = (route: string): string[] | null => (route === DEFAULT_ROUTE ? null : accountsIn(route))

/**
 * Sets or removes a route of one merchant, in place of the deployment's. Every process uses it within seconds, for new attempts.
 * @returns null, or the reason why the route is refused
 */
export async function changeRoute(
  ctx: ProvidersCtx,
  operator: Actor,
  request: RouteRequest,
): Promise<string | null> {
  const refusal = await refusalOfRoute(ctx, request)
  if (refusal !== null) return refusal
  const { merchantId, method, currency, route, reason } = request
  const accounts = accountsOf(route)
  const key = routeKey(method, currency)
  await ctx.db.tx(async (tx) => {
    if (accounts === null) await deleteRoute(tx, merchantId, key)
    else await setRoute(tx, merchantId, key, accounts)
    await audit(ctx, tx, operator, {
      action: 'merchant.route_changed',
      subject: merchantId,
      accountId: merchantId,
      details: { reason, method, ...(currency && { currency }), route },
    })
    await notifyProvidersChanged(tx)
  })
  return null
}
