import { isImmediate, type ProposalKind } from '@muripo/contract/console-permissions'
import {
  type Decider,
  type DecisionCtx,
  decide,
  fourEyesOf,
  fourEyesWarning,
  type KindTypes,
  operatorByEmail,
} from '../modules/operators/index.ts'
import { type OperatorContext, Refused } from './command.ts'
import { paymentsCtxOf } from './find.ts'

export const decisionCtxOf = (context: OperatorContext): DecisionCtx => ({
  ctx: context.ctx,
  paymentsOf: (accountId) =>
    paymentsCtxOf(context, accountId === null ? context.ctx : context.ctxs.of(accountId)),
})

/** The operator whose email `--as` names, with the account of the terminal as the address. */
export async function deciderOf({ ctx, operator: actor }: OperatorContext): Promise<Decider> {
  const operator = await operatorByEmail(ctx.db.kysely, actor.name)
  return { actor: operator === null ? actor : { ...actor, name: operator.email }, operator }
}

/**
 * Makes a decision, or proposes it where two operators decide.
 * @param report the text about the result of the action; it throws when nothing was executed
 */
export async function decideOrPropose<Name extends ProposalKind>(
  context: OperatorContext,
  name: Name,
  input: { readonly payload: KindTypes[Name]['payload']; readonly reason: string },
  report: (result: KindTypes[Name]['result']) => string | Promise<string>,
): Promise<string> {
  const fourEyes = await fourEyesOf(context.ctx)
  const decider = await deciderOf(context)
  if (fourEyes === 'on' && !isImmediate(name) && decider.operator === null)
    throw new Refused(
      `Two operators decide this, and ${decider.actor.name} is none. Name yourself with --as EMAIL: operators list shows them.`,
    )
  const decided = await decide(decisionCtxOf(context), decider, name, input, fourEyes)
  if ('proposed' in decided) {
    const { id } = decided.proposed
    return `${id} is proposed, and nothing has changed yet. Another operator approves it within 72 hours, in the console or with:\nnpm run admin -- proposals approve ${id} --as EMAIL`
  }
  const warning = fourEyesWarning(fourEyes)
  if (warning !== null) context.warn(`${warning}.`)
  return report(decided.result)
}
