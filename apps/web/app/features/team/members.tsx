import type { Account } from '@muripo/contract/account'
import type { GrantedRole, MadeByMember, Team, TeamMember } from '@muripo/contract/team'
import { useState } from 'react'
import { useApplicationChoices } from '../../api/applications.ts'
import { useMay } from '../../api/may.ts'
import { IconDots } from '../../components/icons.ts'
import { dashboardToast } from '../../components/toast.ts'
import { font, grid, iconButtonClass, row } from '../../components/ui/classes.ts'
import { type Column, DataList } from '../../components/ui/data-list.tsx'
import { Menu, type MenuItem } from '../../components/ui/menu.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { initialsOf } from '../../lib/initials.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { useCommonText } from '../../lib/page-text.ts'
import { useRoleName } from '../../lib/role-name.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { isOwner } from './granting.ts'
import { RemoveMember } from './remove-member.tsx'
import { RoleSheet } from './role-sheet.tsx'
import styles from './team.module.css'
import { useTeamText } from './text.ts'

interface MembersProps {
  /** Both undefined while they are loading. */
  readonly account: Account | undefined
  readonly team: Team | undefined
  readonly offered: readonly GrantedRole[]
}

export function Members({ account, team, offered }: MembersProps) {
  const t = useTeamText()
  const [changed, setChanged] = useState<TeamMember | null>(null)
  const [removed, setRemoved] = useState<TeamMember | null>(null)
  const [left, setLeft] = useState({ name: '', made: null as MadeByMember | null })
  const { module: leftBehind, load } = useLazyModule(() => import('./left-behind.tsx'), { mayReload: false })
  const common = useCommonText()
  const isMe = ({ email }: TeamMember) => email === account?.email
  const actsOf = (member: TeamMember): readonly MenuItem[] => {
    const { role } = member
    if (isOwner(member)) return []
    if (isMe(member))
      return [{ name: 'leave', label: t('leave'), danger: true, onChoose: () => setRemoved(member) }]
    // A person who may not give the role may not take it.
    if (!offered.includes(role as GrantedRole)) return []
    return [
      { name: 'role', label: t('changeRole'), onChoose: () => setChanged(member) },
      { name: 'remove', label: t('removeMember'), danger: true, onChoose: () => setRemoved(member) },
    ]
  }
  const columns = useMemberColumns({ isMe, actsOf })
  return (
    <>
      <DataList
        label={t('members')}
        className={styles.members}
        columns={columns}
        items={team?.members}
        keyOf={({ id }) => id}
        loadingRows={2}
      />
      <RoleSheet member={changed} offered={offered} onClose={() => setChanged(null)} />
      {account && (
        <RemoveMember
          member={removed}
          isMe={removed !== null && isMe(removed)}
          merchant={account.merchant.name}
          onRemoved={async ({ fullname: name }, made) => {
            if (made.keys.length + made.endpoints.length === 0) return
            if (await load()) setLeft({ name, made })
            else dashboardToast.error(common('checkConnection'))
          }}
          onClose={() => setRemoved(null)}
        />
      )}
      {leftBehind && <leftBehind.LeftBehind {...left} onClose={() => setLeft({ ...left, made: null })} />}
    </>
  )
}

/** Returns the sentence for the applications to which a membership is limited. */
export function useLimitText(): (applications: TeamMember['applications'], all: string) => string {
  const t = useTeamText()
  const { data: known = [] } = useApplicationChoices(useMay('applications.read'))
  return (applications, all) =>
    applications === null
      ? all
      : applications
          .map((id) => known.find(({ _id }) => _id === id)?.applicationName ?? t('unknownApplication'))
          .join(', ')
}

interface ColumnsOptions {
  readonly isMe: (member: TeamMember) => boolean
  readonly actsOf: (member: TeamMember) => readonly MenuItem[]
}

function useMemberColumns({ isMe, actsOf }: ColumnsOptions): readonly Column<TeamMember>[] {
  const t = useTeamText()
  const dashboard = useDashboardText()
  const roleName = useRoleName()
  const limitText = useLimitText()
  return [
    {
      title: t('person'),
      area: 'person',
      placeholder: 'icon',
      cell: (member) => (
        <span className={row('centre', 'gap12')}>
          <span className={`${styles.initials} ${font('xs', 'semibold')}`} aria-hidden>
            {initialsOf(member.fullname)}
          </span>
          <span className={`${styles.words} ${grid()}`}>
            <span className={font('md', 'semibold', 'anywhere')}>
              {member.fullname} {isMe(member) && <span className={font('quiet', 'regular')}>{t('you')}</span>}
            </span>
            <span className={font('sm', 'quiet', 'anywhere')}>{member.email}</span>
          </span>
        </span>
      ),
    },
    {
      title: t('role'),
      area: 'role',
      className: `${styles.role} ${font('medium')}`,
      cell: ({ role }) => roleName(role),
    },
    {
      title: t('applicationsLimit'),
      area: 'limit',
      isQuiet: true,
      className: font('anywhere'),
      cell: ({ applications }) => (
        <span className={applications === null ? styles.all : undefined}>
          {limitText(applications, t('allApplications'))}
        </span>
      ),
    },
    {
      title: t('lastHere'),
      cardTitle: t('lastHereCard'),
      area: 'seen',
      isQuiet: true,
      className: styles.seen,
      cell: (member) => (isMe(member) ? t('nowHere') : <LastHere at={member.lastSeenAt} />),
    },
    {
      title: dashboard('actions'),
      isTitleHidden: true,
      area: 'actions',
      align: 'end',
      placeholder: 'none',
      cell: (member) => <Acts member={member} acts={actsOf(member)} />,
    },
  ]
}

function LastHere({ at }: { readonly at: string | null }) {
  const t = useTeamText()
  const { exactText, whenText } = useFormats()
  if (at === null) return t('neverHere')
  return (
    <time dateTime={at} title={exactText(at)}>
      {whenText(at)}
    </time>
  )
}

function Acts({ member, acts }: { readonly member: TeamMember; readonly acts: readonly MenuItem[] }) {
  const t = useTeamText()
  if (acts.length === 0) return null
  const label = t('membersMore', { name: member.fullname })
  return (
    <Menu label={label} aria-label={label} className={`${styles.more} ${iconButtonClass}`} items={acts}>
      <IconDots size={20} stroke={1.75} aria-hidden />
    </Menu>
  )
}
