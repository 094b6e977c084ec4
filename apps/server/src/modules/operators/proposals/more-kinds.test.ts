import { PaymentId, type ProposalId } from '@muripo/contract/ids'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeApp, withProviders } from '../../../../test/app.ts'
import { auditEntriesOn, byMerchant } from '../../../../test/audit-entries.ts'
import { type AtConsole, operatorAt, propose } from '../../../../test/console.ts'
import { freshShop, makeWorld, type Shop } from '../../../../test/world.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { makeNamedKey } from '../../applications/factory.ts'
import { makeMerchant } from '../../identity/factory.ts'
import { accountByEmail } from '../../identity/index.ts'
import { adjust } from '../../ledger/index.ts'
import {
  freshReference,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  refused,
} from '../../payments/factory.ts'
import { refundPayment, refundsOf } from '../../payments/index.ts'
import { operatorByEmail } from '../people/store-operators.ts'
import { approveProposal } from './actions/approve.ts'

const world = await makeWorld()
const { ctx } = world
let app: Awaited<ReturnType<typeof makeApp>>
let one: AtConsole
let other: AtConsole
let shop: Shop

beforeAll(async () => {
  app = await makeApp(ctx)
})
beforeEach(async () => {
  ctx.clock.advance(60_000)
  one = await operatorAt(app, ctx, 'admin')
  other = await operatorAt(app, ctx, 'admin')
  shop = await freshShop(world)
})
afterAll(async () => {
  await app.close()
  await ctx.close()
})

/** Proposes by one operator and approves by another. */
async function decided(kind: string, subject: string, more: object = {}) {
  const { status, body } = await propose(one, kind, subject, more)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return other.approve(body.id)
}
const balance = async (code: string) => {
  const { rows } = await ctx.db.pool.query(
    `select coalesce(sum(case when debit_code = $2 then amount_minor else -amount_minor end), 0)::int as sum
     from ledger_transfers where account_id = $1 and $2 in (debit_code, credit_code)`,
    [uuidOf(shop.accountId), code],
  )
  return rows[0].sum as number
}
const approveAs = async ({ email }: AtConsole, id: ProposalId) => {
  const operator = await operatorByEmail(ctx.db.kysely, email)
  if (operator === null) throw new Error('no operator')
  const actor = operatorActor(email, 'root@till')
  return approveProposal({ ctx: withProviders(ctx), paymentsOf: () => ctx }, { actor, operator, id })
}

describe('an adjustment of the ledger', () => {
  const adjustment = { debit: 'suspense', credit: 'merchant.payable', amount: '12.50', currency: 'USD' }

  test('is booked by the approval, and not before', async () => {
    const { body: proposal } = await propose(one, 'ledger.adjust', shop.merchantId, adjustment)
    expect(proposal.diff).toContainEqual({ label: 'Amount', from: null, to: 'USD 12.50' })
    expect(await balance('suspense')).toBe(0)
    expect((await other.approve(proposal.id)).body.state).toBe('approved')
    expect(await balance('suspense')).toBe(1250)
  })

  test('of test payments is on the page of the merchant', async () => {
    const { body: proposal } = await propose(one, 'ledger.adjust', shop.merchantId, {
      ...adjustment,
      forTests: true,
    })
    const { body: merchant } = await other.call('GET', `/merchants/${shop.merchantId}`)
    expect(merchant.proposals).toMatchObject([
      { id: proposal.id, about: `${shop.merchantId}, test payments` },
    ])
    expect(merchant.ledger.accounts).toContain(adjustment.debit)
  })

  test('is out of date after another one of the merchant', async () => {
    const { body: proposal } = await propose(one, 'ledger.adjust', shop.merchantId, adjustment)
    await ctx.db.tx((tx) =>
      adjust(ctx, tx, shop, {
        debit: 'suspense',
        credit: 'fee.revenue',
        amount: { minor: 1n, currency: 'USD' },
        paymentId: null,
        reason: 'r',
        actor: operatorActor('root', 'root@till'),
      }),
    )
    expect((await other.approve(proposal.id)).body.code).toBe('proposal_stale')
    expect(await balance('suspense')).toBe(1)
  })

  test.each([
    [{ debit: 'clearing.nobody' }, 'There is no account clearing.nobody'],
    [{ debit: 'merchant.payable' }, 'Name two accounts'],
    [{ payment: '@payment' }, 'The merchant has no payment'],
  ])('is refused: %o', async (wrong, sentence) => {
    const payment = ctx.ids.next(PaymentId)
    const more = { ...adjustment, ...wrong, ...('payment' in wrong && { payment }) }
    const { body } = await propose(one, 'ledger.adjust', shop.merchantId, more)
    expect(body).toMatchObject({ code: 'proposal_refused', detail: expect.stringContaining(sentence) })
  })

  test.each([
    [{ amount: '0' }, 'amount'],
    [{ amount: '1,5' }, 'amount'],
    [{ debit: 'refunds.payable' }, 'debit'],
    [{ currency: undefined }, 'currency'],
    [{ outcome: 'failed' }, 'outcome'],
  ])('names the wrong field: %o', async (wrong, field) => {
    const { status, body } = await propose(one, 'ledger.adjust', shop.merchantId, { ...adjustment, ...wrong })
    expect([status, body.errors[0].field]).toEqual([422, field])
  })
})

