import type { Today } from '@muripo/contract/console'
import type { SealHead } from '../../../platform/audit/audit-seals.ts'
import type { CountedAction } from '../../../platform/audit/read-audit.ts'
import { type EmailContent, momentText } from '../../../platform/mail/email-content.ts'
import type { Operator } from '../people/store-operators.ts'
import { MOST_COUNTED } from './read-today.ts'

const ZONE = 'Africa/Harare'
const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: ZONE })

/** The present work of one operator. */
export interface DailyWork {
  readonly waiting: Today['waiting']
  readonly unwell: Today['unwell']
  readonly jobsGivenUp: number
  /** Actions that one operator took alone since the last email. */
  readonly alone: readonly CountedAction[]
  /** The warning while one person decides alone; null while two do. */
  readonly fourEyesWarning: string | null
  readonly head: SealHead | null
}

const names: Readonly<Record<Today['waiting'][number]['kind'], string>> = {
  merchants: 'Merchants to approve',
  attempts: 'Payments to decide',
  anomalies: 'Contradictions to review',
  refunds: 'Refunds to send or clarify',
  proposals: 'Proposals of others',
}

const countOf = (count: number): string =>
  count === 0 ? 'nothing waits' : count === 1 ? 'one item waits' : `${count} items wait`

/** "merchant suspended, operator added (2)". */
const actionsText = (actions: readonly CountedAction[]): string =>
  actions
    .map(({ action, count }) => `${action.replace(/[._]/g, ' ')}${count === 1 ? '' : ` (${count})`}`)
    .join(', ')

/** The console has no language before a sign-in, so its emails are English. No value is personal data of a merchant or a payer. */
export function dailyMail(
  { email: to, name: fullname }: Operator,
  { waiting, unwell, jobsGivenUp, alone, fourEyesWarning, head }: DailyWork,
  { now, consoleUrl }: { readonly now: Date; readonly consoleUrl: string },
): EmailContent {
  const open = waiting.filter(({ count }) => count > 0)
  const items = countOf(open.reduce((sum, { count }) => sum + count, 0))
  const bad = [
    ...unwell.map(({ name, status }) => `${name} is ${status}`),
    ...(jobsGivenUp === 0 ? [] : [`jobs that were given up: ${jobsGivenUp}`]),
  ]
  return {
    to,
    locale: 'en',
    fullname,
    subject: `Muripo, ${days.format(now)}: ${items}${bad.length === 0 ? '' : ', and something is unwell'}`,
    heading: `${items[0]?.toUpperCase()}${items.slice(1)}`,
    ...(bad.length > 0 && { warning: `Unwell: ${bad.join('; ')}.` }),
    facts: open.map(({ kind, count, oldestAt }) => [
      names[kind],
      `${count}${count < MOST_COUNTED ? '' : ' or more'}${oldestAt === null ? '' : `, the oldest since ${days.format(new Date(oldestAt))}`}`,
    ]),
    lines: [
      ...(fourEyesWarning === null ? [] : [`${fourEyesWarning}.`]),
      alone.length === 0
        ? 'Nobody decided anything alone since the last email.'
        : `One person decided alone since the last email: ${actionsText(alone)}. The audit log names who, and why.`,
      head === null
        ? 'The audit log has no seal yet.'
        : `Keep this email: seal ${head.n} of the audit log, of ${momentText(head.sealedAt, ZONE)}, has the head ${head.hash}. The command "audit verify --head" compares it with the database.`,
    ],
    // The other pages do not exist for a browser without a session.
    link: { label: 'Open the console', url: `${consoleUrl}/console/sign-in` },
  }
}
