import {
  lockBanking,
  lockStopReason,
  resumeApplication,
  reviewBanking,
  revokeKey,
  stopApplication,
} from '../../../applications/index.ts'
import type { ApplicationPayload, BankingPayload, KeyPayload, KindTypes } from '../payloads.ts'
import { type ImmediateKind, type Kind, line, missing, refused, unless } from './kind.ts'

type StopResult = KindTypes['application.stop']['result']

const accountOf = ({ merchantId }: ApplicationPayload) => merchantId

export const stopKind: ImmediateKind<ApplicationPayload, StopResult> = {
  accountOf,
  execute: (ctx, actor, { applicationId, reason }) => stopApplication(ctx, actor, { applicationId, reason }),
  whyNot: unless('done'),
}

export const resumeKind: Kind<ApplicationPayload, StopResult> = {
  accountOf,
  async describe(ctx, payload) {
    const { applicationId, merchantId } = payload
    const stopped = await ctx.db.tx((tx) => lockStopReason(tx, applicationId))
    if (stopped === null) throw missing('There is no application with this id')
    if (stopped.stopReason === null) throw refused('The application was not stopped by an operator')
    return {
      payload,
      subject: applicationId,
      accountId: merchantId,
      version: stopped.stopReason,
      about: stopped.name,
      diff: [line('Application', 'resumed', `stopped: ${stopped.stopReason}`)],
    }
  },
  versionIn: async (tx, { applicationId }) => (await lockStopReason(tx, applicationId))?.stopReason ?? 'none',
  execute: (ctx, actor, { applicationId, reason }) =>
    resumeApplication(ctx, actor, { applicationId, reason }),
  isDone: (result) => result === 'done',
  whyNot: unless('done'),
}

export const revokeKind: ImmediateKind<KeyPayload, StopResult> = {
  accountOf,
  execute: (ctx, actor, { applicationId, mode, reason }) =>
    revokeKey(ctx, actor, { applicationId, mode, reason }),
  whyNot: unless('done'),
}

/** "•••• 4567". */
export const lastDigits = (number: string): string => `•••• ${number.slice(-4)}`

/** A refusal of the same change, which one operator makes at once, ends an approval that was proposed before it. */
const bankingVersion = ({
  revision,
  rejection,
}: NonNullable<Awaited<ReturnType<typeof lockBanking>>>['banking']): string =>
  rejection === null ? String(revision) : `${revision} ${rejection}`

export const approveBankingKind: Kind<BankingPayload, KindTypes['banking.approve']['result']> = {
  accountOf,
  async describe(ctx, payload) {
    const { applicationId, merchantId, revision } = payload
    const found = await ctx.db.tx((tx) => lockBanking(tx, applicationId))
    if (found === null) throw missing('There is no application with this id and with banking details')
    const { banking, applicationName } = found
    const { details, rejection } = banking
    const { bankName, bankAccountName, bankAccountNumber } = details
    if (banking.revision !== revision)
      throw refused('The merchant has changed the banking details since: look at them again')
    if (banking.nameApproved) throw refused('The banking details are approved already')
    return {
      payload,
      subject: applicationId,
      accountId: merchantId,
      version: bankingVersion(banking),
      about: `${applicationName}, change ${revision}`,
      diff: [
        { label: 'Account name', from: null, to: bankAccountName },
        { label: 'Bank', from: null, to: bankName },
        { label: 'Account no.', from: null, to: lastDigits(bankAccountNumber) },
        ...(rejection === null ? [] : [line('Review', 'approved', `refused: ${rejection}`)]),
      ],
    }
  },
  async versionIn(tx, { applicationId }) {
    const found = await lockBanking(tx, applicationId)
    return found === null ? 'none' : bankingVersion(found.banking)
  },
  execute: (ctx, actor, reviewed) => reviewBanking(ctx, actor, reviewed, null),
  isDone: (result) => result === 'done',
  whyNot: unless('done'),
}

export const rejectBankingKind: ImmediateKind<BankingPayload, KindTypes['banking.reject']['result']> = {
  accountOf,
  execute: (ctx, actor, reviewed) => reviewBanking(ctx, actor, reviewed, reviewed.reason),
  whyNot: unless('done'),
}
