import { PASSKEY_TRANSPORTS } from '@muripo/contract/constants'
import type { AskOptions, MadePasskey, MakeOptions, ShownPasskey } from '@muripo/contract/passkeys'
import { failedToMake, failedToShow } from './passkey-failures.ts'

/** Whether this browser knows passkeys, on this page. */
export const knowsPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function'

// Fetched by those who use it. Ask for it before it is needed: some browsers open no prompt long after a click.
const library = () => import('@simplewebauthn/browser')
export const preparePasskeys = (): void => void library().catch(() => undefined)

/** What an authenticator said, or the sentence for why it said nothing. */
export type Prompted<T> =
  | { readonly passkey: T; readonly failure: null }
  | { readonly passkey: null; readonly failure: string }

/** Has the user's device make a passkey. */
export async function makePasskey(options: MakeOptions): Promise<Prompted<MadePasskey>> {
  try {
    const { startRegistration } = await library()
    const { id, response } = await startRegistration({ optionsJSON: options as never })
    const { clientDataJSON, attestationObject } = response
    const named = response.transports ?? []
    const transports = PASSKEY_TRANSPORTS.filter((each) => named.includes(each))
    return { passkey: { id, clientDataJSON, attestationObject, transports }, failure: null }
  } catch (error) {
    return { passkey: null, failure: failedToMake(error, options.rp.id) }
  }
}

/** Has the user show one. */
export async function showPasskey(options: AskOptions): Promise<Prompted<ShownPasskey>> {
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
    return { passkey: null, failure: failedToShow(error, options.rpId) }
  }
}
