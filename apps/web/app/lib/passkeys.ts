import { PASSKEY_TRANSPORTS } from '@muripo/contract/constants'
import type { MadePasskey, MakeOptions, PasskeyRequestOptions, ShownPasskey } from '@muripo/contract/passkeys'
import { loadModule } from './lazy.ts'

/** Returns the sentence of a catalogue: each place of passkeys has its own. */
type Sentence<Key extends string> = (
  key: Key | 'passkeyElsewhere',
  values: { readonly host: string },
) => string
export type MakeSentence = Sentence<
  'passkeyPromptClosed' | 'passkeyAlreadyHere' | 'passkeyUnsupported' | 'passkeyNotMade'
>
export type ShowSentence = Sentence<'passkeyClosed' | 'passkeyBroken'>

/**
 * A browser identifies an error only by its name. A closed prompt, a time-out and a device without a passkey have one name, so that no page can
 * distinguish them.
 */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

export function failedToMake(error: unknown, host: string, t: MakeSentence): string {
  switch (nameOf(error)) {
    case 'NotAllowedError':
    case 'AbortError':
      return t('passkeyPromptClosed', { host })
    case 'InvalidStateError':
      return t('passkeyAlreadyHere', { host })
    case 'ConstraintError':
    case 'NotSupportedError':
      return t('passkeyUnsupported', { host })
    case 'SecurityError':
      return t('passkeyElsewhere', { host })
    default:
      return t('passkeyNotMade', { host })
  }
}

export function failedToShow(error: unknown, host: string, t: ShowSentence): string {
  switch (nameOf(error)) {
    case 'NotAllowedError':
    case 'AbortError':
      return t('passkeyClosed', { host })
    case 'SecurityError':
      return t('passkeyElsewhere', { host })
    default:
      return t('passkeyBroken', { host })
  }
}

/** Whether this browser supports passkeys on this page. */
export const knowsPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function'

async function library() {
  const module = await loadModule(() => import('@simplewebauthn/browser'))
  if (module === null) throw new Error('The code for passkeys was not loaded')
  return module
}

/** Loads the code before a click needs it: some browsers open no prompt when too much time has passed since the click. */
export const preparePasskeys = (): void => void library().catch(() => undefined)

/** The result of the authenticator, or the sentence for its error. */
export type Prompted<T> =
  | { readonly passkey: T; readonly failure: null }
  | { readonly passkey: null; readonly failure: string }

/** Creates a passkey on the user's device. */
export async function makePasskey(options: MakeOptions, t: MakeSentence): Promise<Prompted<MadePasskey>> {
  try {
    const { startRegistration } = await library()
    const { id, response } = await startRegistration({ optionsJSON: options as never })
    const { clientDataJSON, attestationObject } = response
    const named = response.transports ?? []
    const transports = PASSKEY_TRANSPORTS.filter((each) => named.includes(each))
    return { passkey: { id, clientDataJSON, attestationObject, transports }, failure: null }
  } catch (error) {
    return { passkey: null, failure: failedToMake(error, options.rp.id, t) }
  }
}

/** Asks the user to present a passkey. */
export async function showPasskey(
  options: PasskeyRequestOptions,
  t: ShowSentence,
): Promise<Prompted<ShownPasskey>> {
  try {
    const { startAuthentication } = await library()
    const { id, response } = await startAuthentication({ optionsJSON: options as never })
    const { clientDataJSON, authenticatorData, signature, userHandle } = response
    const passkey = {
      id,
      clientDataJSON,
      authenticatorData,
      signature,
      ...(userHandle === undefined ? {} : { userHandle }),
    }
    return { passkey, failure: null }
  } catch (error) {
    return { passkey: null, failure: failedToShow(error, options.rpId, t) }
  }
}
