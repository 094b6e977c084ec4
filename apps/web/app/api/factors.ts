import * as calls from 'virtual:calls/factors'
import * as teamCalls from 'virtual:calls/team'
import type { getFactors, startTotp, stepUp } from '@muripo/contract/factors'
import type { BodyInput, Reply } from '@muripo/contract/route'
import type { changePolicy, TeamPolicy } from '@muripo/contract/team'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { send } from '../session/session.ts'
import { throwIfFailed, unwrap } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

export type Factors = Reply<typeof getFactors>
export type ShownTotp = Reply<typeof startTotp>
export type Proof = BodyInput<typeof stepUp>

/** The second factors of the person, and what the merchant requires. */
export const useFactors = () =>
  useQuery({
    queryKey: queryKeys.factors,
    queryFn: async ({ signal }): Promise<Factors> =>
      unwrap(await send(calls.getFactors, { signal }), 'loadFactors'),
    meta: { quiet: true },
  })

/** The factors and the team are read again: both tell who has what. */
export function useFactorsChanged(): () => void {
  const cache = useQueryClient()
  return () => {
    void cache.invalidateQueries({ queryKey: queryKeys.factors })
    void cache.invalidateQueries({ queryKey: queryKeys.team })
  }
}

export async function showTotp(password: string): Promise<ShownTotp> {
  return unwrap(await send(calls.startTotp, { body: { password } }), 'changeFactors')
}

/** @returns the recovery codes, which no call returns again */
export async function addTotp(code: string): Promise<string[]> {
  return unwrap(await send(calls.enableTotp, { body: { code } }), 'changeFactors').recoveryCodes
}

export async function deleteTotp(password: string): Promise<void> {
  throwIfFailed(await send(calls.removeTotp, { body: { password } }), 'changeFactors')
}

/** @returns the recovery codes, which no call returns again */
export async function newRecoveryCodes(password: string): Promise<string[]> {
  const result = await send(calls.replaceRecoveryCodes, { body: { password } })
  return unwrap(result, 'changeFactors').recoveryCodes
}

export async function confirmPerson(body: Proof): Promise<void> {
  throwIfFailed(await send(calls.stepUp, { body }), 'confirmPerson')
}

export async function updatePolicy(body: BodyInput<typeof changePolicy>): Promise<TeamPolicy> {
  return unwrap(await send(teamCalls.changePolicy, { body }), 'changeTeam')
}
