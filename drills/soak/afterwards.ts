import { hostname } from 'node:os'
import { callOk } from '@muripo/rig/call'
import { runCommand } from '../../apps/server/src/admin/run-command.ts'
import type { Chance } from '../lib/chance.ts'
import { isBooked, isOpen, needsOperator } from './compare.ts'
import type { LedgerState, Recorded, Row } from './records.ts'

type ControlCall = readonly [path: string, body: object]

/** The calls by which the simulator takes a paid charge back, with a callback that arrives. */
function takingBack({ kind, key, reference, remainingMinor }: Recorded): readonly ControlCall[] {
  switch (kind) {
    case 'wallet':
      return [
        ['/control/next', { correlator: key, behaviour: { callback: 'normal' } }],
        [`/control/reversals/${key}`, {}],
      ]
    case 'card':
      return [
        ['/control/mastercard/next', { order: key, behaviour: { notification: 'normal' } }],
        [`/control/mastercard/chargebacks/${key}`, { minor: remainingMinor }],
      ]
    case 'pesepay':
      return [
        [`/control/pesepay/payments/${reference}`, { status: 'REVERSED', behaviour: { callback: 'normal' } }],
      ]
    default:
      return []
  }
}

async function control(simulator: string, calls: readonly ControlCall[]): Promise<void> {
  for (const [path, body] of calls) await callOk('POST', simulator + path, { body })
}

const recordOf = (records: ReadonlyMap<string, Recorded>, { keys }: Row): Recorded | undefined =>
  keys.map((key) => records.get(key)).find((record) => record !== undefined)

/** Without a callback the gateway does not learn of a change after the last look-up. */
const sendsCallbacks = ({ provider }: Row): boolean => provider !== 'ecocash-open' && provider !== 'innbucks'

/** One paid charge in 25 is taken back by its provider, without a request. */
const TAKEN_BACK_PERCENT = 4

export async function takeBack(
  simulator: string,
  state: LedgerState,
  records: ReadonlyMap<string, Recorded>,
  chance: Chance,
): Promise<void> {
  // A refund by hand does not appear in the records of the provider.
  const refundedByHand = new Set(state.refunds.filter(needsOperator).map(({ payment }) => payment))
  for (const row of state.attempts.filter(isBooked).filter(sendsCallbacks)) {
    const record = recordOf(records, row)
    if (!record || record.remainingMinor <= 0 || needsOperator(row) || refundedByHand.has(row.payment))
      continue
    if (chance.percent(TAKEN_BACK_PERCENT)) await control(simulator, takingBack(record))
  }
}

/** Half of the charges that a wallet has left open until the gateway gave them up are paid after all. */
export async function payGivenUp(
  simulator: string,
  state: LedgerState,
  records: ReadonlyMap<string, Recorded>,
  chance: Chance,
): Promise<ReadonlySet<string>> {
  const paid = new Set<string>()
  for (const row of state.attempts.filter(sendsCallbacks)) {
    const record = recordOf(records, row)
    const isGivenUp = isOpen(row) && !row.isScheduled && record?.kind === 'wallet' && record.isPending
    if (!isGivenUp || !chance.percent(50)) continue
    const behaviour = { neverResolves: false, decision: { verdict: 'success' } }
    await control(simulator, [['/control/next', { correlator: record.key, behaviour }]])
    paid.add(record.key)
  }
  return paid
}

/** The operator books each reversal with the amount in the records of its provider. */
export async function reviewReversals(
  env: Readonly<Record<string, string>>,
  state: LedgerState,
  records: ReadonlyMap<string, Recorded>,
): Promise<readonly string[]> {
  const refusals: string[] = []
  for (const { id, payment, keys, isOpen } of state.reversals) {
    const record = keys.map((key) => records.get(key)).find((each) => each !== undefined)
    if (!isOpen || !record?.takenBackMinor) continue
    const amount = (record.takenBackMinor / 100).toFixed(2)
    const options = ['--review', id, '--amount', amount, '--reason', 'Taken back by the provider']
    const { code, output } = await runCommand(['payments', 'resolve', payment, 'reversed', ...options], {
      account: 'soak',
      machine: hostname(),
      env,
    })
    if (code !== 0) refusals.push(`${payment}: ${output}`)
  }
  return refusals
}