describe('a refund', () => {
  const opened = (id: PaymentId) => refundsOf(ctx.db.kysely, shop.accountId, id)

  test('is opened by the approval with the proposed amount', async () => {
    const payment = await makePaid(ctx, shop.owner, world.provider)
    const { body } = await decided('refund.open', payment.id, { amount: '2', byHand: true })
    expect(body.state).toBe('approved')
    expect(await opened(payment.id)).toMatchObject([{ status: 'awaiting_operator', amount: { minor: 200n } }])
  })

  test('of more than remains is refused', async () => {
    const payment = await makePaid(ctx, shop.owner, world.provider)
    const { body } = await propose(one, 'refund.open', payment.id, { amount: '9999' })
    expect([body.code, body.errors[0].field]).toEqual(['proposal_refused', 'amount'])
  })

  test('whose provider declines it is approved all the same, since the decline came after the commit', async () => {
    const payment = await makePaid(ctx, shop.owner, world.provider)
    world.provider.refundsBy = 'api-full'
    world.provider.refund = async () => refused()
    const { status, body } = await decided('refund.open', payment.id)
    expect([status, body.state]).toEqual([200, 'approved'])
  })

  test('is opened once, and never beside a refund that came before it', async () => {
    world.provider.refundsBy = 'manual'
    for (let round = 0; round < 8; round += 1) {
      const payment = await makePaid(ctx, shop.owner, world.provider)
      const { body: proposal } = await propose(one, 'refund.open', payment.id, { byHand: true })
      const both = [
        () => approveAs(other, proposal.id),
        () =>
          refundPayment(ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
            amount: 1,
            currency: 'USD',
          }),
      ]
      await Promise.allSettled((round % 2 === 0 ? both : both.toReversed()).map((run) => run()))
      const { rows } = await ctx.db.pool.query('select state from proposals where id = $1', [
        uuidOf(proposal.id),
      ])
      const refunds = await opened(payment.id)
      const whole = refunds.filter(({ amount }) => amount.minor > 100n)
      expect(whole).toHaveLength(rows[0].state === 'approved' ? 1 : 0)
      expect(['approved', 'stale']).toContain(rows[0].state)
      const sum = refunds.reduce((total, { amount }) => total + amount.minor, 0n)
      expect(sum <= (await paymentNow(ctx, shop.owner, payment.id)).amount.minor).toBe(true)
    }
  })

  test('that came back is owed again, by two', async () => {
    world.provider.refundsBy = 'manual'
    const payment = await makePaid(ctx, shop.owner, world.provider)
    await decided('refund.open', payment.id, { byHand: true })
    const [refund] = await opened(payment.id)
    const id = refund?.id ?? ''
    expect((await propose(one, 'refund.bounce', id)).body.code).toBe('proposal_refused')
    await decided('refund.resolve', id, { outcome: 'completed', reference: `RV-${id}` })
    expect((await decided('refund.bounce', id)).body.state).toBe('approved')
    expect((await opened(payment.id)).map(({ status }) => status).toSorted()).toEqual([
      'awaiting_operator',
      'failed',
    ])
  })
})

test('a reversal is reported at once, and booked by two', async () => {
  const payment = await makePaid(ctx, shop.owner, world.provider)
  const reported = await propose(one, 'payment.reverse', payment.id, { amount: '3' })
  expect([reported.status, reported.body]).toEqual([200, { executed: true }])
  const again = await propose(one, 'payment.reverse', payment.id, { amount: '3' })
  expect(again.body).toMatchObject({
    code: 'proposal_refused',
    detail: 'This amount is reported already: give the total',
  })
  const refusedReview = async (more: object) => (await propose(one, 'anomaly.resolve', payment.id, more)).body
  expect((await refusedReview({ outcome: 'reversed', amount: '99' })).errors[0].field).toBe('amount')
  expect(await refusedReview({ outcome: 'bounced' })).toMatchObject({
    code: 'proposal_refused',
    detail: 'This is no possible outcome of the review',
  })
  const { body } = await decided('anomaly.resolve', payment.id, { outcome: 'reversed', amount: '3' })
  expect(body.state).toBe('approved')
  expect((await paymentNow(ctx, shop.owner, payment.id)).reversed.minor).toBe(300n)
  expect((await decided('payment.return', payment.id, { amount: '3' })).body.state).toBe('approved')
  expect((await paymentNow(ctx, shop.owner, payment.id)).reversed.minor).toBe(0n)
})

