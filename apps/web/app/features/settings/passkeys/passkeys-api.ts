import type {
  addPasskey,
  listPasskeys,
  Passkey,
  removePasskey,
  renamePasskey,
  startPasskey,
} from '@muripo/contract/passkeys'
import { useQuery } from '@tanstack/react-query'
import { CallError, dataOf } from '../../../api/errors.ts'
import { makePasskey } from '../../../lib/passkeys.ts'
import { send } from '../../../session/session.ts'

export const passkeysKey = ['passkeys'] as const

export const usePasskeys = () =>
  useQuery({
    queryKey: passkeysKey,
    queryFn: async () => {
      const result = await send<typeof listPasskeys>('GET', '/account/passkeys')
      return dataOf(result, 'Failed to load your passkeys').passkeys
    },
    meta: { quiet: true },
  })

/** The prompt of the browser came to nothing; what it says is for the dialog. */
export class PromptError extends Error {}

/** Gives the password, has the device make a passkey, and hands it in. */
export async function add(password: string): Promise<Passkey> {
  const started = await send<typeof startPasskey>('POST', '/account/passkeys/start', { body: { password } })
  const { passkey, failure } = await makePasskey(dataOf(started, 'Failed to add a passkey'))
  if (failure !== null) throw new PromptError(failure)
  const added = await send<typeof addPasskey>('POST', '/account/passkeys', { body: { passkey } })
  return dataOf(added, 'Failed to add the passkey')
}

export async function rename(passkeyId: string, name: string): Promise<Passkey> {
  const result = await send<typeof renamePasskey>('PATCH', '/account/passkeys/:passkeyId', {
    params: { passkeyId },
    body: { name },
  })
  return dataOf(result, 'Failed to rename the passkey')
}

export async function remove(passkeyId: string, password: string): Promise<void> {
  const result = await send<typeof removePasskey>('POST', '/account/passkeys/:passkeyId/remove', {
    params: { passkeyId },
    body: { password },
  })
  if (result.status !== 204) throw new CallError(result, 'Failed to remove the passkey')
}
