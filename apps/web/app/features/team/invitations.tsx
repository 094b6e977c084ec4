import type { GrantedRole, Invitation, Team } from '@muripo/contract/team'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../api/query-keys.ts'
import { withdrawInvitation } from '../../api/team.ts'
import { useErrorToast } from '../../components/error-toast.ts'
import { IconMail } from '../../components/icons.ts'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, row } from '../../components/ui/classes.ts'
import { Panel } from '../../components/ui/panel.tsx'
import { useRoleName } from '../../lib/role-name.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { useInvite } from './invite-sheet.tsx'
import { useLimitText } from './members.tsx'
import styles from './team.module.css'
import { useTeamText } from './text.ts'

interface InvitationsProps {
  readonly invitations: readonly Invitation[]
  /** The roles that the person may give. */
  readonly offered: readonly GrantedRole[]
}

export function Invitations({ invitations, offered }: InvitationsProps) {
  const t = useTeamText()
  return (
    <Panel
      title={t('invitations')}
      busy={false}
      aside={
        <span className={font('sm', 'quiet')}>{t('invitationsOpen', { count: invitations.length })}</span>
      }
    >
      <ul className={`${styles.invitations} list`}>
        {invitations.map((invitation) => (
          <OpenInvitation
            key={invitation.id}
            invitation={invitation}
            mayChange={offered.includes(invitation.role)}
          />
        ))}
      </ul>
    </Panel>
  )
}

interface OpenInvitationProps {
  readonly invitation: Invitation
  readonly mayChange: boolean
}

function OpenInvitation({ invitation, mayChange }: OpenInvitationProps) {
  const t = useTeamText()
  const roleName = useRoleName()
  const limitText = useLimitText()
  const { dayText } = useFormats()
  const { email, role, applications, expiresAt } = invitation
  return (
    <li className={row('wrap', 'centre', 'gap12')}>
      <span className={styles.initials} aria-hidden>
        <IconMail size={18} stroke={1.75} />
      </span>
      <span className={styles.invited}>
        <span className={font('md', 'semibold', 'anywhere')}>{email}</span>
        <span className={font('sm', 'quiet', 'pretty')}>
          {t('invitationFacts', {
            role: roleName(role),
            applications: limitText(applications, t('invitationAll')),
            date: dayText(expiresAt),
          })}
        </span>
      </span>
      {mayChange && <Acts invitation={invitation} />}
    </li>
  )
}

function Acts({ invitation }: Pick<OpenInvitationProps, 'invitation'>) {
  const t = useTeamText()
  const cache = useQueryClient()
  const onError = useErrorToast()
  const { id, email, role, applications } = invitation
  const again = useInvite(() => {})
  const withdrawal = useMutation({
    mutationFn: withdrawInvitation,
    onSuccess() {
      dashboardToast.success(t('withdrawn', { email }))
      cache.setQueryData<Team>(
        queryKeys.team,
        (team) => team && { ...team, invitations: team.invitations.filter((each) => each.id !== id) },
      )
    },
    onError,
  })
  const button = { kind: 'default', size: 'small' } as const
  return (
    <span className={`${styles.acts} ${row('wrap', 'gap8')}`}>
      <Button
        {...button}
        aria-label={t('sendAgainTo', { email })}
        running={again.isPending}
        runningLabel={t('sendingAgain')}
        onClick={() =>
          again.mutate({ email, role, applications: applications && [...applications] }, { onError })
        }
      >
        {t('sendAgain')}
      </Button>
      <Button
        {...button}
        aria-label={t('withdrawFrom', { email })}
        running={withdrawal.isPending}
        runningLabel={t('withdrawing')}
        onClick={() => withdrawal.mutate(id)}
      >
        {t('withdraw')}
      </Button>
    </span>
  )
}
