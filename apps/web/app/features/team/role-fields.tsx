import type { GrantedRole } from '@muripo/contract/team'
import { useApplications } from '../../api/applications.ts'
import { RoleDuties, useRoleAbout } from '../../components/role-duties.tsx'
import { ChoiceCards } from '../../components/ui/choice-cards.tsx'
import { place } from '../../components/ui/classes.ts'
import { Box, Boxes, SelectField } from '../../components/ui/field.tsx'
import type { useForm } from '../../lib/forms.ts'
import { useRoleName } from '../../lib/role-name.ts'
import styles from './team.module.css'
import { type TeamText, useTeamText } from './text.ts'

export interface RoleValues {
  /** Null until one is chosen. */
  readonly role: GrantedRole | null
  readonly isLimited: boolean
  /** The chosen applications while it is limited. */
  readonly applications: readonly string[]
}

export const roleErrors = ({ role, isLimited, applications }: RoleValues, t: TeamText) => ({
  ...(role === null && { role: t('chooseRole') }),
  ...(isLimited && applications.length === 0 && { applications: t('chooseApplications') }),
})

/** The limit in the notation of the server. */
export const limitOf = ({ isLimited, applications }: RoleValues): string[] | null =>
  isLimited ? [...applications] : null

interface RoleFieldsProps {
  readonly form: Pick<ReturnType<typeof useForm<RoleValues>>, 'values' | 'errors' | 'setFieldValue'>
  /** The roles that the person may give. */
  readonly offered: readonly GrantedRole[]
}

/** The role and the applications for which it holds. */
export function RoleFields({ form: { values, errors, setFieldValue }, offered }: RoleFieldsProps) {
  const t = useTeamText()
  const roleName = useRoleName()
  const about = useRoleAbout()
  return (
    <>
      <ChoiceCards
        label={t('role')}
        name="role"
        data-path="role"
        choices={offered.map((role) => ({
          value: role,
          label: roleName(role),
          help: about(role),
          more: (
            <div className={styles.duties}>
              <RoleDuties role={role} />
            </div>
          ),
        }))}
        value={values.role}
        error={errors.role}
        onChange={(role) => setFieldValue('role', role)}
      />
      <Limit values={values} error={errors.applications} setFieldValue={setFieldValue} />
    </>
  )
}

interface LimitProps extends Pick<RoleFieldsProps['form'], 'values' | 'setFieldValue'> {
  readonly error: string | undefined
}

/** With one application there is nothing to limit, unless the role is limited already. */
function Limit({ values, error, setFieldValue }: LimitProps) {
  const t = useTeamText()
  const { data: applications = [] } = useApplications()
  const { isLimited, applications: chosen } = values
  if (applications.length < 2 && !isLimited) return null
  const toggle = (id: string) =>
    setFieldValue(
      'applications',
      chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id],
    )
  return (
    <div>
      <SelectField
        label={t('applicationsLimit')}
        choices={[
          { value: 'all', label: t('limitAll') },
          { value: 'some', label: t('limitSome') },
        ]}
        value={isLimited ? 'some' : 'all'}
        help={isLimited ? t('limitHint') : undefined}
        onChange={(event) => setFieldValue('isLimited', event.currentTarget.value === 'some')}
      />
      {isLimited && (
        <div className={place('above12')}>
          <Boxes label={t('limitTo')} isLabelHidden error={error}>
            {applications.map(({ _id, applicationName }, index) => (
              <Box
                key={_id}
                label={applicationName}
                {...(index === 0 && { 'data-path': 'applications' })}
                checked={chosen.includes(_id)}
                onChange={() => toggle(_id)}
              />
            ))}
          </Boxes>
        </div>
      )}
    </div>
  )
}
