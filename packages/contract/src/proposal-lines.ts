import type { RefundId } from './ids.ts'

/** The names of the lines of proposals. The console has a text of each. */
export const lineLabels = [
  'Account',
  'Account name',
  'Account no.',
  'Although the provider has returned the charge',
  'Amount',
  'App',
  'Application',
  'Attempt',
  'Bank',
  'Charge',
  'Difference goes to',
  'Link',
  'Moved amount',
  'Paid by the provider',
  'Payers see',
  'Payment',
  'Reference',
  'Refund',
  'Reserved words',
  'Resolved',
  'Returned by the provider',
  'Reversed amount',
  'Review',
  'Role',
  'Route',
  'Sent',
  'Status',
  'Whole amount',
] as const
export type LineLabel = (typeof lineLabels)[number]

/** A change that an approval makes. A batch has a line for each refund, whose name is the shop and the id. */
export interface Line {
  readonly label: LineLabel | `${string}, ${RefundId}`
  readonly from: string | null
  readonly to: string
}
