import type { Proposal } from '@muripo/contract/proposals'
import { Link } from 'react-router'
import { coverClass, font, place, row } from '../../../components/ui/classes.ts'
import { useConsoleMay } from '../api.ts'
import { useConsoleDates } from '../dates.ts'
import { kindText } from '../decisions/kinds.ts'
import { addressOf, entries, merchantAddress, paymentAddress, providerAddress } from '../entries.ts'
import { IconChevronRight, IconFingerprint } from '../icons.ts'
import { useSignatures } from '../queries.ts'
import { useConsoleText } from '../text.ts'
import styles from './today.module.css'

/** The page of the subject, on which the proposal is decided. */
function subjectAddress({ kind, subject, merchantId, paymentId }: Proposal): string {
  if (merchantId !== null && paymentId !== null) return paymentAddress(merchantId, paymentId)
  if (kind.startsWith('merchant.') || kind === 'ledger.adjust') return merchantAddress(subject)
  if (kind === 'refund.batch') return addressOf(entries.refunds)
  if (kind === 'provider.enable') return providerAddress(subject)
  if (kind.startsWith('provider.')) return addressOf(entries.providers)
  if (kind.startsWith('operator.')) return addressOf(entries.settings)
  if (merchantId !== null && /^(application|banking)\./.test(kind)) return merchantAddress(merchantId)
  return addressOf(entries.merchants)
}

/** The proposals of others that wait for the signature of this operator. */
export function Signatures() {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const { data: proposals = [] } = useSignatures(useConsoleMay('console.proposals.read'))
  return proposals.map((proposal) => (
    <li key={proposal.id} className={`${styles.line} ${row('centre', 'gap12')}`}>
      <IconFingerprint size={20} stroke={1.75} aria-hidden />
      <div className={place('grow')}>
        <Link to={subjectAddress(proposal)} className={`${coverClass} ${font('md', 'semibold', 'anywhere')}`}>
          {`${kindText(proposal.kind, t)}: ${proposal.about}`}
        </Link>
        <p className={font('sm', 'quiet', 'anywhere')}>
          {t('proposedBy', { name: proposal.proposedBy.name, time: dates.when(proposal.proposedAt) })}
        </p>
      </div>
      <time className={font('sm', 'quiet', 'nowrap', 'numbers')} dateTime={proposal.proposedAt}>
        {dates.age(proposal.proposedAt)}
      </time>
      <IconChevronRight size={18} stroke={1.75} aria-hidden />
    </li>
  ))
}
