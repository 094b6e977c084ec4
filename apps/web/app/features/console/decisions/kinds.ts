import { decidersOf, isImmediate, type ProposalKind } from '@muripo/contract/console-permissions'
import { useMe } from '../api.ts'
import type { ConsoleText } from '../text.ts'

const kindTexts = {
  'merchant.approve': 'kindApprove',
  'merchant.suspend': 'kindSuspend',
  'merchant.resume': 'kindResume',
  'merchant.close': 'kindClose',
  'application.stop': 'kindStop',
  'application.resume': 'kindResumeApplication',
  'key.revoke': 'kindRevoke',
  'banking.approve': 'kindBanking',
  'banking.reject': 'kindBankingRefuse',
  'attempt.resolve': 'kindAttempt',
  'anomaly.resolve': 'kindReview',
  'payment.reverse': 'kindReverse',
  'payment.return': 'kindReturn',
  'refund.open': 'kindRefundOpen',
  'refund.resolve': 'kindRefund',
  'refund.batch': 'kindBatch',
  'refund.bounce': 'kindBounce',
  'refund.settle': 'kindSettle',
  'ledger.adjust': 'kindAdjust',
  'provider.disable': 'kindPause',
  'provider.enable': 'kindUnpause',
  'provider.route': 'kindRoute',
  'person.remove_authenticator': 'kindAuthenticator',
  'operator.add': 'kindOperator',
  'operator.role': 'kindRole',
  'operator.remove': 'kindRemove',
} as const satisfies Readonly<Record<ProposalKind, Parameters<ConsoleText>[0]>>

export const kindText = (kind: ProposalKind, t: ConsoleText): string => t(kindTexts[kind])

/** Returns whether the operator decides a kind, and whether the decision is executed without a second operator. */
export function useDecider() {
  const { data: me } = useMe()
  return {
    decides: (kind: ProposalKind): boolean => me !== undefined && decidersOf[kind].has(me.role),
    isAlone: (kind: ProposalKind): boolean => me?.fourEyes !== 'on' || isImmediate(kind),
  }
}

const labels: Readonly<
  Record<
    string,
    | 'diffStatus'
    | 'diffPayersSee'
    | 'diffAttempt'
    | 'diffRefund'
    | 'diffReference'
    | 'diffMoved'
    | 'diffRole'
    | 'diffRoute'
    | 'diffAccount'
    | 'diffAmount'
  >
> = {
  Status: 'diffStatus',
  'Payers see': 'diffPayersSee',
  Attempt: 'diffAttempt',
  Refund: 'diffRefund',
  Reference: 'diffReference',
  'Moved amount': 'diffMoved',
  Role: 'diffRole',
  Route: 'diffRoute',
  Account: 'diffAccount',
  Amount: 'diffAmount',
}

const words: Readonly<
  Record<
    string,
    | 'merchantNew'
    | 'merchantApproved'
    | 'merchantSuspended'
    | 'merchantClosed'
    | 'wordPending'
    | 'wordHeld'
    | 'wordUnknown'
    | 'wordCompleted'
    | 'wordFailed'
    | 'wordPaid'
  >
> = {
  new: 'merchantNew',
  approved: 'merchantApproved',
  suspended: 'merchantSuspended',
  closed: 'merchantClosed',
  pending: 'wordPending',
  held: 'wordHeld',
  unknown: 'wordUnknown',
  completed: 'wordCompleted',
  failed: 'wordFailed',
  paid: 'wordPaid',
}

/** The server's English names of lines and states as texts of the page; a name that it does not know stays. */
export const diffLabel = (label: string, t: ConsoleText): string => {
  const key = labels[label]
  return key === undefined ? label : t(key)
}
export const stateWord = (state: string, t: ConsoleText): string => {
  const key = words[state]
  return key === undefined ? state : t(key)
}
