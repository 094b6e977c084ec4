import type { PaymentMethod } from './enums.ts'

/** The wallets of the networks, by the two digits after the country code. */
const wallets: Readonly<Record<string, PaymentMethod>> = { 71: 'onemoney', 77: 'ecocash', 78: 'ecocash' }

/** The methods whose numbers are of one network. */
export const walletMethods: readonly PaymentMethod[] = [...new Set(Object.values(wallets))]

/** The wallet that a number most likely has, by the digits after its country code; null when its network has none. */
export const walletOfNetwork = (digits: string): PaymentMethod | null => wallets[digits.slice(0, 2)] ?? null
