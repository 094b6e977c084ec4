import { ApplicationId } from '@muripo/contract/ids'
import {
  type BankingReviewResult,
  reviewBanking,
  type WaitingBanking,
  waitingBanking,
} from '../modules/applications/index.ts'
import { merchantReasonIn, typedId } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { ctxOfApplication } from './find.ts'
import { ageText, block, firstOf, oneLine } from './print.ts'

const SHOWN = 50
const parameters = ['APPLICATION', 'CHANGE'] as const

/** Each verdict names the revision that the operator has read, so that a later change is never approved unseen. */
export const bankingCommands: readonly Command[] = [
  {
    words: 'banking list',
    does: 'list the banking details that wait for approval, the oldest first',
    async run({ ctx }) {
      const waiting = await waitingBanking(ctx, SHOWN + 1)
      if (waiting.length === 0) return 'No banking details wait for approval.'
      const now = ctx.clock.now()
      return firstOf(waiting, SHOWN, (each) => shown(each, now))
    },
  },
  {
    words: 'banking approve',
    parameters,
    does: 'approve the details of a change; the merchant receives an email',
    run: (context, args) => resolve(context, args, null),
  },
  {
    words: 'banking reject',
    parameters,
    options: { reason: 'TEXT' },
    does: 'refuse the details of a change, with a reason for the merchant',
    run(context, args) {
      return resolve(context, args, merchantReasonIn(args.options))
    },
  },
]

const shown = ({ applicationId, applicationName, banking, merchant }: WaitingBanking, now: Date): string => {
  const { details, revision, changedAt } = banking
  return block(`${applicationId}  change ${revision}, waiting for ${ageText(changedAt, now)}`, [
    ['Merchant', `${merchant.fullname} <${merchant.email}>`],
    ['Application', applicationName],
    ['Account name', details.bankAccountName],
    ['Bank', details.bankName],
    ['Account no.', details.bankAccountNumber],
    ['Account type', details.bankAccountType],
    ['To approve', `npm run admin -- banking approve ${applicationId} ${revision}`],
  ])
}

async function resolve(
  context: OperatorContext,
  { values }: CommandArguments,
  rejection: string | null,
): Promise<string> {
  const [application = '', change = ''] = values
  const applicationId = typedId(ApplicationId, 'an application', application)
  if (!/^[1-9]\d{0,8}$/.test(change)) {
    throw new UsageError(`"${oneLine(change)}" is not the number of a change: banking list shows it.`)
  }
  const verdict = rejection === null ? 'approved' : 'refused'
  const ctx = await ctxOfApplication(context, applicationId)
  const reviewed = { applicationId, revision: Number(change) }
  const resolved = ctx === null ? 'none' : await reviewBanking(ctx, context.operator, reviewed, rejection)
  const answers: Readonly<Record<BankingReviewResult, () => string>> = {
    done: () => `The banking details of ${applicationId} are ${verdict}. The merchant receives an email.`,
    unchanged: () => `The banking details of ${applicationId} were ${verdict} already. Nothing has changed.`,
    changed: () => {
      throw new Refused(
        `Change ${change} is not what ${applicationId} has now. Look again with banking list; nothing was ${verdict}.`,
      )
    },
    none: () => {
      throw new Refused(`There is no application ${applicationId} with banking details.`)
    },
  }
  return answers[resolved]()
}
