import type { Account } from '@muripo/contract/account'
import type { Team, TeamMember } from '@muripo/contract/team'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { acceptOwnership, endHandOver } from '../../api/team.ts'
import { useErrorToast } from '../../components/error-toast.ts'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, row, surface } from '../../components/ui/classes.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { isOwner } from './granting.ts'
import { HandOverDialog } from './hand-over-dialog.tsx'
import styles from './team.module.css'
import { useTeamText } from './text.ts'

interface HandOverProps {
  readonly account: Account
  readonly team: Team
  readonly me: TeamMember
}

/** For the owner, who starts and withdraws a hand-over, and for the next owner, who confirms or declines it. */
export function HandOver({ account, team, me }: HandOverProps) {
  const { handOver, members } = team
  const next = members.find(({ id }) => id === handOver?.to)
  if (isOwner(me))
    return handOver && next ? (
      <Waiting name={next.fullname} expiresAt={handOver.expiresAt} />
    ) : (
      <Start members={members.filter((member) => !isOwner(member))} />
    )
  if (handOver === null || next?.id !== me.id) return null
  const owner = members.find(isOwner)?.fullname ?? ''
  return <ForMe owner={owner} merchant={account.merchant.name} expiresAt={handOver.expiresAt} />
}

interface PartProps {
  readonly title: string
  readonly about: string
  readonly children: ReactNode
}

const Part = ({ title, about, children }: PartProps) => (
  <section className={`${styles.part} ${row('wrap', 'centre', 'between', 'gap16')} ${surface('surface')}`}>
    <div className={styles.partWords}>
      <h2 className={font('md', 'semibold')}>{title}</h2>
      <p className={font('sm', 'quiet', 'above2', 'pretty')}>{about}</p>
    </div>
    <div className={row('wrap', 'gap8')}>{children}</div>
  </section>
)

function Start({ members }: { readonly members: readonly TeamMember[] }) {
  const t = useTeamText()
  const [isOpen, setOpen] = useState(false)
  if (members.length === 0)
    return (
      <Part title={t('handOver')} about={t('handOverNobody')}>
        {null}
      </Part>
    )
  return (
    <Part title={t('handOver')} about={t('handOverAbout')}>
      <Button kind="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('handOverButton')}
      </Button>
      <HandOverDialog members={members} opened={isOpen} onClose={() => setOpen(false)} />
    </Part>
  )
}

function useEndHandOver(done: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: endHandOver,
    onSuccess() {
      dashboardToast.success(done)
      cache.setQueryData<Team>(queryKeys.team, (team) => team && { ...team, handOver: null })
    },
    onError: useErrorToast(),
  })
}

function Waiting({ name, expiresAt }: { readonly name: string; readonly expiresAt: string }) {
  const t = useTeamText()
  const { dateText } = useFormats()
  const ending = useEndHandOver(t('handOverWithdrawn'))
  return (
    <Part title={t('handOver')} about={t('handOverWaits', { name, date: dateText(expiresAt) })}>
      <Button
        kind="default"
        running={ending.isPending}
        runningLabel={t('withdrawing')}
        onClick={() => ending.mutate()}
      >
        {t('withdraw')}
      </Button>
    </Part>
  )
}

interface ForMeProps {
  readonly owner: string
  readonly merchant: string
  readonly expiresAt: string
}

function ForMe({ owner, merchant, expiresAt }: ForMeProps) {
  const t = useTeamText()
  const cache = useQueryClient()
  const { dateText } = useFormats()
  const ending = useEndHandOver(t('handOverDeclined'))
  const accepting = useMutation({
    mutationFn: acceptOwnership,
    onSuccess(team) {
      dashboardToast.success(t('handOverDone', { merchant }))
      cache.setQueryData(queryKeys.team, team)
      // The account has the permissions of the role.
      return cache.invalidateQueries({ queryKey: queryKeys.account, exact: true })
    },
    onError: useErrorToast(),
  })
  return (
    <Part
      title={t('handOverForYou', { name: owner, merchant })}
      about={t('handOverForYouAbout', { date: dateText(expiresAt) })}
    >
      <Button
        running={accepting.isPending}
        runningLabel={t('handOverAccepting')}
        onClick={() => accepting.mutate()}
      >
        {t('handOverAccept')}
      </Button>
      <Button kind="default" running={ending.isPending} onClick={() => ending.mutate()}>
        {t('handOverDecline')}
      </Button>
    </Part>
  )
}
