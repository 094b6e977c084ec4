import * as calls from 'virtual:calls/passkeys'
import type { Passkey } from '@muripo/contract/passkeys'
import type { settings } from '@muripo/locales/settings'
import type { Translate } from '@muripo/locales/translator'
import { makePasskey } from '../lib/passkeys.ts'
import { send } from '../session/session.ts'
import { ReaderError, throwIfFailed, unwrap } from './api-error.ts'

/** The browser's prompt gave no passkey. */
export class PromptError extends ReaderError {}

/** Sends the password, has the device create a passkey, and registers it. */
export async function registerPasskey(password: string, t: Translate<typeof settings>): Promise<Passkey> {
  const started = await send(calls.startPasskey, { body: { password } })
  const { passkey, failure } = await makePasskey(unwrap(started, 'startPasskey'), t)
  if (failure !== null) throw new PromptError(failure)
  const added = await send(calls.addPasskey, { body: { passkey } })
  return unwrap(added, 'addPasskey')
}

export async function updatePasskeyName(passkeyId: string, name: string): Promise<Passkey> {
  const result = await send(calls.renamePasskey, {
    params: { passkeyId },
    body: { name },
  })
  return unwrap(result, 'renamePasskey')
}

export async function deletePasskey(passkeyId: string, password: string): Promise<void> {
  const result = await send(calls.removePasskey, {
    params: { passkeyId },
    body: { password },
  })
  throwIfFailed(result, 'removePasskey')
}
