import { InvitationId, MerchantId, PersonId } from '@muripo/contract/ids'
import * as contract from '@muripo/contract/team'
import { callerActor } from '../../../platform/audit/actor.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { requestedId } from '../../../platform/ids.ts'
import { visitorOf } from '../devices/visitor.ts'
import type { SessionCaller } from '../sessions/session-auth.ts'
import { admitByThrottle, enforceThrottle, throttles } from '../throttles.ts'
import { acceptInvitation, joinByInvitation, showInvitation } from './actions/accept-invitation.ts'
import { changePolicy } from './actions/change-policy.ts'
import { cancelHandOver, confirmHandOver, startHandOver } from './actions/hand-over.ts'
import { inviteMember, revokeInvitation } from './actions/invite-member.ts'
import { changeMember, removeMember } from './actions/manage-member.ts'
import { readTeam } from './actions/read-team.ts'
import { switchMerchant } from './actions/switch-merchant.ts'
import { type ApplicationNames, limitIn } from './limit-in.ts'
import { merchantsOfPerson } from './store-team.ts'

/** Routes of the holder of an invitation's link. */
export const invitationRoutes = (ctx: Ctx, namesOf: ApplicationNames): Binding<null>[] => [
  bind(
    contract.showInvitation,
    async ({ body }) => answer(200, await showInvitation(ctx, namesOf, body.token)),
    admitByThrottle(ctx, throttles.showInvitation),
  ),
  bind(
    contract.joinByInvitation,
    async ({ body, request }) => answer(201, await joinByInvitation(ctx, body, visitorOf(ctx, request))),
    admitByThrottle(ctx, throttles.joinByInvitation),
  ),
]

/** The keys and endpoints that a person made for a merchant and that still work. Their modules are above this one. */
export type MadeByPerson = (merchantId: MerchantId, personId: PersonId) => Promise<contract.MadeByMember>

/** Routes of the members of a team. */
export const teamRoutes = (
  ctx: Ctx,
  namesOf: ApplicationNames,
  madeBy: MadeByPerson,
): Binding<SessionCaller>[] => [
  bind(contract.getTeam, async ({ caller }) => answer(200, await readTeam(ctx, caller.merchantId))),
  bind(contract.changePolicy, async ({ caller, body, request, confirmed }) =>
    answer(200, await changePolicy(confirmed(ctx), callerActor(caller, request), caller, body)),
  ),
  bind(contract.inviteMember, async ({ caller, body, request, confirmed }) => {
    const { email, role } = body
    const grant = { email, role, applications: (await limitIn(namesOf, caller.merchantId, body)) ?? null }
    return answer(201, await inviteMember(confirmed(ctx), callerActor(caller, request), caller, grant))
  }),
  bind(contract.revokeInvitation, async ({ caller, params, request, confirmed }) => {
    const id = requestedId(InvitationId, params.invitationId)
    await revokeInvitation(confirmed(ctx), callerActor(caller, request), caller, id)
    return answer(204, undefined)
  }),
  bind(contract.changeMember, async ({ caller, params, body, request, confirmed }) => {
    const id = requestedId(PersonId, params.memberId)
    const change = { role: body.role, applications: await limitIn(namesOf, caller.merchantId, body) }
    return answer(200, await changeMember(confirmed(ctx), callerActor(caller, request), caller, id, change))
  }),
  bind(contract.removeMember, async ({ caller, params, request, confirm }) => {
    const id = requestedId(PersonId, params.memberId)
    await removeMember(ctx, callerActor(caller, request), caller, id, confirm)
    return answer(200, await madeBy(caller.merchantId, id))
  }),
  ...ownerRoutes(ctx),
  bind(contract.acceptInvitation, async ({ caller, body, request, confirm }) => {
    await enforceThrottle(ctx, throttles.teamChanges, caller.personId)
    const actor = callerActor(caller, request)
    return answer(200, await acceptInvitation(ctx, actor, caller.personId, body.token, confirm))
  }),
  bind(contract.listMerchants, async ({ caller }) => {
    const found = await merchantsOfPerson(ctx.db.kysely, caller.personId)
    const merchants = found.map((each) => ({ ...each, current: each.id === caller.merchantId }))
    return answer(200, { merchants: merchants.sort((a, b) => Number(b.current) - Number(a.current)) })
  }),
  bind(contract.switchMerchant, async ({ caller, body, request, confirm }) => {
    const id = requestedId(MerchantId, body.merchantId)
    return answer(200, await switchMerchant(ctx, caller, id, visitorOf(ctx, request), confirm))
  }),
]

const ownerRoutes = (ctx: Ctx): Binding<SessionCaller>[] => [
  bind(contract.startHandOver, async ({ caller, body, request, confirmed }) => {
    const next = { memberId: requestedId(PersonId, body.memberId), password: body.password }
    const actor = callerActor(caller, request)
    await startHandOver(confirmed(ctx), actor, caller, next, visitorOf(ctx, request))
    return answer(200, await readTeam(ctx, caller.merchantId))
  }),
  bind(contract.cancelHandOver, async ({ caller, request, confirm }) => {
    await cancelHandOver(ctx, callerActor(caller, request), caller, confirm)
    return answer(204, undefined)
  }),
  bind(contract.confirmHandOver, async ({ caller, request, confirm }) => {
    await confirmHandOver(ctx, callerActor(caller, request), caller, confirm)
    return answer(200, await readTeam(ctx, caller.merchantId))
  }),
]
