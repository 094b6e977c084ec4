import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { merchantTables } from '../merchant-tables.ts'
import { eraseApplications } from '../modules/applications/index.ts'
import {
  environmentsOf,
  eraseMerchantAccount,
  isErased,
  lockMerchant,
  type MerchantRecord,
  personsOfOnly,
  removeDocumentFiles,
} from '../modules/identity/index.ts'
import { balancesOf } from '../modules/ledger/index.ts'
import { eraseProposals } from '../modules/operators/index.ts'
import { paymentsUnderway } from '../modules/payments/index.ts'
import { eraseEndpoints } from '../modules/webhooks/index.ts'
import { audit } from '../platform/audit/audit.ts'
import { merchantRows } from '../platform/db/merchant-rows.ts'
import { uuidOf } from '../platform/ids.ts'
import { reasonIn } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused } from './command.ts'
import { merchantIn } from './find.ts'
import { oneLine } from './print.ts'

export const merchantDataCommands: readonly Command[] = [
  {
    words: 'merchants export',
    parameters: ['MERCHANT', 'FILE'],
    does: 'write everything that is stored about a merchant, without secrets, to a new file',
    run: exportTo,
  },
  {
    words: 'merchants erase',
    parameters: ['MERCHANT'],
    options: { reason: 'TEXT' },
    does: 'erase the personal details of a closed merchant; payments and the ledger keep their ids and amounts',
    run: erase,
  },
]

async function exportTo(context: OperatorContext, args: CommandArguments): Promise<string> {
  const { ctx, operator, directory } = context
  const merchant = await merchantIn(context, args)
  const file = resolve(directory, args.values[1] ?? '')
  const output = await open(file, 'wx', 0o600).catch(() => {
    throw new Refused(`${oneLine(file)} exists already, or cannot be written.`)
  })
  try {
    // Recorded before any output.
    await ctx.db.tx((tx) =>
      audit(ctx, tx, operator, {
        action: 'merchant.exported',
        subject: merchant.id,
        accountId: merchant.id,
      }),
    )
    let count = 0
    await ctx.db.tx(async (tx) => {
      // One snapshot, so that the tables fit together.
      await sql`set transaction isolation level repeatable read, read only`.execute(tx)
      const owners = {
        merchant: [uuidOf(merchant.id)],
        person: await personsOfOnly(tx, merchant.id),
        environment: await environmentsOf(tx, merchant.id),
        document: [uuidOf(merchant.documentId)],
      }
      await output.write(`{"merchant":${JSON.stringify(merchant.id)}`)
      for (const each of merchantTables) {
        await output.write(`,\n"${each.table}":[`)
        let separator = '\n'
        for (const owner of owners[each.ownedBy]) {
          for await (const row of merchantRows(tx, each, owner)) {
            await output.write(separator + row)
            separator = ',\n'
            count += 1
          }
        }
        await output.write(']')
      }
      await output.write('}\n')
    })
    return `${count} rows of ${merchant.id} are in ${oneLine(file)}. The document is saved with: npm run admin -- documents save ${merchant.documentId} FILE.pdf`
  } finally {
    await output.close()
  }
}

/** The number of payments that are counted before an erasure is refused. */
const COUNTED = 1000

async function erase(context: OperatorContext, args: CommandArguments): Promise<string> {
  const { ctx, ctxs, operator } = context
  const reason = reasonIn(args.options)
  const { id } = await merchantIn(context, args)
  const isNew = await ctx.db.tx(async (tx) => {
    const merchant = await lockMerchant(tx, id)
    if (merchant !== null && (await isErased(tx, id))) return false
    await refuseUnlessDone(tx, ctxs.of(id), merchant)
    const environments = await environmentsOf(tx, id)
    const at = ctx.clock.now()
    const persons = await personsOfOnly(tx, id)
    await eraseProposals(ctx, tx, operator, { merchantId: id, environments, persons })
    await eraseEndpoints(tx, environments, at)
    await eraseApplications(tx, environments, at)
    await eraseMerchantAccount(tx, id)
    await audit(ctx, tx, operator, {
      action: 'merchant.erased',
      subject: id,
      accountId: id,
      details: { reason },
    })
    return true
  })
  // An interrupted command is repeated, and removes them then.
  await removeDocumentFiles(ctx, id)
  return isNew
    ? `${id} is erased: it has no name, address, number, document, session or key any more. Payments, ledger and audit log stay. Events are deleted after 30 days.`
    : `${id} was already erased. Nothing has changed.`
}

/**
 * Refuses the erasure of a merchant that is not closed, has payments in progress, or has a balance.
 * @param group of the merchant: the view of balances exists there
 */
async function refuseUnlessDone(
  tx: Parameters<typeof paymentsUnderway>[0],
  group: OperatorContext['ctx'],
  merchant: MerchantRecord | null,
): Promise<void> {
  if (merchant?.status !== 'closed')
    throw new Refused('Only a closed merchant can be erased: merchants close. Nothing has changed.')
  const underway = await paymentsUnderway(tx, await environmentsOf(tx, merchant.id), COUNTED)
  if (underway > 0)
    throw new Refused(
      `${merchant.id} has ${underway === COUNTED ? `${COUNTED} or more` : underway} payments that are open, or whose calls are still looked up, which takes up to 72 hours. Nothing has changed.`,
    )
  // The merchant's id is the account of the live environment. Test payments are no debts.
  const balances = await balancesOf(group.db.kysely, merchant.id)
  const owed = balances.filter(
    ({ code, balanceMinor }) =>
      ['merchant.payable', 'refunds.payable', 'suspense'].includes(code) && balanceMinor !== 0n,
  )
  if (owed.length > 0)
    throw new Refused(
      `The ledger of ${merchant.id} is not settled: ${owed.map(({ code, currency }) => `${code} in ${currency}`).join(', ')}. Pay it out and adjust the ledger first. Nothing has changed.`,
    )
}
