import { AccountId, AttemptId } from '@muripo/contract/ids'
import { suffixOf, systemIds } from '../../platform/ids.ts'
import { type Connector, type CredentialProof, ProviderError } from './connector.ts'

/** A number of no subscriber. */
const NOBODY = '263770000000'

/** A secret that no provider has issued, of the same length: a provider may refuse others before it compares them. */
export const wrongSecret = (secret: string): string => {
  const other = [...secret].map((sign) => (sign === '0' ? '1' : '0')).join('')
  return other === '' ? '0' : other
}

/**
 * Makes the same call twice, the second time with wrong credentials.
 * @throws ProviderError invalid: the credentials are refused; another kind: they could not be checked
 */
export async function proveCredentials(
  own: () => Promise<unknown>,
  wrong: () => Promise<unknown>,
): Promise<CredentialProof> {
  await own()
  try {
    await wrong()
    return 'unproved'
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return error.kind === 'invalid' ? 'proved' : 'unproved'
  }
}

/** Looks up a charge that was never made: a provider answers it to valid credentials only, and moves no money. */
export async function lookUpNothing(lookup: Connector['lookup']): Promise<void> {
  const key = suffixOf(systemIds.next(AttemptId))
  const reply = await lookup({ accountId: systemIds.next(AccountId), key, msisdn: NOBODY, state: null })
  if (reply.kind !== 'not_found') throw new ProviderError('unknown', 'a charge was found that was never made')
}

export const proveByLookup = (own: Connector['lookup'], wrong: Connector['lookup']) => () =>
  proveCredentials(
    () => lookUpNothing(own),
    () => lookUpNothing(wrong),
  )
