import type { Filters } from '../../../lib/payment-filters.ts'

/** payments: those that the filters keep. movements: all of the filtered days, each refund on its own day. */
export const contents = ['payments', 'movements'] as const
export const fileFormats = ['csv', 'xlsx'] as const

export interface ExportChoice {
  readonly content: (typeof contents)[number]
  readonly format: (typeof fileFormats)[number]
}

export interface ExportOrder extends ExportChoice {
  readonly filters: Filters
}
