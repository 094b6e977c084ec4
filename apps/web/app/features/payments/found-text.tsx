import type { ListHit } from '@muripo/contract/dashboard-payments'
import { withoutMarks } from '@muripo/contract/typed-text'
import { font } from '../../components/ui/classes.ts'
import { usePaymentsText } from '../../lib/payments-text.ts'
import styles from './payment-grid.module.css'

interface PartProps {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** A text with the part that equals the search. */
const Marked = ({ text, from, to }: PartProps) => (
  <>
    {text.slice(0, from)}
    <mark className={`${styles.mark} ${font('semibold')}`}>{text.slice(from, to)}</mark>
    {text.slice(to)}
  </>
)

interface IdTextProps {
  readonly id: string
  /** The text of the search that found the payment by its id. */
  readonly search: string | undefined
}

export function IdText({ id, search = '' }: IdTextProps) {
  const part = withoutMarks(search).toLowerCase()
  const from = part === '' ? -1 : id.indexOf(part)
  return from < 0 ? id : <Marked text={id} from={from} to={from + part.length} />
}

interface SummaryTextProps {
  readonly text: string
  /** The amount in the text. */
  readonly amount: string
  readonly hit: ListHit | undefined
}

/** The summary of a payment, with the beginning of its purpose marked where the search found it there. */
export function SummaryText({ text, amount, hit }: SummaryTextProps) {
  const at = text.indexOf(amount)
  const before = at < 0 ? '' : text.slice(0, at)
  const rest = at < 0 ? text : text.slice(at + amount.length)
  const from = hit?.by === 'purpose' ? rest.indexOf(hit.text.slice(0, hit.to)) : -1
  return (
    <>
      {before}
      {at >= 0 && <b className={font('semibold')}>{amount}</b>}
      {from < 0 || !hit ? rest : <Marked text={rest} from={from} to={from + hit.to} />}
    </>
  )
}

const titles = {
  phone: 'foundByPhone',
  customer: 'foundByCustomer',
  reference: 'foundByReference',
} as const

/** The text that no column shows. */
export function HitText({ hit }: { readonly hit: ListHit }) {
  const t = usePaymentsText()
  if (hit.by === 'purpose') return null
  return (
    <span className={`${styles.hit} ${font('xs', 'quiet', 'line16')}`}>
      {t(titles[hit.by])} <Marked {...hit} />
    </span>
  )
}
