import { type Currency, equals, type Money, money } from '@muripo/contract/money'
import type { Outcome, Reply } from '../../providers/index.ts'

/** The provider's last report about a booked charge, when it has ever said something else than that the booked amount is paid. */
export interface ProviderReport {
  readonly outcome: Outcome
  readonly providerStatus: string
  readonly providerReference: string | null
  readonly eventReference?: string
  readonly echo: Money | null
  /** The time of the first report with these words, and that of the last one. */
  readonly since: Date
  readonly at: Date
}

/** The report as its column has it. */
interface StoredReport extends Pick<ProviderReport, 'outcome' | 'providerStatus' | 'providerReference'> {
  readonly eventReference?: string
  readonly minor: string | null
  readonly currency: Currency | null
  readonly since: string
  readonly at: string
}

export const reportOf = (stored: unknown): ProviderReport | null => {
  if (stored === null) return null
  const { minor, currency, since, at, ...report } = stored as StoredReport
  const echo = minor === null || currency === null ? null : money(BigInt(minor), currency)
  return { ...report, echo, since: new Date(since), at: new Date(at) }
}

export const storedReport = ({ echo, since, at, ...report }: ProviderReport): StoredReport => ({
  ...report,
  minor: echo?.minor.toString() ?? null,
  currency: echo?.currency ?? null,
  since: since.toISOString(),
  at: at.toISOString(),
})

/** The report after a reply about a charge; null while plain confirmations of the booked amount are all that was ever reported. */
export function reportAfter(
  before: ProviderReport | null,
  { outcome, providerStatus, providerReference, eventReference, echo }: Reply,
  booked: Money,
  at: Date,
): ProviderReport | null {
  if (before === null && outcome === 'completed' && (echo === null || equals(echo, booked))) return null
  const isSame =
    before?.outcome === outcome &&
    before.providerStatus === providerStatus &&
    before.eventReference === eventReference &&
    before.echo?.minor === echo?.minor
  return {
    outcome,
    providerStatus,
    providerReference,
    ...(eventReference !== undefined && { eventReference }),
    echo,
    since: isSame ? before.since : at,
    at,
  }
}
