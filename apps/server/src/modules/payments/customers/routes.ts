import * as contract from '@muripo/contract/customers'
import { CustomerId } from '@muripo/contract/ids'
import { AppError, invalidField } from '../../../platform/errors.ts'
import { publicPage } from '../../../platform/http/page.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { requestedId } from '../../../platform/ids.ts'
import type { KeyOwner } from '../../applications/index.ts'
import { toE164 } from '../../identity/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { customerOf } from '../payment/customer.ts'
import { findCustomer, listStoredCustomers, type StoredCustomer } from '../payment/store-customers.ts'

/** A customer belongs to the merchant: all applications of a merchant share its customers. */
export function publicCustomerRoutes(ctx: PaymentsCtx): Binding<KeyOwner>[] {
  const db = ctx.reads.kysely
  return [
    bind(
      contract.listCustomers,
      async ({ caller: { accountId }, query: { limit, cursor, email, phone } }) => {
        if (cursor !== undefined && (await findCustomer(db, accountId, cursor)) === null) {
          throw invalidField('cursor', 'Must be the next_cursor of an earlier page')
        }
        const named =
          email === undefined ? null : customerOf(ctx.keys, accountId, { email, phone: null, name: null })
        const filter = {
          ...(named && { id: named.id }),
          ...(phone !== undefined && { phone: readPhone(phone) }),
          ...(cursor !== undefined && { cursor }),
          most: limit + 1,
        }
        const isNobody = email !== undefined && named === null
        const found = isNobody ? [] : await listStoredCustomers(db, accountId, filter)
        return answer(200, publicPage(found, limit, toPublicCustomer))
      },
    ),
    bind(contract.getCustomer, async ({ caller, params }) => {
      const id = requestedId(CustomerId, params.customerId)
      const customer = await findCustomer(db, caller.accountId, id)
      if (customer === null) throw new AppError('not_found')
      return answer(200, toPublicCustomer(customer))
    }),
  ]
}

function readPhone(text: string): string {
  const phone = toE164(text)
  if (phone === null) throw invalidField('phone', 'Please enter a valid phone number')
  return phone
}

const toPublicCustomer = ({
  id,
  email,
  name,
  phone,
  createdAt,
}: StoredCustomer): contract.PublicCustomer => ({
  id,
  object: 'customer',
  email,
  name,
  phone,
  created_at: createdAt.toISOString(),
})
