/**
 * A browser names what went wrong by the name of the error, and says little more: of a prompt that was closed, one that took too long
 * and a device without a passkey it says the same, so that no page learns which.
 */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

const elsewhere = (host: string): string =>
  `Passkeys do not work at this address. Please open Muripo at ${host} and try again.`

export function failedToMake(error: unknown, host: string): string {
  switch (nameOf(error)) {
    case 'NotAllowedError':
    case 'AbortError':
      return 'No passkey was added: the prompt was closed, or it took too long.'
    case 'InvalidStateError':
      return 'This device already has a passkey for your account.'
    case 'ConstraintError':
    case 'NotSupportedError':
      return 'This device cannot make a passkey. It must be able to check your fingerprint, face or PIN.'
    case 'SecurityError':
      return elsewhere(host)
    default:
      return 'The passkey could not be made. Please try again.'
  }
}

export function failedToShow(error: unknown, host: string): string {
  switch (nameOf(error)) {
    case 'NotAllowedError':
    case 'AbortError':
      return 'No passkey was used: the prompt was closed, it took too long, or this device has none for your account. The code from your email works too.'
    case 'SecurityError':
      return elsewhere(host)
    default:
      return 'The passkey could not be used. Please try again, or enter the code from your email.'
  }
}
