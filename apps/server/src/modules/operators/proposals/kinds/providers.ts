import { merchantProfile } from '../../../identity/index.ts'
import {
  type AccountChange,
  accountVersion,
  changeAccount,
  changeRoute,
  refusalOfRoute,
  routeVersion,
} from '../../../providers/index.ts'
import type { KindTypes, ProviderPayload, RoutePayload } from '../payloads.ts'
import { type ImmediateKind, type Kind, notPossible, refused } from './kind.ts'

type AccountResult = KindTypes['provider.enable']['result']

const change = (kind: AccountChange['kind'] & ('disable' | 'enable')) =>
  ({
    accountOf: () => null,
    execute: (ctx, actor, { account: id, reason }) =>
      changeAccount(ctx, actor, { id, change: { kind }, reason }),
    whyNot: (result) => (result === 'unchanged' ? notPossible : null),
  }) satisfies ImmediateKind<ProviderPayload, AccountResult>

export const disableKind: ImmediateKind<ProviderPayload, AccountResult> = change('disable')

export const enableKind: Kind<ProviderPayload, AccountResult> = {
  ...change('enable'),
  async describe(ctx, payload) {
    const { account } = payload
    const seen = await accountVersion(ctx.db.kysely, account)
    if (seen === null || !seen.isDisabled) throw refused('The account is not disabled by an operator')
    return {
      payload,
      subject: account,
      accountId: null,
      version: seen.version,
      about: account,
      diff: [{ label: 'Account', from: 'disabled', to: 'enabled' }],
    }
  },
  versionIn: async (tx, { account }) => (await accountVersion(tx, account))?.version ?? 'none',
  isDone: (result) => typeof result === 'number',
}

export const routeKind: Kind<RoutePayload, KindTypes['provider.route']['result']> = {
  accountOf: () => null,
  async describe(ctx, payload) {
    const { merchantId, method, currency, route } = payload
    const version = await routeVersion(ctx.db.kysely, payload)
    const { fullname } = await merchantProfile(ctx.db.kysely, merchantId)
    const refusal = await refusalOfRoute(ctx, payload)
    if (refusal !== null) throw refused(`The route names ${refusal}`, 'route')
    return {
      payload,
      subject: merchantId,
      accountId: merchantId,
      version,
      about: `${fullname}, ${merchantId}, ${method}${currency ? ` in ${currency}` : ''}`,
      diff: [{ label: 'Route', from: version, to: route }],
    }
  },
  versionIn: routeVersion,
  execute: changeRoute,
  isDone: () => true,
  whyNot: (refusal) => (refusal === null ? null : `The route names ${refusal}`),
}
