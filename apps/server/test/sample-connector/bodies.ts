import { type ChargeRequest, ProviderError } from '../../src/modules/providers/connector.ts'
import { plainText } from '../../src/modules/providers/texts.ts'
import { sampleCurrencies } from './config.ts'

export function chargeBody({ key, amount, description }: ChargeRequest) {
  const currency = sampleCurrencies.find((each) => each === amount.currency)
  if (currency === undefined)
    throw new ProviderError('invalid', `Sample does not take ${amount.currency}`, { neverSent: true })
  return { key, amount: Number(amount.minor), currency, text: plainText(description, 'Payment') }
}
