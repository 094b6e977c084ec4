import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BankingDetails } from '@muripo/contract/applications'
import { money } from '@muripo/contract/money'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { updateBanking } from '../src/modules/applications/actions/update-banking.ts'
import { findApplication } from '../src/modules/applications/store.ts'
import type { KeyOwner } from '../src/modules/applications/store-keys.ts'
import { handleCallback } from '../src/modules/payments/actions/handle-callback.ts'
import { refundPayment } from '../src/modules/payments/actions/request-refund.ts'
import {
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  refused,
  renew,
  standingOf,
  unanswered,
} from '../src/modules/payments/factory.ts'
import type { Payment } from '../src/modules/payments/payment/payment.ts'
import { refundsOf } from '../src/modules/payments/payment/store-refunds.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { auditEntriesOn, byMerchant } from './audit-entries.ts'
import { type GroupedWorld, makeGroupedWorld } from './grouped-world.ts'
import { makeTerminal } from './terminal.ts'

describe.skipIf(process.env.CITUS_URL === undefined)(
  'a command of the administrator on several nodes',
  () => {
    let grouping: GroupedWorld
    let terminal: ReturnType<typeof makeTerminal>
    let owners: [KeyOwner, KeyOwner]

    beforeAll(async () => {
      grouping = await makeGroupedWorld()
      terminal = makeTerminal(grouping.world.ctx.databaseUrl)
    })
    afterAll(async () => {
      terminal.remove()
      await grouping.close()
    })
    beforeEach(async () => {
      renew(grouping.world.provider)
      owners = await grouping.ownersOfTwoGroups()
    })

    const ctxOf = ({ accountId }: KeyOwner) => grouping.ctxs.of(accountId)
    const done = async (...args: readonly string[]): Promise<string> => {
      const { code, output } = await terminal.admin(...args)
      expect([code, output]).toEqual([0, output])
      return output
    }
    const refusedWith = async (sentence: string, ...args: readonly string[]): Promise<void> =>
      expect(await terminal.admin(...args)).toEqual({ code: 1, output: expect.stringContaining(sentence) })
    const actionsOn = async (subject: string) =>
      (await auditEntriesOn(grouping.world.ctx, subject)).map(({ action }) => action)

    test('changes the rows of a merchant in its group', async () => {
      for (const owner of owners) {
        const { accountId } = owner
        await done(
          ...['ledger', 'adjust', '--merchant', accountId, '--debit', 'suspense', '--credit', 'fee.revenue'],
          ...['--amount', '1.50', '--currency', 'USD', '--reason', 'a correction'],
        )
        expect(await standingOf(ctxOf(owner), accountId)).toEqual({ 'fee.revenue': -150n, suspense: 150n })
        await done('merchants', 'suspend', accountId, '--reason', 'a question')
        await done('merchants', 'show', accountId)
        await expect(makePayment(ctxOf(owner), owner)).rejects.toMatchObject({ code: 'merchant_not_active' })
      }
    })

    test('stops, resumes and revokes the key of an application in its group', async () => {
      for (const owner of owners) {
        const { applicationId } = owner
        await done('applications', 'stop', applicationId, '--reason', 'a question')
        await expect(makePayment(ctxOf(owner), owner)).rejects.toMatchObject({ code: 'application_inactive' })
        await done('applications', 'resume', applicationId, '--reason', 'an answer')
        await makePayment(ctxOf(owner), owner)
        await done('keys', 'revoke', applicationId, '--reason', 'it leaked')
        await expect(makePayment(ctxOf(owner), owner)).rejects.toMatchObject({ code: 'invalid_key' })
        expect(await actionsOn(applicationId)).toEqual([
          'application.stopped_by_operator',
          'application.resumed_by_operator',
          'application.key_revoked_by_operator',
        ])
      }
      await refusedWith(
        'There is no application',
        ...['applications', 'stop', `app_${'0'.repeat(26)}`, '--reason', 'a question'],
      )
    })

    test('reviews the banking details of an application in its group', async () => {
      const details = BankingDetails.parse({
        bankName: 'CBZ Bank',
        bankAccountNumber: '0123456789',
        bankAccountName: 'Chikomo Trading',
        bankAccountType: 'Current',
      })
      for (const owner of owners) {
        const { accountId, applicationId } = owner
        await updateBanking(ctxOf(owner), byMerchant(accountId), accountId, applicationId, details)
      }
      const [first, second] = owners
      const listed = await done('banking', 'list')
      for (const { applicationId } of owners) expect(listed).toContain(applicationId)
      await done('banking', 'approve', first.applicationId, '1')
      await done('banking', 'reject', second.applicationId, '1', '--reason', 'Another name')
      const bankingOf = async (owner: KeyOwner) =>
        (await findApplication(ctxOf(owner).db.kysely, owner.accountId, 'test', owner.applicationId))?.banking
      expect(await bankingOf(first)).toMatchObject({ nameApproved: true })
      expect(await bankingOf(second)).toMatchObject({ nameApproved: false, rejection: 'Another name' })
      await refusedWith('There is no application', 'banking', 'approve', `app_${'0'.repeat(26)}`, '1')
    })

    test('resolves a payment in its group', async () => {
      const { provider } = grouping.world
      const held = async (owner: KeyOwner): Promise<Payment> => {
        const payment = await makePayment(ctxOf(owner), owner)
        provider.charge = async () => paid(money(1249n, 'USD'))
        await makeAttempt(ctxOf(owner), payment)
        return payment
      }
      const payments = [await held(owners[0]), await held(owners[1])]
      const listed = await done('payments', 'review')
      for (const { id } of payments) expect(listed).toContain(id)
      for (const [index, owner] of owners.entries()) {
        const { id } = payments[index] as Payment
        await done(
          ...['payments', 'resolve', id, 'completed', '--reference', 'MP77'],
          ...['--amount', '12.49', '--reason', 'a cent less'],
        )
        expect(await paymentNow(ctxOf(owner), owner, id)).toMatchObject({ status: 'completed' })
        await refusedWith('waits for a decision', 'payments', 'resolve', id, 'failed')

        const charged = await makePaid(ctxOf(owner), owner, provider)
        const chargeback = ['--amount', '5.00', '--reason', 'Chargeback']
        await done('payments', 'reversed', owner.accountId, charged.id, ...chargeback)
        const before = await standingOf(ctxOf(owner), owner.accountId)
        await done('payments', 'resolve', charged.id, 'reversed', ...chargeback)
        const after = await standingOf(ctxOf(owner), owner.accountId)
        expect((after['clearing.scripted'] ?? 0n) - (before['clearing.scripted'] ?? 0n)).toBe(-500n)
      }
      await refusedWith('waits for a decision', 'payments', 'resolve', `pay_${'0'.repeat(26)}`, 'failed')
    })

    test('resolves a refund in its group', async () => {
      const { provider, ctx } = grouping.world
      for (const owner of owners) {
        const { accountId } = owner
        const group = ctxOf(owner)
        const payment = await makePaid(group, owner, provider, { amount: 25 })
        const ids = async () => (await refundsOf(group.db.kysely, accountId, payment.id)).map(({ id }) => id)
        const refund = async (amount: number) => {
          const before = await ids()
          await refundPayment(group, byMerchant(accountId), accountId, payment.id, {
            amount,
            currency: 'USD',
          })
          return (await ids()).find((id) => !before.includes(id)) ?? ''
        }
        const now = async () => (await paymentNow(group, owner, payment.id)).refunded.minor

        provider.refundsBy = 'manual'
        const sent = await refund(5)
        expect(await done('refunds', 'list')).toContain(sent)
        expect(await done('refunds', 'show', sent)).toContain('USD 5.00')
        await done('refunds', 'paid', sent, '--reference', 'EC77')
        expect(await now()).toBe(500n)
        await refusedWith('already resolved', 'refunds', 'paid', sent, '--reference', 'EC78')
        const failed = await refund(5)
        await done('refunds', 'failed', failed, '--reason', 'The number is closed')
        await done('refunds', 'open', accountId, payment.id, '--amount', '5', '--reason', 'Goodwill')
        expect(await now()).toBe(500n)

        // A refund that its provider pays after it has failed.
        provider.refundsBy = 'api-partial'
        provider.refund = async () => Promise.reject(unanswered())
        provider.lookupRefund = async () => refused()
        const late = await refund(10)
        const token = provider.refunds.at(-1)?.callbackUrl.split('/').at(-1) ?? ''
        await handleCallback(group, 'scripted', token)
        provider.refund = async ({ amount }) => paid(amount, 'R2')
        ctx.clock.advance(11 * 60_000)
        await refund(15)
        provider.lookupRefund = async () => paid(money(1000n, 'USD'), 'R1')
        await handleCallback(group, 'scripted', token)
        await done('refunds', 'settled', late, '--how', 'The payer gave it back', '--amount', '10')
        await refusedWith('is already resolved', 'refunds', 'settled', late, '--how', 'Again')
        expect((await standingOf(group, accountId)).suspense).toBe(1000n)
      }
      await refusedWith('There is no refund', 'refunds', 'paid', `rfd_${'0'.repeat(26)}`, '--reference', 'EC')
    })

    test('erases a closed merchant', async () => {
      const [owner] = owners
      const { accountId, applicationId } = owner
      const erase = ['merchants', 'erase', accountId, '--reason', 'on request']
      const place = (debit: string, credit: string) =>
        done(
          ...['ledger', 'adjust', '--merchant', accountId, '--debit', debit, '--credit', credit],
          ...['--amount', '2', '--currency', 'USD', '--reason', 'a correction'],
        )
      await done('merchants', 'close', accountId, '--reason', 'on request')
      await place('suspense', 'fee.revenue')
      await refusedWith('is not settled: suspense in USD', ...erase)
      await place('fee.revenue', 'suspense')
      expect(await done(...erase)).toContain('is erased')
      expect(await done(...erase)).toContain('was erased before')
      expect(await findApplication(ctxOf(owner).db.kysely, accountId, 'test', applicationId)).toMatchObject({
        name: 'Erased',
      })
      expect(await done('merchants', 'show', accountId)).toContain('@erased.invalid')
      expect(await actionsOn(accountId)).toContain('merchant.erased')
    })

    test('exports the rows of a merchant', async () => {
      for (const owner of owners) {
        const payment = await makePaid(ctxOf(owner), owner, grouping.world.provider)
        const file = path.join(terminal.dataDir, owner.accountId)
        await done('merchants', 'export', owner.accountId, file)
        const { payments, ledger_transfers } = JSON.parse(readFileSync(file, 'utf8'))
        expect(payments).toMatchObject([{ id: uuidOf(payment.id), status: 'completed' }])
        expect(ledger_transfers).toHaveLength(2)
      }
    })

    test('adds up the ledger of all groups', async () => {
      const { provider } = grouping.world
      const ofAll = async (): Promise<number> => {
        const [, figure = '0'] = /^fee\.revenue .* (-?[\d.,]+)$/m.exec(await done('ledger')) ?? []
        return Math.round(Number(figure.replaceAll(',', '')) * 100)
      }
      const before = await ofAll()
      let fees = 0
      for (const owner of owners) {
        await makePaid(ctxOf(owner), owner, provider)
        const fee = (await standingOf(ctxOf(owner), owner.accountId))['fee.revenue'] ?? 0n
        expect(fee).toBeLessThan(0n)
        fees += Number(fee)
        expect(await done('ledger', '--merchant', owner.accountId)).toContain('In balance')
      }
      expect(await ofAll()).toBe(before + fees)
      for (const owner of owners) {
        const spoil = (by: number) =>
          ctxOf(owner).db.pool.query(
            'update payments set refund_pending_minor = refund_pending_minor + $2 where account_id = $1',
            [uuidOf(owner.accountId), by],
          )
        await spoil(1)
        await refusedWith('NOT IN BALANCE\nThe ledger and pay_', 'ledger')
        await spoil(-1)
      }
      await done('ledger')
    })

    test('lists merchants and the log of all groups', async () => {
      const listed = await done('merchants', 'list')
      const log = await done('audit', 'list')
      expect(listed).toContain(owners[0].accountId)
      expect(log).not.toBe('Nothing is written down.')
    })
  },
)
