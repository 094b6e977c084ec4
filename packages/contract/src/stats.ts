import { z } from 'zod'
import { dashboardStatuses } from './dashboard-payments.ts'
import { PaymentId } from './ids.ts'
import { Currency } from './money.ts'
import { route } from './route.ts'
import { Timestamp } from './text.ts'

const Revenue = z.object({ totalRevenueToday: z.number(), revenueLast7Days: z.number() })

/** Two periods that the cards compare. Seven days are today and the six days before, or the seven days before those. */
const Comparison = z.object({
  /** From yesterday's midnight to the same time of the day as now, to a quarter of an hour. */
  revenueYesterdayByNow: z.number(),
  revenuePrevious7Days: z.number(),
  completedLast7Days: z.int(),
  completedPrevious7Days: z.int(),
  applicationsLast7Days: z.int(),
  applicationsPrevious7Days: z.int(),
})

/** Revenue without a currency is in the reporting currency, and days are those of the merchant's time zone. */
export const DashboardStats = z.object({
  reportingCurrency: Currency,
  ...Revenue.shape,
  totalCompleted: z.int(),
  totalApplications: z.int(),
  comparison: Comparison,
  /** The last REVENUE_DAYS days, the oldest first; the last one is today. */
  revenueByDay: z.array(z.object({ day: z.iso.date(), revenue: z.number() })),
  topPaymentMethods: z.array(z.object({ method: z.string(), count: z.int() })),
  recentPayments: z.array(
    z.object({
      paymentId: PaymentId,
      createdAt: Timestamp,
      method: z.string().nullable(),
      applicationName: z.string(),
      amount: z.number(),
      currency: Currency,
      status: z.enum(dashboardStatuses),
      /** The captured amount, less than `amount` after a partial capture; null until the payment is completed. */
      amountCaptured: z.number().nullable(),
      amountRefunded: z.number(),
    }),
  ),
  /** Revenue in other currencies than the merchant's reporting currency. */
  byCurrency: z.partialRecord(Currency, Revenue),
})
export type DashboardStats = z.infer<typeof DashboardStats>

export const getDashboardStats = route({
  method: 'GET',
  path: '/stats/dashboard',
  access: 'stats.read',
  summary: "The dashboard's figures",
  reply: { 200: z.object({ data: DashboardStats }) },
  errors: ['session_invalid'],
})
