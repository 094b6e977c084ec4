import * as calls from 'virtual:calls/team'
import type { BodyInput } from '@muripo/contract/route'
import type {
  changeMember,
  Invitation,
  inviteMember,
  MadeByMember,
  startHandOver,
  Team,
  TeamMember,
} from '@muripo/contract/team'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { send } from '../session/session.ts'
import { throwIfFailed, unwrap } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

const teamQuery = queryOptions({
  queryKey: queryKeys.team,
  queryFn: async ({ signal }): Promise<Team> => unwrap(await send(calls.getTeam, { signal }), 'loadTeam'),
  meta: { quiet: true },
})

export const useTeam = (enabled = true) => useQuery({ ...teamQuery, enabled })

export async function sendInvitation(body: BodyInput<typeof inviteMember>): Promise<Invitation> {
  return unwrap(await send(calls.inviteMember, { body }), 'changeTeam')
}

export async function withdrawInvitation(invitationId: string): Promise<void> {
  throwIfFailed(await send(calls.revokeInvitation, { params: { invitationId } }), 'changeTeam')
}

interface MemberChange {
  readonly memberId: string
  readonly body: BodyInput<typeof changeMember>
}

export async function updateMember({ memberId, body }: MemberChange): Promise<TeamMember> {
  return unwrap(await send(calls.changeMember, { params: { memberId }, body }), 'changeTeam')
}

/** @returns what the member made and what still works */
export async function deleteMember(memberId: string): Promise<MadeByMember> {
  return unwrap(await send(calls.removeMember, { params: { memberId } }), 'changeTeam')
}

export async function offerOwnership(body: BodyInput<typeof startHandOver>): Promise<Team> {
  return unwrap(await send(calls.startHandOver, { body }), 'changeTeam')
}

/** Withdraws it as the owner, or declines it as the next owner. */
export async function endHandOver(): Promise<void> {
  throwIfFailed(await send(calls.cancelHandOver), 'changeTeam')
}

export async function acceptOwnership(): Promise<Team> {
  return unwrap(await send(calls.confirmHandOver), 'changeTeam')
}
