/** The closed lists of the wire, without their schemas: a page that shows a list need not load the schema library. */

export const paymentStatuses = ['pending', 'authorized', 'completed', 'failed', 'refunded'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** manual: the payer authorises the amount, and the merchant captures it later. */
export const captureModes = ['automatic', 'manual'] as const
export type CaptureMode = (typeof captureModes)[number]

export const paymentMethods = ['ecocash', 'innbucks', 'onemoney', 'visa'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** The names of the methods for people. */
export const methodNames: Readonly<Record<PaymentMethod, string>> = {
  ecocash: 'EcoCash',
  innbucks: 'InnBucks',
  onemoney: 'OneMoney',
  visa: 'Visa/Mastercard',
}

/** The languages of the payer's page: English, chiShona and isiNdebele of Zimbabwe. */
export const locales = ['en', 'sn', 'nd'] as const
export type Locale = (typeof locales)[number]

/** The reasons of a payment's status. The screens turn each code into a sentence. */
export const statusReasons = [
  'awaiting_payer',
  'checking',
  'under_review',
  'awaiting_capture',
  'insufficient_funds',
  'wrong_pin',
  'user_cancelled',
  'expired',
  'cancelled',
  'limit_exceeded',
  'barred',
  'declined',
  'provider_unavailable',
] as const
export type StatusReason = (typeof statusReasons)[number]

/** The reason why a payment accepts no more attempts. It fails for this reason once no attempt is open. */
export type TerminationReason = Extract<StatusReason, 'cancelled' | 'expired'>

export const categories = [
  'Other',
  'E-commerce',
  'SaaS',
  'Mobile App',
  'Web Application',
  'Fintech',
  'Healthcare',
  'Education',
  'Real Estate',
  'Travel & Tourism',
  'Food & Beverage',
  'Entertainment',
  'Gaming',
  'Non-profit',
  'Government',
  'Manufacturing',
  'Retail',
  'Transportation',
  'Utilities',
  'Insurance',
  'Banking',
  'Investment',
  'Cryptocurrency',
  'NFT Marketplace',
  'Subscription Service',
  'Marketplace',
  'Booking Platform',
  'Social Media',
  'Content Platform',
  'Analytics Tool',
  'CRM System',
  'ERP System',
  'Project Management',
  'Communication Tool',
  'Collaboration Platform',
  'Learning Management',
  'Event Management',
  'Inventory Management',
  'Point of Sale',
  'Payment Gateway',
  'Digital Wallet',
  'Remittance Service',
] as const
export type Category = (typeof categories)[number]
export const DEFAULT_CATEGORY: Category = 'Other'

export const applicationStatuses = ['active', 'inactive'] as const

export const bankAccountTypes = ['Current', 'Savings', 'Business', 'Foreign currency (Nostro)'] as const

export const accountTypes = ['individual', 'business'] as const
export type AccountType = (typeof accountTypes)[number]

/** The groups of actions by which the activity is filtered. */
export const activityGroups = [
  'team',
  'account',
  'session',
  'document',
  'application',
  'webhook',
  'payment',
  'refund',
  'customer',
  'ledger',
  'merchant',
] as const
export type ActivityGroup = (typeof activityGroups)[number]
