import * as contract from '@muripo/contract/site'
import type { Ctx } from '../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../platform/http/route.ts'
import { admitPerAddress, admitPerAddressInMemory } from '../../platform/limits/admit.ts'
import type { Limit } from '../../platform/limits/limits.ts'
import type { StatusReader } from './actions/read-status.ts'
import { sendContact } from './actions/send-contact.ts'

/** The limit is counted before a body is read. Sent messages have a lower limit of their own. */
const CONTACT_CALLS: Limit = { name: 'contact-call', quota: 30, windowMs: 60 * 60 * 1000 }

const STATUS_READS: Limit = { name: 'status', quota: 300, windowMs: 60 * 1000 }

/** The routes of the public pages, without authentication. */
export function siteRoutes(ctx: Ctx, readStatus: StatusReader): Binding<null>[] {
  return [
    bind(
      contract.sendContact,
      async ({ body, request }) => answer(202, await sendContact(ctx, body, request.ip)),
      admitPerAddress(ctx, [CONTACT_CALLS]),
    ),
    bind(
      contract.getStatus,
      async () => answer(200, await readStatus()),
      admitPerAddressInMemory(ctx, STATUS_READS),
    ),
  ]
}
