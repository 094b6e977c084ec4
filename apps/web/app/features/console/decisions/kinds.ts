import { decidersOf, isImmediate, type ProposalKind } from '@muripo/contract/console-permissions'
import { useMe } from '../api.ts'
import { type ConsoleKey, type ConsoleText, textsOf } from '../text.ts'

export const kindText = textsOf<ProposalKind>({
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
})

/** Returns whether the operator decides a kind, and whether the decision is executed without a second operator. */
export function useDecider() {
  const { data: me } = useMe()
  return {
    decides: (kind: ProposalKind): boolean => me !== undefined && decidersOf[kind].has(me.role),
    isAlone: (kind: ProposalKind): boolean => me?.fourEyes !== 'on' || isImmediate(kind),
  }
}

/** The server's English names of lines and states as texts of the page; a name that it does not know stays. */
const known =
  (keys: Readonly<Record<string, ConsoleKey>>) =>
  (word: string, t: ConsoleText): string => {
    const key = keys[word]
    return key === undefined ? word : t(key)
  }

export const diffLabel = known({
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
})

export const stateWord = known({
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
})
