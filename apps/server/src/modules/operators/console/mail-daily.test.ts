import type { ComponentStatus, Status } from '@muripo/contract/site'
import { expect } from 'vitest'
import { withProviders } from '../../../../test/app.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { newestSeal, sealAudit } from '../../../platform/audit/audit-seals.ts'
import { invariant } from '../../../platform/errors.ts'
import { makeMerchant } from '../../identity/factory.ts'
import { addOperator, removeOperator } from '../people/actions/manage-operators.ts'
import { decide } from '../proposals/actions/decide.ts'
import { withdrawProposalsOf } from '../proposals/actions/withdraw-all.ts'
import { mailDaily } from './mail-daily.ts'

const HOUR_MS = 3_600_000
const root = operatorActor('root', 'root@till')
let made = 0

const test = base.extend('scene', async ({ world: { ctx } }) => {
  const add = async () => {
    made += 1
    const email = `risk-${made}@company.test`
    const added = await addOperator(ctx, root, { email, name: `Risk ${made}`, role: 'risk' })
    invariant(added, 'nobody has the email')
    return added.operator
  }
  const [one, other] = [await add(), await add()]
  const statusOf = (status: ComponentStatus) => async (): Promise<Status> => ({
    status: 'operational',
    components: [{ id: 'ecocash', name: 'EcoCash', status, checkedAt: ctx.clock.now().toISOString() }],
    incidents: [],
  })
  /** The emails that rounds of several workers queue at the same moment. */
  const mailed = async (rounds = 8, status: ComponentStatus = 'operational') => {
    const before = ctx.mails.length
    await Promise.all(Array.from({ length: rounds }, () => mailDaily(ctx, statusOf(status))))
    return ctx.mails.slice(before).filter(({ to }) => [one.email, other.email].includes(to))
  }
  /** The next moment at which it is 07:00 in Harare, and some hours later. */
  const goToSeven = (hours = 0) => {
    const now = ctx.clock.now().getTime()
    const seven = Math.ceil((now - 5 * HOUR_MS) / (24 * HOUR_MS)) * 24 * HOUR_MS + 5 * HOUR_MS
    ctx.clock.advance(seven - now + hours * HOUR_MS)
  }
  return { one, other, mailed, goToSeven }
})

test('[invariant] each operator has one email a day from seven o’clock, however many workers send it', async ({
  scene: { one, other, mailed, goToSeven },
  world: { ctx },
}) => {
  expect(await mailed()).toEqual([])
  goToSeven(-0.1)
  expect(await mailed()).toEqual([])
  goToSeven()
  const mails = await mailed()
  expect(mails.map(({ to }) => to).toSorted()).toEqual([one.email, other.email].toSorted())
  ctx.clock.advance(23 * HOUR_MS)
  expect(await mailed()).toEqual([])
  ctx.clock.advance(HOUR_MS)
  await removeOperator(ctx, root, other.email, withdrawProposalsOf)
  expect((await mailed()).map(({ to }) => to)).toEqual([one.email])
})

test('the email says what waits, what is unwell, what one person decided alone, and the head of the audit log', async ({
  scene: { one, other, mailed, goToSeven },
  world: { ctx },
}) => {
  goToSeven()
  await mailed()
  const { merchantId } = await makeMerchant(ctx)
  const deciding = { ctx: withProviders(ctx), paymentsOf: () => ctx }
  const about = { payload: { merchantId, reason: 'A fraud', seen: null }, reason: 'A fraud' }
  await decide(deciding, { actor: root, operator: one }, 'merchant.suspend', about)
  await decide(deciding, { actor: root, operator: one }, 'merchant.close', about)
  await ctx.db.tx((tx) =>
    audit(ctx, tx, root, { action: 'provider.account_rotated', subject: 'paynow', accountId: null }),
  )
  while ((await sealAudit(ctx)) !== null);
  const head = await newestSeal(ctx.db.kysely)
  invariant(head, 'the log is sealed')
  ctx.clock.advance(24 * HOUR_MS)
  const mails = await mailed(1, 'degraded')
  const mailTo = (email: string) => {
    const mail = mails.find(({ to }) => to === email)
    invariant(mail, 'each operator has an email')
    return mail
  }
  const { subject, text, html } = mailTo(other.email)
  expect(subject).toMatch(/^Muripo, \d+ \w+ \d{4}: one item waits, and something is unwell$/)
  for (const part of [text, html]) {
    expect(part).toContain('EcoCash is degraded')
    expect(part).toContain(head.hash)
    expect(part).toMatch(/alone since the last email: merchant suspended, .*provider account rotated/)
    expect(part).toContain(`${ctx.config.consoleUrl}/console`)
  }
  expect(text).toMatch(/Proposals of others: 1, the oldest since \d+ \w+ \d{4}/)
  expect(mailTo(one.email).text).not.toContain('Proposals of others')
  // The suspended merchant is no one's name in an email.
  expect(text).not.toMatch(/Tendai|@example/)
  ctx.clock.advance(24 * HOUR_MS)
  const [quiet] = (await mailed()).filter(({ to }) => to === other.email)
  expect(quiet?.text).toContain('Nobody decided anything alone since the last email.')
  expect(quiet?.text).not.toContain('Unwell')
})
