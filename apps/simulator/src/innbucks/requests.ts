import { z } from 'zod'

export const LogIn = z.object({ username: z.string(), password: z.string() })
export const Generate = z.object({
  reference: z.string().min(1),
  narration: z.string().default(''),
  amount: z.int().positive(),
  type: z.literal('PAYMENT'),
})
export const Inquiry = z.object({ reference: z.string().min(1), code: z.string().min(1) })
