import { z } from 'zod'
import { DashboardPaymentQuery } from './dashboard-payments.ts'
import { route } from './route.ts'
import { Day } from './text.ts'

// --- Dashboard surface (/v1), camelCase, authenticated by a session ------------------------------------------------------------

const texts = z
  .enum(['neutral', 'exact'])
  .default('neutral')
  .describe(
    'neutral: an apostrophe precedes a text that a spreadsheet would run as a formula. exact: texts as they are stored, for a program that writes typed cells',
  )

/** All payments that match the filters, without a page limit. */
export const ExportQuery = DashboardPaymentQuery.omit({ limit: true, cursor: true }).extend({ texts })
export type ExportQuery = z.output<typeof ExportQuery>

/** The number of rows in the file, except for changes while it is generated. Absent where a count would take long. */
export const ROW_COUNT_HEADER = 'row-count'

export const exportPayments = route({
  method: 'GET',
  path: '/payments/export',
  access: 'exports.read',
  stepUp: true,
  perApplication: true,
  summary: 'The payments that match the filters, newest first, as a file for spreadsheets',
  query: ExportQuery,
  reply: { 200: z.string() },
  file: 'text/csv',
  errors: ['session_invalid', 'validation_failed', 'search_too_broad', 'export_busy'],
})

export const MovementsQuery = z.strictObject({ from: Day.optional(), to: Day.optional(), texts })
export type MovementsQuery = z.output<typeof MovementsQuery>

export const exportMovements = route({
  method: 'GET',
  path: '/payments/export/movements',
  access: 'exports.read',
  stepUp: true,
  summary:
    'Each payment, refund, reversal and adjustment of the days with its own date and a signed amount, the earliest first, and after an empty row the totals of each currency, as a file for spreadsheets',
  query: MovementsQuery,
  reply: { 200: z.string() },
  file: 'text/csv',
  errors: ['session_invalid', 'validation_failed', 'export_busy'],
})
