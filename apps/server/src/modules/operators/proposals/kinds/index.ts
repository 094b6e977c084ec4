import type { ProposalKind, StoredKind } from '@muripo/contract/console-permissions'
import type { KindTypes } from '../payloads.ts'
import { approveBankingKind, rejectBankingKind, resumeKind, revokeKind, stopKind } from './applications.ts'
import type { ImmediateKind, Kind } from './kind.ts'
import { adjustmentKind } from './ledger.ts'
import { merchantKind } from './merchants.ts'
import { anomalyKind, attemptKind, returnKind, reverseKind } from './payments.ts'
import { addOperatorKind, authenticatorKind, removeOperatorKind, roleKind } from './people.ts'
import { disableKind, enableKind, routeKind } from './providers.ts'
import { batchKind } from './refund-batch.ts'
import { bounceKind, openRefundKind, refundKind, settleKind } from './refunds.ts'

type Of<Name extends ProposalKind> = Name extends StoredKind
  ? Kind<KindTypes[Name]['payload'], KindTypes[Name]['result']>
  : ImmediateKind<KindTypes[Name]['payload'], KindTypes[Name]['result']>

export const kinds: { readonly [Name in ProposalKind]: Of<Name> } = {
  'merchant.approve': merchantKind('approve'),
  'merchant.suspend': merchantKind('suspend'),
  'merchant.resume': merchantKind('resume'),
  'merchant.close': merchantKind('close'),
  'application.stop': stopKind,
  'application.resume': resumeKind,
  'key.revoke': revokeKind,
  'banking.approve': approveBankingKind,
  'banking.reject': rejectBankingKind,
  'attempt.resolve': attemptKind,
  'anomaly.resolve': anomalyKind,
  'payment.reverse': reverseKind,
  'payment.return': returnKind,
  'refund.open': openRefundKind,
  'refund.resolve': refundKind,
  'refund.batch': batchKind,
  'refund.bounce': bounceKind,
  'refund.settle': settleKind,
  'ledger.adjust': adjustmentKind,
  'provider.disable': disableKind,
  'provider.enable': enableKind,
  'provider.route': routeKind,
  'person.remove_authenticator': authenticatorKind,
  'operator.add': addOperatorKind,
  'operator.role': roleKind,
  'operator.remove': removeOperatorKind,
}

/** The kind without its action, which a decision of one operator has too. */
export const actionOf = <Name extends ProposalKind>(name: Name) =>
  kinds[name] as unknown as ImmediateKind<KindTypes[Name]['payload'], KindTypes[Name]['result']>

/** @param name a kind that is proposed: another one has its action only */
export const kindOf = <Name extends ProposalKind>(name: Name) =>
  kinds[name] as unknown as Kind<KindTypes[Name]['payload'], KindTypes[Name]['result']>
