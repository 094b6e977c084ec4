import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentId } from '@muripo/contract/ids'
import { createPayment, openShop, type Payment } from '@muripo/rig/merchant'
import { submitForm } from '@muripo/rig/payer'
import { type Simulator, SPEED, startSimulator } from '@muripo/rig/simulator'
import type pg from 'pg'
import { uuidOf } from '../../apps/server/src/platform/ids.ts'
import { startGateway } from '../../bench/lib/gateway.ts'
import { percentile } from '../../bench/lib/statistics.ts'
import { nextOrder } from '../../bench/lib/traffic.ts'
import type { Answers } from './visitors.ts'

interface HostileOptions {
  readonly seconds: number
  /** Forms a second of each hostile address. */
  readonly forms: number
  readonly addresses: number
  /** The factor of the limits for each address, payment and number: 1 in production, and large to try the budget alone. */
  readonly limits: number
}

export interface HostileReport {
  readonly promptP95: number
  readonly completedP95: number
  readonly payers: number
  readonly answers: Answers
  readonly counts: { readonly charges: number; readonly hostile: number; readonly lookups: number }
  readonly findings: readonly string[]
}

const LINKS = 140
const PAYER_EVERY_MS = 2000
const MOST_PROMPT_MS = 2000
const MOST_COMPLETED_MS = 3000
/** The documented calls a minute of EcoCash. */
const CALLS_PER_MINUTE = '500'
const CONFIRMED_AFTER_MS = 500
const END_WITHIN_MS = 30_000
const REQUEST_TIMEOUT_MS = 20_000

interface Payer {
  readonly id: string
  readonly msisdn: string
  /** Milliseconds of the epoch. */
  readonly sentAt: number
}

/** One merchant's links are flooded with forms, while payers of another merchant pay. */
export async function hostileMerchant(options: HostileOptions): Promise<HostileReport> {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-hostile-'))
  const simulator = await startSimulator(directory)
  await simulator.control('/next', {
    times: 1_000_000,
    behaviour: { ...decided('insufficient_funds', 0), callback: 'lost' },
  })
  const gateway = await startGateway({
    ...simulator.environment,
    CALLS_PER_MINUTE_ECOCASH: CALLS_PER_MINUTE,
    RATE_LIMITS: String(options.limits),
  })
  const sql = await gateway.connect()
  try {
    const [flooded, other] = [await shopOf(gateway.url), await shopOf(gateway.url)]
    const links = await linksOf(flooded, LINKS)
    const answers: Answers = {}
    let isOver = false
    const flood = Array.from({ length: options.addresses }, (_, nth) =>
      floodFrom(`127.0.${nth + 1}.7`, links, options.forms, answers, () => isOver),
    )
    const payers = await payAll(other, simulator, options.seconds)
    isOver = true
    await Promise.all(flood)
    return { answers, ...(await delaysOf(sql, simulator, payers)) }
  } finally {
    await sql.end()
    await gateway.stop()
    await simulator.close()
    rmSync(directory, { recursive: true })
  }
}

const shopOf = async (url: string) => ({ url, key: (await openShop(url)).application.applicationKey })
/** The payer's part, without a handset. */
const decided = (verdict: string, afterMs: number) => ({ decision: { verdict, afterMs: afterMs * SPEED } })

type Shop = Awaited<ReturnType<typeof shopOf>>

const linkOf = ({ url, key }: Shop): Promise<Payment> => createPayment(url, key, JSON.parse(nextOrder()))

async function linksOf(shop: Shop, count: number): Promise<string[]> {
  const links: string[] = []
  while (links.length < count) links.push((await linkOf(shop)).payment_url)
  return links
}

/** Sends a form from a loopback address. @returns the status */
const sendForm = (link: string, localAddress: string, msisdn: string): Promise<number> =>
  submitForm(link, { phone: `0${msisdn.slice(3)}` }, { localAddress, timeoutMs: REQUEST_TIMEOUT_MS })

