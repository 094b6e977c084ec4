import type { Proposal } from '@muripo/contract/proposals'
import { useEffect, useState } from 'react'
import { toast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid, row } from '../../../components/ui/classes.ts'
import { Panel } from '../../../components/ui/panel.tsx'
import { initialsOf } from '../../../lib/initials.ts'
import { usePageLanguage } from '../../../lib/page-text.ts'
import { preparePasskeys } from '../../../lib/passkeys.ts'
import { useMe } from '../api.ts'
import { useConsoleDates } from '../dates.ts'
import { IconFingerprint } from '../icons.ts'
import { bodyClass } from '../panel-parts.tsx'
import { approve, reject, useChange, withdraw } from '../queries.ts'
import { useConsoleText } from '../text.ts'
import styles from './decisions.module.css'
import { kindText } from './kinds.ts'
import { lineName, lineWord } from './lines.ts'
import { ReasonDialog, Refused } from './reason-dialog.tsx'

/** An open proposal on the page of its subject, with the acts that the operator may do. */
export function ProposalPanel({ proposal }: { readonly proposal: Proposal }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const { kind, about, reason, expiresAt } = proposal
  const title = kindText(kind, t)
  return (
    <Panel title={title} name={`${title}: ${about}`} busy={false}>
      <div className={`${bodyClass} ${grid('gap16')}`}>
        <People proposal={proposal} />
        <div className={grid('gap8')}>
          <p className={font('md', 'semibold', 'anywhere')}>{about}</p>
          <Diff proposal={proposal} />
          <p className={font('sm', 'quiet', 'anywhere', 'pretty')}>“{reason}”</p>
        </div>
        <Acts proposal={proposal} />
      </div>
      <p className={`${styles.foot} ${font('sm', 'quiet', 'pretty')}`}>
        {t('runsExactly', { time: dates.when(expiresAt) })}
      </p>
    </Panel>
  )
}

function People({ proposal: { proposedBy, proposedAt, mayApprove } }: { readonly proposal: Proposal }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const { data: me } = useMe()
  const time = dates.when(proposedAt)
  return (
    <div className={grid('gap8')}>
      <p className={`${row('centre', 'gap8')} ${font('md')}`}>
        <span className={`${styles.initials} ${font('xs', 'semibold')}`} aria-hidden>
          {initialsOf(proposedBy.name)}
        </span>
        {me?.id === proposedBy.id
          ? t('youProposed', { time })
          : t('proposedBy', { name: proposedBy.name, time })}
      </p>
      {mayApprove && (
        <p className={`${row('centre', 'gap8')} ${font('md', 'quiet')}`}>
          <span className={styles.second} aria-hidden />
          {t('youSecond')}
        </p>
      )}
    </div>
  )
}

function Diff({ proposal: { diff } }: { readonly proposal: Proposal }) {
  const t = useConsoleText()
  return (
    <dl className={styles.diff}>
      {diff.map(({ label, from, to }) => (
        <div key={label}>
          <dt className={font('sm', 'quiet', 'anywhere')}>{lineName(label, t)}</dt>
          <dd className={font('md', 'medium', 'anywhere')}>
            {from === null
              ? lineWord(label, to, t)
              : t('diffTo', { from: lineWord(label, from, t), to: lineWord(label, to, t) })}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Acts({ proposal }: { readonly proposal: Proposal }) {
  const t = useConsoleText()
  const [isDeclining, setDeclining] = useState(false)
  useEffect(preparePasskeys, [])
  const { id, mayApprove, mayWithdraw } = proposal
  const approving = useChange(
    () => approve(id, t),
    () => toast.success(t('approved')),
  )
  const withdrawing = useChange(
    () => withdraw(id),
    () => toast.success(t('withdrawn')),
  )
  const declining = useChange(
    (reason: string) => reject(id, reason),
    () => {
      setDeclining(false)
      toast.success(t('declined'))
    },
  )
  return (
    <>
      <Refused error={approving.error ?? withdrawing.error} />
      <div className={row('wrap', 'centre', 'gap12')}>
        {mayApprove ? (
          <>
            <Button
              icon={IconFingerprint}
              running={approving.isPending}
              runningLabel={t('consolePasskeyWaiting')}
              onClick={() => approving.mutate(undefined)}
            >
              {t('approveDo')}
            </Button>
            <Button kind="danger-quiet" aria-haspopup="dialog" onClick={() => setDeclining(true)}>
              {t('declineDo')}
            </Button>
          </>
        ) : (
          <WhyNot proposal={proposal} />
        )}
        {mayWithdraw && (
          <Button
            kind="default"
            running={withdrawing.isPending}
            runningLabel={t('working')}
            onClick={() => withdrawing.mutate(undefined)}
          >
            {t('withdrawDo')}
          </Button>
        )}
      </div>
      <ReasonDialog
        opened={isDeclining}
        title={t('declineTitle')}
        text={t('declineText')}
        help={t('reasonForSecond')}
        verb={t('declineVerb')}
        danger
        running={declining.isPending}
        error={declining.error}
        onClose={() => setDeclining(false)}
        onReason={(reason) => declining.mutate(reason)}
      />
    </>
  )
}

/** In the place of the button. The server's sentence is English. */
function WhyNot({ proposal: { whyNot, mayWithdraw } }: { readonly proposal: Proposal }) {
  const t = useConsoleText()
  const { locale } = usePageLanguage()
  const translated = t(mayWithdraw ? 'secondNeeded' : 'notDecider')
  return <p className={font('md', 'quiet', 'pretty', 'wholeLine')}>{locale === 'en' ? whyNot : translated}</p>
}
