import type {
  addPasskey,
  listPasskeys,
  Passkey,
  removePasskey,
  renamePasskey,
  startPasskey,
} from '@muripo/contract/passkeys'
import type { settings } from '@muripo/locales/settings'
import type { Translate } from '@muripo/locales/translator'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { makePasskey } from '../lib/passkeys.ts'
import { send } from '../session/session.ts'
import { throwIfFailed, unwrap } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

const passkeysQuery = queryOptions({
  queryKey: queryKeys.passkeys,
  queryFn: async ({ signal }) =>
    unwrap(await send<typeof listPasskeys>('GET', '/account/passkeys', { signal }), 'loadPasskeys').passkeys,
  meta: { quiet: true },
})

export const usePasskeys = () => useQuery(passkeysQuery)

/** The browser's prompt gave no passkey. Its message, in the page's language, is for the dialog. */
export class PromptError extends Error {}

/** Sends the password, has the device create a passkey, and registers it. */
export async function registerPasskey(password: string, t: Translate<typeof settings>): Promise<Passkey> {
  const started = await send<typeof startPasskey>('POST', '/account/passkeys/start', { body: { password } })
  const { passkey, failure } = await makePasskey(unwrap(started, 'startPasskey'), t)
  if (failure !== null) throw new PromptError(failure)
  const added = await send<typeof addPasskey>('POST', '/account/passkeys', { body: { passkey } })
  return unwrap(added, 'addPasskey')
}

export async function updatePasskeyName(passkeyId: string, name: string): Promise<Passkey> {
  const result = await send<typeof renamePasskey>('PATCH', '/account/passkeys/:passkeyId', {
    params: { passkeyId },
    body: { name },
  })
  return unwrap(result, 'renamePasskey')
}

export async function deletePasskey(passkeyId: string, password: string): Promise<void> {
  const result = await send<typeof removePasskey>('POST', '/account/passkeys/:passkeyId/remove', {
    params: { passkeyId },
    body: { password },
  })
  throwIfFailed(result, 'removePasskey')
}
