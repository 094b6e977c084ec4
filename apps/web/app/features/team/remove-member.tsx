import type { MadeByMember, Team, TeamMember } from '@muripo/contract/team'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../api/query-keys.ts'
import { deleteMember } from '../../api/team.ts'
import { useErrorToast } from '../../components/error-toast.ts'
import { dashboardToast } from '../../components/toast.ts'
import { Confirm } from '../../components/ui/confirm.tsx'
import { session } from '../../session/session.ts'
import { useTeamText } from './text.ts'

interface RemoveMemberProps {
  /** Null while the question is closed. */
  readonly member: TeamMember | null
  readonly isMe: boolean
  readonly merchant: string
  /** Called with what a removed member leaves behind. */
  readonly onRemoved: (member: TeamMember, made: MadeByMember) => void
  readonly onClose: () => void
}

/** Asks before a member is removed, or leaves. */
export function RemoveMember({ member, isMe, merchant, onRemoved, onClose }: RemoveMemberProps) {
  const t = useTeamText()
  const cache = useQueryClient()
  const name = member?.fullname ?? ''
  const removal = useMutation({
    mutationFn: ({ id }: TeamMember) => deleteMember(id),
    onSuccess(made, removed) {
      const { id } = removed
      onClose()
      if (isMe) return session.logOut('signed-out')
      dashboardToast.success(t('removed', { name }))
      onRemoved(removed, made)
      cache.setQueryData<Team>(
        queryKeys.team,
        (team) => team && { ...team, members: team.members.filter((each) => each.id !== id) },
      )
    },
    onError: useErrorToast(),
  })
  return (
    <Confirm
      opened={member !== null}
      title={isMe ? t('leaveTitle', { merchant }) : t('removeTitle', { name })}
      verb={t(isMe ? 'leaveVerb' : 'removeVerb')}
      working={t(isMe ? 'leaving' : 'removingMember')}
      running={removal.isPending}
      danger
      onConfirm={() => member && removal.mutate(member)}
      onClose={onClose}
    >
      <p>{isMe ? t('leaveEffect') : t('removeEffect', { name, merchant })}</p>
    </Confirm>
  )
}
