import { CONSOLE_PAGE } from '@muripo/contract/console'
import { ProposalId } from '@muripo/contract/ids'
import * as contract from '@muripo/contract/proposals'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../../platform/audit/actor.ts'
import { AppError } from '../../../platform/errors.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { requestedId } from '../../../platform/ids.ts'
import { startSigning, verifySignature } from '../people/actions/sign.ts'
import { actorOf } from '../people/console-auth.ts'
import type { OperatorCaller } from '../people/store-sessions.ts'
import { approveProposal } from './actions/approve.ts'
import { decidableProposal, rejectProposal, withdrawProposal } from './actions/close.ts'
import { type DecisionCtx, decide } from './actions/decide.ts'
import { confirmedOnce } from './executing.ts'
import { fourEyesMarks } from './four-eyes.ts'
import { payloadOf } from './inputs/index.ts'
import { actionOf } from './kinds/index.ts'
import { refusalIn } from './kinds/kind.ts'
import { selectProposals } from './store-proposals.ts'
import { proposalsToWire } from './wire.ts'

export function proposalRoutes(deciding: DecisionCtx): Binding<OperatorCaller>[] {
  const { ctx } = deciding
  const actor = (caller: OperatorCaller, request: FastifyRequest): Actor => ({
    ...actorOf(caller, request),
    ...fourEyesMarks(ctx),
  })
  const named = (caller: OperatorCaller, request: FastifyRequest, proposalId: string) => ({
    actor: actor(caller, request),
    operator: caller.operator,
    id: requestedId(ProposalId, proposalId),
  })
  const shown = async (
    proposal: Parameters<typeof proposalsToWire>[1][number],
    { operator }: OperatorCaller,
  ) => (await proposalsToWire(ctx, [proposal], operator))[0] as contract.Proposal

  return [
    bind(contract.listProposals, async ({ caller, query: { state, cursor } }) => {
      const rows = await selectProposals(ctx.db.kysely, { state, before: cursor, limit: CONSOLE_PAGE + 1 })
      const page = rows.slice(0, CONSOLE_PAGE)
      const nextCursor = rows.length > CONSOLE_PAGE ? (page.at(-1)?.id ?? null) : null
      return answer(200, { proposals: await proposalsToWire(ctx, page, caller.operator), nextCursor })
    }),
    bind(contract.createProposal, async ({ caller, body, request, confirm }) => {
      const payload = await payloadOf(ctx, body)
      const confirmed: DecisionCtx = {
        ctx: confirmedOnce(ctx, confirm),
        paymentsOf: async (accountId) => confirmedOnce(await deciding.paymentsOf(accountId), confirm),
      }
      const decider = { actor: actor(caller, request), operator: caller.operator }
      const decided = await decide(confirmed, decider, body.kind, { payload, reason: body.reason }).catch(
        (error: unknown) => {
          const refusal = refusalIn(error)
          const isRefused = error instanceof AppError && error.code === 'proposal_refused'
          throw refusal === null || isRefused ? error : new AppError('proposal_refused', { detail: refusal })
        },
      )
      if ('proposed' in decided) return answer(201, await shown(decided.proposed, caller))
      const why = actionOf(body.kind).whyNot(decided.result)
      if (why !== null) throw new AppError('proposal_refused', { detail: why })
      return answer(200, { executed: true as const })
    }),
    bind(contract.signProposal, async ({ caller, params, request, confirm }) => {
      const { id } = await decidableProposal(ctx, named(caller, request, params.proposalId))
      const signing = { purpose: 'approve', operatorId: caller.operator.id, proposalId: id } as const
      const options = await confirmedOnce(ctx, confirm).db.tx((tx) => startSigning(ctx, signing, tx))
      return answer(200, options)
    }),
    bind(contract.approveProposal, async ({ caller, params, body, request, confirm }) => {
      const about = named(caller, request, params.proposalId)
      const proposal = await decidableProposal(ctx, about)
      await verifySignature(ctx, about.actor, caller, proposal, body.passkey)
      return answer(200, await shown(await approveProposal(deciding, about, confirm), caller))
    }),
    bind(contract.rejectProposal, async ({ caller, params, body, request, confirmed }) => {
      const about = named(caller, request, params.proposalId)
      return answer(200, await shown(await rejectProposal(confirmed(ctx), about, body.reason), caller))
    }),
    bind(contract.withdrawProposal, async ({ caller, params, request, confirmed }) => {
      const about = named(caller, request, params.proposalId)
      return answer(200, await shown(await withdrawProposal(confirmed(ctx), about), caller))
    }),
  ]
}
