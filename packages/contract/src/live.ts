import { z } from 'zod'
import { DashboardPayment } from './dashboard-payments.ts'
import { route } from './route.ts'

/** New and changed payments. With `more` there are others, which are not listed: the client refetches its lists. */
export const LiveUpdate = z.object({ payments: z.array(DashboardPayment), more: z.boolean() })
export type LiveUpdate = z.infer<typeof LiveUpdate>

export const live = route({
  method: 'GET',
  path: '/live',
  access: 'payments.read',
  perApplication: true,
  summary: 'Updates of payments as server-sent events',
  reply: { 200: z.string() },
  events: { payments: LiveUpdate },
  errors: ['session_invalid'],
})
