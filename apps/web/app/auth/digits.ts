import { OTP_LENGTH } from '@muripo/contract/constants'

/** A code as it may be typed: digits only, and no more than it has. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(0, OTP_LENGTH)
