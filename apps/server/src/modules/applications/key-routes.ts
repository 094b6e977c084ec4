import * as contract from '@muripo/contract/application-keys'
import { ApplicationId, KeyId } from '@muripo/contract/ids'
import type { BackgroundTasks } from '../../platform/async/background-tasks.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { PerDatabase } from '../../platform/db/databases.ts'
import { AppError } from '../../platform/errors.ts'
import { answer, type Binding, bind } from '../../platform/http/route.ts'
import { requestedId } from '../../platform/ids.ts'
import { admitByThrottle, type SessionCaller, throttles, visitorOf } from '../identity/index.ts'
import { changeKey, createKey, keyToWire, revokeNamedKey, rotateKey } from './actions/named-keys.ts'
import { reportLeakedKey } from './actions/report-leaked-key.ts'
import { hasApplication } from './store.ts'
import { type KeyScope, listNamedKeys } from './store-named-keys.ts'

/** The routes of named keys, with a session. */
export const namedKeyRoutes = (ctx: Ctx): Binding<SessionCaller>[] => [
  bind(contract.listKeys, async ({ caller, params }) => {
    const scope = scopeOf(caller, params)
    if (!(await hasApplication(ctx.db.kysely, scope.merchantId, scope.applicationId)))
      throw new AppError('not_found')
    return answer(200, { keys: (await listNamedKeys(ctx.db.kysely, scope)).map(keyToWire) })
  }),
  bind(contract.createKey, async ({ caller, params, body, request, confirmed }) =>
    answer(201, await createKey(confirmed(ctx), { caller, request }, scopeOf(caller, params), body)),
  ),
  bind(contract.changeKey, async ({ caller, params, body, request, confirmed }) => {
    const id = requestedId(KeyId, params.keyId)
    const by = { caller, request }
    return answer(200, await changeKey(confirmed(ctx), by, scopeOf(caller, params), id, body))
  }),
  bind(contract.rotateKey, async ({ caller, params, body, request, confirmed }) => {
    const id = requestedId(KeyId, params.keyId)
    const by = { caller, request }
    return answer(201, await rotateKey(confirmed(ctx), by, scopeOf(caller, params), id, body.overlapSeconds))
  }),
  bind(contract.revokeNamedKey, async ({ caller, params, request, confirmed }) => {
    const id = requestedId(KeyId, params.keyId)
    await revokeNamedKey(confirmed(ctx), { caller, request }, scopeOf(caller, params), id)
    return answer(204, undefined)
  }),
]

const scopeOf = ({ merchantId }: SessionCaller, params: { readonly applicationId: string }): KeyScope => ({
  merchantId,
  applicationId: requestedId(ApplicationId, params.applicationId),
})

/** The report of a leaked key, by anybody. The work runs after the answer, so that its time reveals nothing of the key. */
export const leakedKeyRoutes = (
  ctx: Ctx & { readonly backgroundTasks: BackgroundTasks },
  ctxs: PerDatabase<Ctx>,
): Binding<null>[] => [
  bind(
    contract.reportLeakedKey,
    async ({ body, request }) => {
      ctx.backgroundTasks.start('leaked key', reportLeakedKey(ctxs, body.key, visitorOf(ctx, request)))
      return answer(202, { message: 'Thank you. If this is a key of this gateway, it is revoked.' })
    },
    admitByThrottle(ctx, throttles.leakedKeys),
  ),
]
