import type { AccountId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { ChargeRequest, Connector, Reply } from '../src/modules/providers/connector.ts'
import { type AnswerProxy, startAnswerProxy } from './answer-proxy.ts'
import {
  type Charged,
  type ConnectorUnderTest,
  freshKey,
  lookupOf,
  type Paid,
  resultOf,
  stateOf,
} from './connector-under-test.ts'
import { type Simulator, startSimulator } from './simulator.ts'

/** A connector for each test, with a proxy in front of the simulator: the failures of one test do not open the breaker for the next. */
export function createConnectorHarness(under: ConnectorUnderTest) {
  let simulator: Simulator
  let proxy: AnswerProxy
  let connector: Connector

  beforeAll(async () => {
    simulator = await startSimulator()
  })
  beforeEach(async () => {
    proxy = await startAnswerProxy(simulator.url)
    connector = under.connect(proxy.url)
  })
  afterEach(() => proxy.close())
  afterAll(() => simulator.stop())

  const methodOf = () => under.charge?.method ?? connector.methods[0] ?? 'ecocash'
  const requestOf = (change: Partial<ChargeRequest> = {}): ChargeRequest => ({
    accountId: 'mer_01jdw0000000000000000000aa' as AccountId,
    key: freshKey(),
    amount: money(1250n, 'USD'),
    method: methodOf(),
    msisdn: connector.needs(change.method ?? methodOf()).includes('phone') ? '263771000001' : null,
    email: null,
    description: 'Order 1001',
    shopName: 'Shop',
    callbackUrl: 'http://127.0.0.1:9/hooks/provider/token',
    returnUrl: 'http://127.0.0.1:9/pay/token/return',
    ...under.charge,
    ...change,
  })

  /** @param behaviour null for a charge that does not reach the provider: an order would remain for the next one */
  async function charge(behaviour: object | null, change: Partial<ChargeRequest> = {}): Promise<Charged> {
    if (behaviour !== null) await under.order(simulator, behaviour)
    const request = requestOf(change)
    const charged = { request, result: await resultOf(connector.charge(request)) }
    if (charged.result.kind === 'reply')
      await under.continue?.(simulator, connector, charged, behaviour ?? {})
    return charged
  }
  const lookup = ({ request, result }: Charged) => connector.lookup(lookupOf(request, stateOf(result)))
  const charges = () => proxy.seen.filter(under.isCharge).length

  async function paid(change: Partial<ChargeRequest> = {}): Promise<Paid> {
    const charged = await charge(under.behaviours.paid, change)
    await expect.poll(() => lookup(charged)).toMatchObject({ outcome: 'completed' })
    const reply = (await lookup(charged)) as Reply
    return { request: charged.request, reply }
  }

  return {
    get simulator() {
      return simulator
    },
    get proxy() {
      return proxy
    },
    get connector() {
      return connector
    },
    async restartProxy() {
      proxy = await startAnswerProxy(simulator.url)
    },
    charge,
    lookup,
    charges,
    paid,
  }
}
export type ConnectorHarness = ReturnType<typeof createConnectorHarness>
