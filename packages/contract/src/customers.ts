import { z } from 'zod'
import { CustomerId } from './ids.ts'
import { route } from './route.ts'
import { Email, PathId, phoneText, Timestamp } from './text.ts'

/** The customer fields of a payment. */
export const PaymentCustomer = z.object({
  id: CustomerId.nullable().describe('Null until an email or a phone number is known'),
  email: z.string().nullable(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
})

export const PublicCustomer = z
  .object({
    id: CustomerId.describe(
      'The same for every payment with this email or, without an email, with this phone number',
    ),
    object: z.literal('customer'),
    email: z.string().nullable(),
    name: z.string().nullable(),
    phone: z.string().nullable().describe('With its country code, such as +263771234567'),
    created_at: Timestamp,
  })
  .meta({ id: 'Customer' })
export type PublicCustomer = z.infer<typeof PublicCustomer>

export const PublicCustomerQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: CustomerId.optional(),
  email: Email.optional(),
  phone: phoneText('Must not be empty').optional(),
})
export type PublicCustomerQuery = z.output<typeof PublicCustomerQuery>

export const listCustomers = route({
  method: 'GET',
  path: '/customers',
  access: 'customers.read',
  summary: 'List customers',
  query: PublicCustomerQuery,
  reply: {
    200: z
      .object({
        data: z.array(PublicCustomer),
        has_more: z.boolean(),
        next_cursor: CustomerId.nullable(),
      })
      .meta({ id: 'CustomerList' }),
  },
  errors: ['invalid_key', 'application_inactive', 'validation_failed'],
})

export const getCustomer = route({
  method: 'GET',
  path: '/customers/:customerId',
  access: 'customers.read',
  summary: 'Read a customer',
  params: z.object({ customerId: PathId }),
  reply: { 200: PublicCustomer },
  errors: ['invalid_key', 'application_inactive', 'not_found'],
})
