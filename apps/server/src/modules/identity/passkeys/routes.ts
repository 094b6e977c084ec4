import { type MerchantId, PasskeyId } from '@muripo/contract/ids'
import * as contract from '@muripo/contract/passkeys'
import { callerActor } from '../../../platform/audit/actor.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { requestedId } from '../../../platform/ids.ts'
import { deviceHeaders } from '../devices/device-cookie.ts'
import { visitorOf } from '../devices/visitor.ts'
import { admitByThrottle, enforceThrottle } from '../enforce-throttles.ts'
import type { SessionCaller } from '../sessions/session-auth.ts'
import { throttles } from '../throttles.ts'
import { addPasskey } from './actions/add-passkey.ts'
import { removePasskey } from './actions/remove-passkey.ts'
import { renamePasskey } from './actions/rename-passkey.ts'
import { requestPasskey } from './actions/request-passkey.ts'
import { startPasskey } from './actions/start-passkey.ts'
import { verifyPasskey } from './actions/verify-passkey.ts'
import { type Passkey, passkeysOf } from './store-passkeys.ts'

export const publicPasskeyRoutes = (ctx: Ctx): Binding<null>[] => [
  bind(
    contract.requestPasskey,
    async ({ params }) => answer(200, await requestPasskey(ctx, params.otpId)),
    admitByThrottle(ctx, throttles.requestPasskey),
  ),
  bind(
    contract.verifyPasskey,
    async ({ params, body, request }) => {
      const { tokens, device } = await verifyPasskey(ctx, { ...params, ...body }, visitorOf(ctx, request))
      return { ...answer(200, tokens), headers: deviceHeaders(ctx.config, device) }
    },
    admitByThrottle(ctx, throttles.verifyPasskey),
  ),
]

export function passkeyRoutes(ctx: Ctx): Binding<SessionCaller>[] {
  const countChange = ({ merchantId }: { merchantId: MerchantId }) =>
    enforceThrottle(ctx, throttles.passkeyChanges, merchantId)

  return [
    bind(contract.listPasskeys, async ({ caller }) => {
      const passkeys = await passkeysOf(ctx.db.kysely, caller.merchantId)
      return answer(200, { passkeys: passkeys.map(toWire) })
    }),
    bind(contract.startPasskey, async ({ caller, body, request, confirmed }) => {
      await countChange(caller)
      return answer(200, await startPasskey(confirmed(ctx), caller, body.password, visitorOf(ctx, request)))
    }),
    bind(contract.addPasskey, async ({ caller, body, request, confirmed }) => {
      await countChange(caller)
      return answer(
        201,
        toWire(await addPasskey(confirmed(ctx), caller, body.passkey, visitorOf(ctx, request))),
      )
    }),
    bind(contract.renamePasskey, async ({ caller, params, body, request, confirmed }) => {
      await countChange(caller)
      const actor = callerActor(caller, request)
      const named = { id: requestedId(PasskeyId, params.passkeyId), name: body.name }
      return answer(200, toWire(await renamePasskey(confirmed(ctx), actor, caller.merchantId, named)))
    }),
    bind(contract.removePasskey, async ({ caller, params, body, request, confirmed }) => {
      await countChange(caller)
      const what = { id: requestedId(PasskeyId, params.passkeyId), password: body.password }
      await removePasskey(confirmed(ctx), caller, what, visitorOf(ctx, request))
      return answer(204, undefined)
    }),
  ]
}

const toWire = ({ id, name, synced, createdAt, lastUsedAt }: Passkey): contract.Passkey => ({
  _id: id,
  name,
  synced,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