test('of several reversed charges the return names one, and is not more than is booked of it', async () => {
  const { charge } = world.provider
  const made = await makePayment(ctx, shop.owner)
  world.provider.charge = async () => refused()
  const failed = await makeAttempt(ctx, made)
  world.provider.charge = async ({ amount }) => paid(amount, freshReference())
  await makeAttempt(ctx, made)
  world.provider.charge = charge
  await propose(one, 'payment.reverse', made.id, { amount: '3' })
  await decided('anomaly.resolve', made.id, { outcome: 'reversed', amount: '3' })
  await ctx.db.pool.query(
    `insert into payment_anomalies (account_id, id, payment_id, attempt_id, kind, currency, provider_status, opened_at, resolved_at, resolution, booked_minor)
     select account_id, gen_random_uuid(), payment_id, $2, kind, currency, provider_status, opened_at, resolved_at, resolution, 200
     from payment_anomalies where payment_id = $1`,
    [uuidOf(made.id), uuidOf(failed.id)],
  )
  const { body: shown } = await one.call('GET', `/payments/${shop.accountId}/${made.id}`)
  const [charged] = shown.reversedCharges.filter(({ amount }: { amount: number }) => amount === 3)
  expect(shown.reversedCharges).toHaveLength(2)
  const returned = (more: object) => propose(one, 'payment.return', made.id, more)
  const refusedField = async (more: object) => (await returned(more)).body.errors[0].field
  expect(await refusedField({ amount: '3' })).toBe('review')
  expect(await refusedField({ amount: '3.01', review: charged.review })).toBe('amount')
  const { body: proposal } = await returned({ amount: '3', review: charged.review })
  expect(proposal).toMatchObject({
    paymentId: made.id,
    diff: expect.arrayContaining([{ label: 'Charge', from: null, to: `scripted, ${charged.reference}` }]),
  })
  expect((await other.approve(proposal.id)).body.state).toBe('approved')
  expect((await paymentNow(ctx, shop.owner, made.id)).reversed.minor).toBe(0n)
})

describe('an application', () => {
  const stopped = async () => {
    const { rows } = await ctx.db.pool.query(
      'select operator_stop_reason as why from applications where id = $1',
      [uuidOf(shop.applicationId)],
    )
    return rows[0].why as string | null
  }

  test('is stopped at once, and resumed by two', async () => {
    expect((await propose(one, 'application.stop', shop.applicationId)).body).toEqual({ executed: true })
    expect(await stopped()).toBe('because')
    const { body: proposal } = await propose(one, 'application.resume', shop.applicationId)
    expect(await stopped()).toBe('because')
    expect((await other.approve(proposal.id)).status).toBe(200)
    expect(await stopped()).toBeNull()
  })

  test('loses its key at once', async () => {
    const keys = async () => {
      const { body } = await one.call('GET', `/merchants/${shop.merchantId}`)
      return body.applications[0].keys
    }
    await makeNamedKey(ctx, shop.owner)
    const named = { mode: 'test', name: 'Shop', ending: null }
    const ending = shop.applicationKey.slice(-4)
    expect(await keys()).toMatchObject([named, { mode: 'test', name: null, ending }])
    expect((await propose(one, 'key.revoke', shop.applicationId, { mode: 'test' })).body).toEqual({
      executed: true,
    })
    expect(await keys()).toMatchObject([named])
    const { body } = await propose(one, 'key.revoke', shop.applicationId, { mode: 'test' })
    expect(body.code).toBe('proposal_refused')
    expect((await propose(one, 'key.revoke', shop.applicationId)).body.errors[0].field).toBe('mode')
  })

  test('has its banking details approved by two, and the details that they read', async () => {
    const set = (revision: number) =>
      ctx.db.pool.query(
        `update applications set bank_name = 'CBZ', bank_account_name = 'Rudo', bank_account_number = '012345678' || $2::text,
           bank_account_type = 'Current', bank_revision = $2::int, bank_changed_at = now(), name_approved = false where id = $1`,
        [uuidOf(shop.applicationId), revision],
      )
    await set(1)
    const expectShown = async (accountNumber: string) =>
      expect((await one.call('GET', '/banking')).body.banking).toContainEqual(
        expect.objectContaining({ accountNumber, revision: 1 }),
      )
    await expectShown('•••• 6781')
    await one.call('POST', '/reveal', { subject: shop.merchantId, reason: 'To compare the statement' })
    await expectShown('0123456781')
    const approve = (revision: number) => propose(one, 'banking.approve', shop.applicationId, { revision })
    const { body: proposal } = await approve(1)
    expect(JSON.stringify(proposal)).not.toContain('0123456781')
    await set(2)
    expect((await other.approve(proposal.id)).body.code).toBe('proposal_stale')
    expect((await approve(1)).body.code).toBe('proposal_refused')
    const { body: late } = await approve(2)
    expect((await propose(one, 'banking.reject', shop.applicationId, { revision: 2 })).status).toBe(200)
    expect((await other.approve(late.id)).body.code).toBe('proposal_stale')
    const { body: again } = await approve(2)
    expect(again.diff).toContainEqual({ label: 'Review', from: 'refused: because', to: 'approved' })
    expect((await other.approve(again.id)).body.state).toBe('approved')
  })
})