/** Sends forms whether or not the earlier ones are answered. */
async function floodFrom(
  address: string,
  links: readonly string[],
  perSecond: number,
  answers: Answers,
  isOver: () => boolean,
): Promise<void> {
  const open = new Set<Promise<unknown>>()
  const start = performance.now()
  for (let nth = 0; !isOver(); nth += 1) {
    const msisdn = `26377${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`
    const form = sendForm(links[nth % links.length] ?? '', address, msisdn)
      .then((status) => {
        answers[status] = (answers[status] ?? 0) + 1
      })
      .catch(() => {
        answers.lost = (answers.lost ?? 0) + 1
      })
      .finally(() => open.delete(form))
    open.add(form)
    await sleep(Math.max(0, start + ((nth + 1) * 1000) / perSecond - performance.now()))
  }
  await Promise.all(open)
}

/** Honest payers confirm half a second after their prompt. */
async function payAll(shop: Shop, simulator: Simulator, seconds: number): Promise<Payer[]> {
  const payers: Payer[] = []
  const open: Promise<unknown>[] = []
  for (let nth = 0; nth < (seconds * 1000) / PAYER_EVERY_MS; nth += 1) {
    const msisdn = `26378${String(1_000_000 + nth)}`
    await simulator.control('/next', { msisdn, behaviour: decided('success', CONFIRMED_AFTER_MS) })
    const { id, payment_url } = await linkOf(shop)
    payers.push({ id, msisdn, sentAt: Date.now() })
    const form = sendForm(payment_url, `127.0.${100 + (nth % 100)}.1`, msisdn)
    open.push(form.catch(() => undefined))
    await sleep(PAYER_EVERY_MS)
  }
  await Promise.all(open)
  return payers
}

interface Charge {
  readonly number: string
  readonly queries: number
  readonly createdAt: string
  /** The time of the callback. */
  readonly endedAt: string | null
}

async function delaysOf(sql: pg.Client, simulator: Simulator, payers: readonly Payer[]) {
  const ids = payers.map(({ id }) => uuidOf(id as PaymentId))
  const completions = async () => {
    const { rows } = await sql.query(
      'select id, extract(epoch from completed_at) * 1000 as at from payments where id = any($1) and completed_at is not null',
      [ids],
    )
    return new Map(rows.map(({ id, at }: { id: string; at: string }) => [id, Number(at)]))
  }
  const giveUpAt = performance.now() + END_WITHIN_MS
  let completed = await completions()
  while (completed.size < payers.length && performance.now() < giveUpAt) {
    await sleep(500)
    completed = await completions()
  }
  const { transactions } = await simulator.read<{ transactions: Charge[] }>('/transactions')
  const charges = new Map(transactions.map((charge) => [charge.number, charge]))
  const findings: string[] = []
  const prompts: number[] = []
  const delays: number[] = []
  const between = (from: number | string | null | undefined, to: number | string | null | undefined) =>
    from && to ? Number(new Date(to)) - Number(new Date(from)) : Number.POSITIVE_INFINITY
  for (const { id, msisdn, sentAt } of payers) {
    const charge = charges.get(msisdn)
    prompts.push(between(sentAt, charge?.createdAt))
    delays.push(between(charge?.endedAt, completed.get(uuidOf(id as PaymentId))))
  }
  const [promptP95, completedP95] = [percentile(prompts, 0.95), percentile(delays, 0.95)]
  if (!(promptP95 <= MOST_PROMPT_MS)) findings.push(`prompts reached the wallet within ${promptP95} ms (p95)`)
  if (!(completedP95 <= MOST_COMPLETED_MS))
    findings.push(`payments were completed ${completedP95} ms after their callback (p95)`)
  const counts = {
    charges: transactions.length,
    hostile: transactions.filter(({ number }) => !payers.some(({ msisdn }) => msisdn === number)).length,
    lookups: transactions.reduce((sum, { queries }) => sum + queries, 0),
  }
  return { promptP95, completedP95, payers: payers.length, counts, findings }
}
