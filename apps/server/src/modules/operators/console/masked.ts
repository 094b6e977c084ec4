import type { PaymentDetails } from '@muripo/contract/dashboard-payments'
import { maskedEmail } from '../../identity/index.ts'
import { maskedNumber } from '../../payments/index.ts'

/** "077 *** 4567". */
export const maskedPhone = (phone: string): string => maskedNumber({ msisdn: phone.replace(/^\+/, '') }) ?? ''

const maskedName = (name: string): string => `${[...name][0] ?? ''}•••`

/** The details of a payment without what identifies its payer. */
export const maskedDetails = (details: PaymentDetails): PaymentDetails => ({
  ...details,
  customerPhoneNumber: details.customerPhoneNumber && maskedPhone(details.customerPhoneNumber),
  customer: {
    ...details.customer,
    email: details.customer.email && maskedEmail(details.customer.email),
    name: details.customer.name && maskedName(details.customer.name),
    phone: details.customer.phone && maskedPhone(details.customer.phone),
  },
})
