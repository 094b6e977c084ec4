import type { Account } from '@muripo/contract/account'
import type { Team as TeamData } from '@muripo/contract/team'
import { useState } from 'react'
import { useAccount } from '../../api/account.ts'
import { useMay } from '../../api/may.ts'
import { useTeam } from '../../api/team.ts'
import { IconUserPlus } from '../../components/icons.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, stack, surface } from '../../components/ui/classes.ts'
import { QueryError } from '../../components/ui/empty-state.tsx'
import { Panel } from '../../components/ui/panel.tsx'
import type { DashboardHandle } from '../../lib/dashboard-text.ts'
import { ownMember, rolesToGrant } from './granting.ts'
import { HandOver } from './hand-over.tsx'
import { Invitations } from './invitations.tsx'
import { InviteSheet } from './invite-sheet.tsx'
import { Members } from './members.tsx'
import styles from './team.module.css'
import { useTeamText } from './text.ts'

export const handle: DashboardHandle = { title: 'teamPage', needs: 'team.read' }

export default function Team() {
  const { data: account } = useAccount()
  const team = useTeam()
  if (team.error && !team.data) return <QueryError query={team} />
  return <Loaded account={account} team={account && team.data} />
}

interface LoadedProps {
  /** Both undefined while they are loading. */
  readonly account: Account | undefined
  readonly team: TeamData | undefined
}

function Loaded({ account, team }: LoadedProps) {
  const t = useTeamText()
  const mayChange = useMay('team.write')
  const [isInviting, setInviting] = useState(false)
  const me = account && team && ownMember(team, account)
  const offered = account && team && mayChange ? rolesToGrant(account, me) : []
  return (
    <div className={stack('gap24')}>
      <Panel
        title={t('members')}
        busy={team === undefined}
        aside={
          mayChange && (
            <Button icon={IconUserPlus} aria-haspopup="dialog" onClick={() => setInviting(true)}>
              {t('invite')}
            </Button>
          )
        }
      >
        <Members account={account} team={team} offered={offered} />
      </Panel>
      {team && team.invitations.length > 0 && (
        <Invitations invitations={team.invitations} offered={offered} />
      )}
      <Rules />
      {account && team && me && <HandOver account={account} team={team} me={me} />}
      {mayChange && <InviteSheet opened={isInviting} offered={offered} onClose={() => setInviting(false)} />}
    </div>
  )
}

function Rules() {
  const t = useTeamText()
  const rules = [
    [t('ruleGrant'), t('ruleGrantAbout')],
    [t('ruleOwner'), t('ruleOwnerAbout')],
  ] as const
  return (
    <section aria-label={t('rules')} className={`${styles.rules} ${surface('surface')}`}>
      {rules.map(([rule, about]) => (
        <div key={rule}>
          <h2 className={font('md', 'semibold')}>{rule}</h2>
          <p className={font('sm', 'quiet', 'above2', 'pretty')}>{about}</p>
        </div>
      ))}
    </section>
  )
}
