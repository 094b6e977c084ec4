import type { ProviderReport } from '../modules/payments/index.ts'
import { providerLabel } from '../modules/providers/index.ts'
import { ageText } from './print.ts'

/** "Paynow reports this charge as Refunded since 2026-11-26 15:30 UTC, 2 hours". */
export function reportText(provider: string, report: ProviderReport | null, now: Date): string {
  if (report === null) return ''
  const { providerStatus, since, at } = report
  const text = `${providerLabel(provider)} reports this charge as ${providerStatus} since ${timeText(since)}, ${ageText(since, now)}`
  return at > since ? `${text}; last at ${timeText(at)}` : text
}

const timeText = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
