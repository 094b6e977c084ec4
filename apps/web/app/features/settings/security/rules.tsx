import type { Team, TeamMember } from '@muripo/contract/team'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updatePolicy } from '../../../api/factors.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { useTeam } from '../../../api/team.ts'
import { useErrorToast } from '../../../components/error-toast.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font } from '../../../components/ui/classes.ts'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useRoleName } from '../../../lib/role-name.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { Section } from '../section.tsx'
import styles from './security.module.css'
import { useSecurityText } from './text.ts'

/** The requirements of the team, and the members who lack them. */
export function Rules() {
  const t = useSecurityText()
  const query = useTeam()
  const team = query.data
  return (
    <Section title={t('teamRules')} about={t('rulesAbout')} query={query}>
      <Rule
        title={t('ruleSecondFactor')}
        about={t('ruleSecondFactorAbout')}
        setting="requireSecondFactor"
        since={team?.policy.requiredSince}
        lacking={team?.members.filter(({ secondFactor }) => !secondFactor)}
      />
      <Rule
        title={t('rulePasskey')}
        about={t('rulePasskeyAbout')}
        setting="requirePasskey"
        since={team?.policy.passkeyRequiredSince}
        lacking={team?.members.filter(({ passkey }) => !passkey)}
      />
    </Section>
  )
}

interface RuleProps {
  readonly title: string
  readonly about: string
  readonly setting: 'requireSecondFactor' | 'requirePasskey'
  /** Null when it is not required; undefined while the team is loading. */
  readonly since: string | null | undefined
  readonly lacking: readonly TeamMember[] | undefined
}

function Rule({ title, about, setting, since, lacking }: RuleProps) {
  const t = useSecurityText()
  const { dateText } = useFormats()
  const isRequired = since !== null
  const change = useChangeRule()
  return (
    <div className={styles.rule}>
      <div>
        <h3 className={font('md', 'semibold')}>{title}</h3>
        <p className={font('sm', 'quiet', 'above2', 'pretty')}>{about}</p>
        {since === undefined || lacking === undefined ? (
          <Skeleton h={14} w={180} maw="100%" my={5} />
        ) : (
          <>
            <p className={font('sm', 'medium', 'above8')}>
              {since === null ? t('ruleNot') : t('ruleSince', { date: dateText(since) })}
            </p>
            <Lacking members={lacking} />
          </>
        )}
      </div>
      {since === undefined ? (
        <Skeleton h={44} w={96} />
      ) : (
        <Button
          kind="default"
          aria-label={t(isRequired ? 'endRuleNamed' : 'requireNamed', { rule: title })}
          running={change.isPending}
          runningLabel={t('savingRule')}
          onClick={() => change.mutate({ [setting]: !isRequired })}
        >
          {t(isRequired ? 'endRule' : 'require')}
        </Button>
      )}
    </div>
  )
}

function useChangeRule() {
  const t = useSecurityText()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: updatePolicy,
    onSuccess(policy, change) {
      dashboardToast.success(t(Object.values(change).includes(true) ? 'ruleBegun' : 'ruleEnded'))
      cache.setQueryData<Team>(queryKeys.team, (team) => team && { ...team, policy })
      return cache.invalidateQueries({ queryKey: queryKeys.factors })
    },
    onError: useErrorToast(),
  })
}

function Lacking({ members }: { readonly members: readonly TeamMember[] }) {
  const t = useSecurityText()
  const roleName = useRoleName()
  if (members.length === 0) return <p className={font('sm', 'quiet', 'above2')}>{t('lackingNone')}</p>
  return (
    <>
      <p className={font('sm', 'quiet', 'above2')}>{t('lacking', { count: members.length })}</p>
      <ul className={`${styles.lacking} ${font('sm')}`}>
        {members.map(({ id, fullname, role }) => (
          <li key={id}>{`${fullname}, ${roleName(role)}`}</li>
        ))}
      </ul>
    </>
  )
}
