import { ApplicationId } from '@muripo/contract/ids'
import {
  type BankingReviewResult,
  findMerchantOf,
  type WaitingBanking,
  waitingBanking,
} from '../modules/applications/index.ts'
import { merchantReasonIn, typedId } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { decideOrPropose } from './decide.ts'
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
  const merchantId = await findMerchantOf(context.ctx.db.kysely, applicationId)
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
  if (merchantId === null) return answers.none()
  const reason = rejection ?? `change ${change} agrees with the documents`
  const payload = { merchantId, applicationId, revision: Number(change), reason }
  const kind = rejection === null ? 'banking.approve' : 'banking.reject'
  return decideOrPropose(context, kind, { payload, reason }, (resolved) => answers[resolved]())
}
