import { type Money, toMajor } from '@muripo/contract/money'
import { type ChargeRequest, ProviderError, phoneOf, type RefundRequest } from '../connector.ts'
import { plainText } from '../texts.ts'
import { currencyCode, isEcocashCurrency } from './config.ts'
import type { EcocashConfig } from './settings.ts'

interface Common {
  readonly key: string
  readonly amount: Money
  readonly msisdn: string | null
  readonly callbackUrl: string
  readonly text: string
  readonly shopName: string
  readonly tranType: 'MER' | EcocashConfig['refundType']
}

/** The names are the gateway's own, misspelling and casing included. */
function amountTransaction(config: EcocashConfig, { amount, ...request }: Common) {
  if (!isEcocashCurrency(amount.currency)) {
    throw new ProviderError('invalid', `EcoCash does not take ${amount.currency}`, { neverSent: true })
  }
  const currency = currencyCode(config, amount.currency)
  const text = plainText(request.text, 'Payment')
  const shop = plainText(request.shopName, 'Muripo')
  return {
    clientCorrelator: request.key,
    notifyUrl: request.callbackUrl,
    referenceCode: request.key,
    tranType: request.tranType,
    endUserId: phoneOf(request),
    remarks: text,
    transactionOperationStatus: 'Charged',
    paymentAmount: {
      charginginformation: { amount: toMajor(amount), currency, description: text },
      chargeMetaData: { channel: 'WEB', purchaseCategoryCode: 'Online Payment', onBeHalfOf: shop },
    },
    merchantCode: config.merchantCode,
    merchantPin: config.merchantPin,
    merchantNumber: config.merchantNumber,
    currencyCode: currency,
    countryCode: 'ZW',
    terminalID: 'MURIPO',
    location: config.location ?? 'Harare',
    superMerchantName: shop,
    merchantName: shop,
  }
}

export const chargeBody = (config: EcocashConfig, request: ChargeRequest) =>
  amountTransaction(config, { ...request, text: request.description, tranType: 'MER' })

export function refundBody(config: EcocashConfig, request: RefundRequest) {
  const { shopName } = request.originalState
  const { refundType: tranType } = config
  const shop = typeof shopName === 'string' ? shopName : 'Muripo'
  return {
    ...amountTransaction(config, { ...request, text: request.reason, shopName: shop, tranType }),
    originalEcocashReference: request.originalReference,
  }
}
