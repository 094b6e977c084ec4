import { AccountId, AttemptId } from '@muripo/contract/ids'
import { suffixOf, systemIds } from '../../platform/ids.ts'
import type { Connector } from './connector.ts'

/** A number of no subscriber. */
const NOBODY = '263770000000'

/** Looks up a charge that was never made: a provider answers it to valid credentials only, and moves no money. */
export const checkByLookup = (lookup: Connector['lookup']) => async (): Promise<void> => {
  const key = suffixOf(systemIds.next(AttemptId))
  await lookup({ accountId: systemIds.next(AccountId), key, msisdn: NOBODY, state: null })
}
