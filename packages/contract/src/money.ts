import { z } from 'zod'
import { type Currency as Code, currencies } from './amounts.ts'

export * from './amounts.ts'

export const Currency = z.enum(currencies as [Code, ...Code[]])
export type Currency = Code
