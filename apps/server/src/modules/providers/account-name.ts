export const providerNames = [
  'ecocash',
  'ecocash-open',
  'innbucks',
  'mastercard',
  'paynow',
  'pesepay',
] as const
export type ProviderName = (typeof providerNames)[number]

/** An account at a provider. Its name is the id of its connector, and is stored with each attempt. */
export interface AccountName {
  readonly id: string
  readonly provider: ProviderName
  /** Whether it is for test keys of a live gateway. */
  readonly isForTests: boolean
}

const TESTS = 'test'
/** The ledger has an account for each name. */
const form = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** Longer names first: `ecocash-open` is a provider, and no account of EcoCash. */
const byLength = providerNames.toSorted((one, other) => other.length - one.length)

/** `paynow` is the first account at Paynow, `paynow-shop` another one, and `paynow-test` the one for test keys. Null for other texts. */
export function accountNamed(id: string): AccountName | null {
  const provider = byLength.find((name) => id === name || id.startsWith(`${name}-`))
  if (provider === undefined || id.length > 40 || !form.test(id)) return null
  return { id, provider, isForTests: id === forTests(provider) }
}

export const forTests = (provider: ProviderName): string => `${provider}-${TESTS}`
