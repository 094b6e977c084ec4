import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { SimulatorConfig } from '../config.ts'
import type { Ledger } from '../ledger.ts'
import { readMinor, readNumber } from '../request-fields.ts'
import type { ChargeInput } from '../wallet.ts'
import { hashOf, readForm } from './form.ts'

const methods = ['ecocash', 'onemoney', 'innbucks'] as const

/** The fields of a signed request, or the sentence of its refusal. */
export function openRequest({ integrations }: SimulatorConfig, body: unknown) {
  const fields = readForm(typeof body === 'string' ? body : '')
  const given = new Map(fields)
  const integration = integrations.find(({ id }) => id === given.get('id'))
  if (!integration) return 'Invalid id.'
  if (hashOf(fields, integration.key) !== given.get('hash'))
    return 'Invalid Hash. Hash should start with: XXXXXX'
  if (given.get('status') !== 'Message') return 'Invalid status field'
  return { integration, field: (name: string): string => given.get(name) ?? '' }
}

/** The charge of a request, or the sentence of its refusal. */
export function readCharge(
  { config, ledger }: { readonly config: SimulatorConfig; readonly ledger: Ledger },
  request: FastifyRequest,
  isExpress: boolean,
): ChargeInput | string {
  const opened = openRequest(config, request.body)
  if (typeof opened === 'string') return opened
  const { integration, field } = opened
  const amount = field('amount')
  const minor = /^\d{1,9}(\.\d{1,2})?$/.test(amount) ? readMinor(Number(amount), integration.currency) : null
  if (minor === null) return 'Invalid amount field'
  for (const name of ['reference', 'returnurl', 'resulturl', ...(isExpress ? ['authemail'] : [])])
    if (field(name) === '') return `Missing ${name} field`
  const trace = field('merchanttrace')
  if (trace.length > 32) return 'Invalid merchanttrace field'
  if (trace !== '' && ledger.get(trace) !== null) return 'Duplicate merchanttrace'
  const method = isExpress ? methods.find((name) => name === field('method')) : 'page'
  if (method === undefined) return 'Invalid method field'
  const needsPhone = method === 'ecocash' || method === 'onemoney'
  const number = needsPhone ? readNumber(field('phone')) : ''
  if (number === null) return 'Invalid phone field'
  const guid = randomUUID()
  return {
    correlator: trace || guid,
    number,
    minor,
    currency: integration.currency,
    notifyUrl: field('resulturl'),
    referenceCode: field('reference'),
    remarks: field('additionalinfo'),
    shopName: 'Paynow merchant',
    merchantNumber: integration.id,
    paynow: {
      integration: integration.id,
      key: integration.key,
      reference: field('reference'),
      method,
      returnUrl: field('returnurl'),
      base: `http://${request.host}/paynow`,
      guid,
    },
  }
}
