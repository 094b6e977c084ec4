import { z } from 'zod'
import { PaymentId } from './ids.ts'
import { Currency } from './money.ts'
import { dashboardStatuses } from './payments.ts'
import { route } from './route.ts'
import { Timestamp } from './text.ts'

const Revenue = z.object({ totalRevenueToday: z.number(), revenueLast7Days: z.number() })

export const DashboardStats = z.object({
  ...Revenue.shape,
  totalCompleted: z.int(),
  totalApplications: z.int(),
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
    }),
  ),
  /** Revenue in the currencies that are not the merchant's reporting currency. */
  byCurrency: z.partialRecord(Currency, Revenue),
})
export type DashboardStats = z.infer<typeof DashboardStats>

export const getDashboardStats = route({
  method: 'GET',
  path: '/stats/dashboard',
  summary: "The dashboard's figures",
  reply: { 200: z.object({ data: DashboardStats }) },
  errors: ['session_invalid'],
})
