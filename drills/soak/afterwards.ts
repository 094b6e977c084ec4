import { hostname } from 'node:os'
import type { Chance } from '@muripo/rig/chance'
import type { ProviderRecord } from '@muripo/rig/provider-records'
import type { Simulator } from '@muripo/rig/simulator'
import { runCommand } from '../../apps/server/src/admin/run-command.ts'
import { recordOf } from '../lib/compare.ts'
import type { Call, Snapshot } from '../lib/snapshot.ts'
import { isBooked, isOpen, operatorCalls, reversalsIn } from './compare.ts'

type ControlCall = readonly [path: string, body: object]

/** The calls by which the simulator takes a paid charge back, with a callback that arrives. */
function takingBack({ kind, key, reference, remainingMinor }: ProviderRecord): readonly ControlCall[] {
  switch (kind) {
    case 'wallet':
      return [
        ['/next', { correlator: key, behaviour: { callback: 'normal' } }],
        [`/reversals/${key}`, {}],
      ]
    case 'card':
      return [
        ['/mastercard/next', { order: key, behaviour: { notification: 'normal' } }],
        [`/mastercard/chargebacks/${key}`, { minor: remainingMinor }],
      ]
    case 'pesepay':
      return [[`/pesepay/payments/${reference}`, { status: 'REVERSED', behaviour: { callback: 'normal' } }]]
    default:
      return []
  }
}

/** Without a callback the gateway does not learn of a change after the last look-up. */
const sendsCallbacks = ({ provider }: Call): boolean => provider !== 'ecocash-open' && provider !== 'innbucks'

/** One paid charge in 25 is taken back by its provider, without a request. */
const TAKEN_BACK_PERCENT = 4

export async function takeBack(simulator: Simulator, state: Snapshot, chance: Chance): Promise<void> {
  const records = await simulator.records()
  const needsOperator = operatorCalls(state)
  // A refund by hand does not appear in the records of the provider.
  const refundedByHand = new Set(state.refunds.filter(needsOperator).map(({ payment }) => payment))
  for (const row of state.attempts.filter(isBooked).filter(sendsCallbacks)) {
    const record = recordOf(records, row)
    if (!record || record.remainingMinor <= 0 || needsOperator(row) || refundedByHand.has(row.payment))
      continue
    if (!chance.percent(TAKEN_BACK_PERCENT)) continue
    for (const [path, body] of takingBack(record)) await simulator.control(path, body)
  }
}

/** Half of the charges that a wallet has left open until the gateway gave them up are paid after all. */
export async function payGivenUp(
  simulator: Simulator,
  state: Snapshot,
  chance: Chance,
): Promise<ReadonlySet<string>> {
  const records = await simulator.records()
  const paid = new Set<string>()
  for (const row of state.attempts.filter(sendsCallbacks)) {
    const record = recordOf(records, row)
    const isGivenUp = isOpen(row) && !row.isScheduled && record?.kind === 'wallet' && record.isPending
    if (!isGivenUp || !chance.percent(50)) continue
    const behaviour = { neverResolves: false, decision: { verdict: 'success' } }
    await simulator.control('/next', { correlator: record.key, behaviour })
    paid.add(record.key)
  }
  return paid
}

/** The operator books each reversal with the amount in the records of its provider. */
export async function reviewReversals(
  env: Readonly<Record<string, string>>,
  state: Snapshot,
  records: ReadonlyMap<string, ProviderRecord>,
): Promise<readonly string[]> {
  const refusals: string[] = []
  for (const { id, payment, keys, isOpen } of reversalsIn(state)) {
    const record = recordOf(records, { keys })
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
