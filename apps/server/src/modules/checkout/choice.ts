import type { OfferedMethod, RefusedForm } from '@muripo/contract/checkout'
import { type Money, toDecimal } from '@muripo/contract/money'
import { type CaptureMode, methodNames, type PaymentMethod, paymentMethods } from '@muripo/contract/payments'
import { problemOf } from '@muripo/locales/form-problems'
import {
  type Connector,
  isBoundToNetwork,
  type Offer,
  passedLimitOf,
  toMsisdn,
  walletOf,
} from '../providers/index.ts'

/** The fields of the form that starts an attempt, as the payer entered them. */
export interface EnteredForm {
  readonly method: string
  readonly phone: string
  /** The `confirmWith` of the refusals that the payer has answered, with commas between them. */
  readonly confirmed: string
  /** The text of the phone field in place of which `phone` is the offered number: the page must not contain the number itself. */
  readonly shown?: string
}

export const hasConfirmed = ({ confirmed }: Pick<EnteredForm, 'confirmed'>, confirmation: string): boolean =>
  confirmed.split(',').includes(confirmation)

export type Refusal = Omit<RefusedForm, 'typed'>
type Chosen = { readonly method: PaymentMethod } | Refusal

export const methodIn = (text: string | undefined): PaymentMethod | null =>
  paymentMethods.find((method) => method === text) ?? null

export const offeredMethods = (
  offer: Offer,
  amount: Money,
  isDown: (connector: Connector) => boolean,
  captureMode?: CaptureMode,
): OfferedMethod[] =>
  offer.methodsIn(amount.currency).flatMap((method) => {
    const route = offer.routeOf(method, amount.currency)
    const able = offer.routeFor(method, amount, captureMode)
    const [first] = able.length > 0 ? able : route
    if (!first) return []
    const passed = able.length > 0 ? null : passedLimitOf(route, amount)
    return {
      method,
      needsPhone: first.needs(method).includes('phone'),
      isDown: able.length > 0 && able.every(isDown),
      limit: passed && { kind: passed.kind, amount: toDecimal(passed.amount) },
      ...(passed === null && able.length === 0 && { isWithoutCapture: true }),
    }
  })

/**
 * The method of a form. A number without a method means the wallet of its network. A number of another wallet than the chosen one is
 * refused once, because the prompt would most likely not arrive; the payer may confirm it.
 * @param readOffer called only when the number does not belong to the chosen wallet
 */
export async function chooseMethod(
  form: EnteredForm,
  readOffer: () => Promise<{ offer: Offer; amount: Money; captureMode?: CaptureMode } | null>,
): Promise<Chosen> {
  const chosen = methodIn(form.method)
  if (chosen === null && form.method !== '') return noMethod
  const msisdn = toMsisdn(form.phone)
  const wallet = msisdn === null ? null : walletOf(msisdn)
  if (chosen !== null && (wallet === null || wallet === chosen || !isBoundToNetwork(chosen)))
    return { method: chosen }
  const read = wallet === null ? null : await readOffer()
  const connectorFor = (method: PaymentMethod | null) =>
    method && read?.offer.routeFor(method, read.amount, read.captureMode)[0]
  const isOffered = connectorFor(wallet)
  if (chosen === null) return wallet !== null && isOffered ? { method: wallet } : noMethod
  const connector = connectorFor(chosen)
  if (msisdn === null || wallet === null || !isOffered || !connector?.needs(chosen).includes('phone'))
    return { method: chosen }
  if (connector.isTestNumber?.(msisdn)) return { method: chosen }
  const canSend = connector.refuseNumber(msisdn, chosen) === null
  const confirmWith = `${chosen} ${form.shown ?? msisdn}`
  if (canSend && hasConfirmed(form, confirmWith)) return { method: chosen }
  return otherWallet(msisdn, wallet, chosen, canSend ? confirmWith : null)
}

const noMethod: Refusal = { field: 'method', problem: problemOf('methodMissing') }

function otherWallet(
  msisdn: string,
  wallet: PaymentMethod,
  chosen: PaymentMethod,
  confirmWith: string | null,
): Refusal {
  const values = {
    prefix: `0${msisdn.slice(3, 5)}`,
    wallet: methodNames[wallet],
    method: methodNames[chosen],
  }
  return confirmWith === null
    ? { field: 'phone', problem: problemOf('otherWallet', values) }
    : { field: 'phone', problem: problemOf('otherWalletConfirm', values), confirmWith }
}
