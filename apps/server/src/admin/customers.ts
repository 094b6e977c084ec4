import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type AccountId, CustomerId } from '@muripo/contract/ids'
import { cleanEmail } from '@muripo/contract/typed-text'
import { customerOf, eraseCustomer, exportCustomer } from '../modules/payments/index.ts'
import { parseId } from '../platform/ids.ts'
import { retentionMs } from '../platform/jobs/retention.ts'
import { reasonIn } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused } from './command.ts'
import { merchantIn } from './find.ts'
import { oneLine } from './print.ts'

const DAYS_RETAINED = retentionMs('retainedNumbers') / 86_400_000

const parameters = ['MERCHANT', 'CUSTOMER'] as const

/** A customer belongs to one merchant: the same person at another merchant is another customer. */
export const customerCommands: readonly Command[] = [
  {
    words: 'customers export',
    parameters: [...parameters, 'FILE'],
    does: "write everything that is stored about a merchant's customer (cus_…, email or phone number) to a new file",
    run: exportTo,
  },
  {
    words: 'customers erase',
    parameters,
    options: { reason: 'TEXT' },
    does: 'erase every personal field of the customer; payments keep their ids and amounts',
    run: erase,
  },
]

async function exportTo(context: OperatorContext, args: CommandArguments): Promise<string> {
  const { ctxs, operator, directory } = context
  const { accountId, id } = await customerIn(context, args)
  const file = resolve(directory, args.values[2] ?? '')
  // Recorded before any output.
  const exported = await exportCustomer(ctxs.of(accountId), operator, accountId, id)
  if (exported === null) throw noCustomer(args)
  await writeFile(file, `${JSON.stringify(exported, null, 2)}\n`, { mode: 0o600, flag: 'wx' }).catch(() => {
    throw new Refused(`${oneLine(file)} exists already, or cannot be written.`)
  })
  return `${id} with ${countOf(exported.payments.length)} is in ${oneLine(file)}.`
}

async function erase(context: OperatorContext, args: CommandArguments): Promise<string> {
  const { ctxs, operator } = context
  const reason = reasonIn(args.options)
  const { accountId, id } = await customerIn(context, args)
  const erased = await eraseCustomer(ctxs.of(accountId), operator, accountId, id, reason)
  switch (erased.kind) {
    case 'none':
      throw noCustomer(args)
    case 'open':
      throw new Refused(
        `${id} has ${countOf(erased.payments)} that are open, or whose calls are still looked up, which takes up to 72 hours. Nothing has changed.`,
      )
    case 'erased':
      return `${id} is erased, and ${countOf(erased.payments)} of it has no personal field any more. ${retainedText(erased.retained)}Events and callbacks with them are deleted after 30 days.`
  }
}

const retainedText = (retained: number): string =>
  retained === 0
    ? ''
    : `The phone number of ${countOf(retained)} stays encrypted for refunds and disputes, and is deleted ${DAYS_RETAINED} days after the payment. `

async function customerIn(
  context: OperatorContext,
  args: CommandArguments,
): Promise<{ readonly accountId: AccountId; readonly id: CustomerId }> {
  const { id: accountId } = await merchantIn(context, args)
  const text = cleanEmail(args.values[1] ?? '')
  const isEmail = text.includes('@')
  const named = { email: isEmail ? text : null, phone: isEmail ? null : text, name: null }
  const id = parseId(CustomerId, text) ?? customerOf(context.ctx.keys, accountId, named)?.id
  if (id === undefined) throw noCustomer(args)
  return { accountId, id }
}

const noCustomer = ({ values: [merchant = '', customer = ''] }: CommandArguments): Refused =>
  new Refused(`${oneLine(merchant)} has no customer ${oneLine(customer)}.`)

const countOf = (payments: number): string => (payments === 1 ? 'one payment' : `${payments} payments`)
