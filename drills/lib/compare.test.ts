import type { ProviderRecord } from '@muripo/rig/provider-records'
import { expect, test } from 'vitest'
import { compare } from './compare.ts'
import type { Call, Snapshot } from './snapshot.ts'

const call: Call = {
  id: 'att_1',
  keys: ['key'],
  payment: 'pay_1',
  provider: 'ecocash',
  status: 'completed',
  amount: 500,
  isScheduled: false,
  isWithOperator: false,
}
const record: ProviderRecord = {
  key: 'key',
  kind: 'wallet',
  requests: 1,
  original: '',
  minor: 500,
  isPaid: true,
  isPending: false,
  remainingMinor: 500,
  takenBackMinor: 0,
  isReserved: false,
  isCaptured: false,
  reference: '',
}

/** The findings about one charge, of which the gateway and the provider have these records. */
function findingsOf(ours: Partial<Call> | null, theirs: Partial<ProviderRecord> | null): string[] {
  const snapshot: Snapshot = {
    ...{ payments: [], refunds: [], transfers: [], events: [], anomalies: [], drifted: 0 },
    attempts: ours ? [{ ...call, ...ours }] : [],
  }
  const charged = theirs ? [{ ...record, ...theirs }] : []
  const observed = { orders: [], refunds: [], charged, delivered: [] }
  const servers = {
    records: new Map(charged.map((each) => [each.key, each])),
    receiver: { url: '', taken: new Map(), contradicted: new Set<string>(), async close() {} },
  }
  return compare(snapshot, observed, servers).map(({ kind }) => kind)
}

test.each([
  ['a charge that both have is no finding', {}, {}, []],
  ['a second request is found', {}, { requests: 2 }, ['duplicated']],
  ['a request that was not committed is found', null, {}, ['lost']],
  ['another amount is found', {}, { minor: 400 }, ['half done']],
  ['a completed charge that nobody paid is found', {}, { isPaid: false }, ['half done']],
  ['a failed charge that was paid is found', { status: 'failed' }, {}, ['lost']],
  ['a charge that is held is found', { status: 'held' }, {}, ['duplicated']],
  ['a charge that a restore leaves to an operator is none', { status: 'held', isWithOperator: true }, {}, []],
])('%s', (_name, ours, theirs, findings) => {
  expect(findingsOf(ours, theirs)).toEqual(findings)
})
