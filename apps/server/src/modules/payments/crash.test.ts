import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { gatewayUrl } from '../../../test/on-citus.ts'
import { developmentMasterKey } from '../../platform/crypto/keys.ts'
import { latestAttempt, lookUpDue, makePayment, notFound, paid, paymentNow } from './factory.ts'

const MINUTE = 60_000

test('the next process looks up the charges of a killed process, each once, and sends nothing again', async ({
  world: { ctx, provider },
  shop,
}) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'muripo-crash-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  developmentMasterKey(dataDir)
  // There are more payments than one round takes.
  const payments = await Promise.all(Array.from({ length: 25 }, () => makePayment(ctx, shop.owner)))
  const file = fileURLToPath(new URL('../../../test/charging-process.ts', import.meta.url))
  const args = [ctx.clock.now().toISOString(), shop.accountId, ...payments.map(({ id }) => id)]
  const env = { DATABASE_URL: gatewayUrl(ctx.databaseUrl), GROUP_URL: ctx.databaseUrl, MURIPO_DATA: dataDir }
  const child = fork(file, args, { execArgv: [], env })
  expect(await once(child, 'message')).toEqual(['charging', undefined])
  child.kill('SIGKILL')
  await once(child, 'exit')
  const attempts = await Promise.all(payments.map((payment) => latestAttempt(ctx, payment)))
  expect(new Set(attempts.map(({ status }) => status))).toEqual(new Set(['sending']))

  // The provider has received some charges and not others: only a look-up can tell.
  const receivedReplies = new Set(attempts.slice(0, 15).map(({ id }) => id.slice('att_'.length)))
  provider.lookup = async ({ key }) =>
    receivedReplies.has(key) ? paid({ minor: 1250n, currency: 'USD' }) : notFound
  ctx.clock.advance(MINUTE - 1)
  await lookUpDue(ctx)
  expect(provider.lookups).toEqual([])
  ctx.clock.advance(1)
  while (provider.lookups.length < payments.length) await lookUpDue(ctx)
  for (const wait of [10, 10]) {
    ctx.clock.advance(wait * MINUTE)
    for (let round = 0; round < 3; round += 1) await lookUpDue(ctx)
  }
  const ends = await Promise.all(payments.map(({ id }) => paymentNow(ctx, shop.owner, id)))
  expect(ends.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 15 }, () => 'completed'),
    ...Array.from({ length: 10 }, () => 'pending'),
  ])
  // Past its time to live and not found twice: the attempt has failed, and the payer may start another one.
  const unanswered = await Promise.all(payments.slice(15).map((payment) => latestAttempt(ctx, payment)))
  expect(new Set(unanswered.map(({ status }) => status))).toEqual(new Set(['failed']))
  expect(provider.charges).toEqual([])
})
