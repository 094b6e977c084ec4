import type { OperatorRole, ProposalState, StoredKind } from '@muripo/contract/console-permissions'
import { AccountId, OperatorId, ProposalId } from '@muripo/contract/ids'
import type { Proposal as WireProposal } from '@muripo/contract/proposals'
import { id, idOrNull, json, table, text, time } from '../../platform/db/table.ts'

export const operators = table(
  'operators',
  {
    id: id('id', OperatorId),
    email: text('email'),
    name: text('name'),
    role: text<OperatorRole>('role'),
    removedAt: time<Date | null>('removed_at'),
  },
  { createdAt: time('created_at') },
)

export const proposals = table('proposals', {
  id: id('id', ProposalId),
  kind: text<StoredKind>('kind'),
  subject: text('subject'),
  accountId: idOrNull('account_id', AccountId),
  payload: json<object>('payload'),
  version: text('subject_version'),
  about: text('about'),
  diff: json<WireProposal['diff']>('diff'),
  reason: text('reason'),
  state: text<ProposalState>('state'),
  proposedBy: id('proposed_by', OperatorId),
  proposedAt: time('proposed_at'),
  expiresAt: time('expires_at'),
  decidedBy: idOrNull('decided_by', OperatorId),
  decidedAt: time<Date | null>('decided_at'),
  decisionReason: text<string | null>('decision_reason'),
  executedAt: time<Date | null>('executed_at'),
})