test('a lost authenticator app is removed by two, and the person is told', async () => {
  const { email } = await makeMerchant(ctx)
  const personId = (await accountByEmail(ctx.db.kysely, email))?.personId ?? ''
  const without = await propose(one, 'person.remove_authenticator', email)
  expect(without.body.code).toBe('proposal_refused')
  await ctx.db.pool.query(
    "insert into totp_factors (person_id, secret, started_at, enabled_at, last_step) values ($1, decode(repeat('00', 60), 'hex'), now(), now(), 0)",
    [uuidOf(personId as never)],
  )
  expect((await decided('person.remove_authenticator', email)).body.state).toBe('approved')
  const { rows } = await ctx.db.pool.query('select from totp_factors where person_id = $1', [
    uuidOf(personId as never),
  ])
  expect(rows).toEqual([])
  expect(ctx.mails.at(-1)).toMatchObject({ to: email, subject: expect.stringContaining('authenticator app') })
  expect((await auditEntriesOn(ctx, personId)).at(-1)).toMatchObject({
    action: 'account.totp_removed_by_operator',
    actor: other.email,
  })
})

describe('operators', () => {
  test('are added by two, and the link goes to the new operator only', async () => {
    const { body } = await decided('operator.add', 'new@company.test', {
      name: 'Nyasha Dube',
      role: 'support',
    })
    expect([body.state, JSON.stringify(body)]).toEqual(['approved', expect.not.stringContaining('enrol')])
    const mail = ctx.mails.at(-1)
    expect([mail?.to, mail?.text]).toEqual([
      'new@company.test',
      expect.stringMatching(/console\/enrol#[\w-]{43}/),
    ])
    const { body: list } = await one.call('GET', '/operators')
    expect(list.operators).toContainEqual(
      expect.objectContaining({ email: 'new@company.test', role: 'support', hasPasskey: false }),
    )
  })

  test.each(['nonsense', 'new@company', 'new@company..test', 'new,one@company.test', '"new"@company.test'])(
    'have an email like everybody: %s is refused beside its field',
    async (subject) => {
      const { status, body } = await propose(one, 'operator.add', subject, { name: 'New', role: 'risk' })
      expect([status, body.errors]).toMatchObject([422, [{ field: 'subject' }]])
      expect((await propose(one, 'operator.role', subject, { role: 'risk' })).status).toBe(404)
    },
  )

  test('have a role that two change, and lose their open proposals with it', async () => {
    const risk = await operatorAt(app, ctx, 'risk')
    const { merchantId } = await makeMerchant(ctx)
    const { body: own } = await propose(risk, 'merchant.close', merchantId)
    expect((await decided('operator.role', risk.email, { role: 'support' })).body.state).toBe('approved')
    expect((await risk.call('GET', '/me')).body.role).toBe('support')
    expect((await other.approve(own.id)).body.code).toBe('proposal_closed')
  })

  test('are removed at once, while two remain', async () => {
    const leaving = await operatorAt(app, ctx, 'support')
    expect((await propose(one, 'operator.remove', leaving.email)).body).toEqual({ executed: true })
    expect((await leaving.call('GET', '/me')).status).toBe(404)
    await ctx.db.pool.query('update operators set removed_at = now() where id <> all ($1)', [
      [uuidOf(one.id), uuidOf(other.id)],
    ])
    const last = await propose(one, 'operator.remove', other.email)
    expect(last.body).toMatchObject({
      code: 'proposal_refused',
      detail: 'Two operators must remain. The last but one is removed on the command line',
    })
    expect((await other.call('GET', '/me')).status).toBe(200)
    await ctx.db.pool.query('update operators set removed_at = null')
  })

  test('of another role change nobody', async () => {
    const risk = await operatorAt(app, ctx, 'risk')
    expect((await propose(risk, 'operator.remove', other.email)).body.code).toBe('not_permitted')
  })
})
