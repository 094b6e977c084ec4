import { signInFields } from '@muripo/contract/auth-fields'
import type { TeamMember } from '@muripo/contract/team'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useFieldText } from '../../api/error-texts.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { offerOwnership } from '../../api/team.ts'
import { useFieldRefusal } from '../../components/error-toast.ts'
import { Refusal } from '../../components/refusal.tsx'
import { dashboardToast } from '../../components/toast.ts'
import { font, stack } from '../../components/ui/classes.ts'
import { Dialog, FormFoot } from '../../components/ui/dialog.tsx'
import { SecretField, SelectField } from '../../components/ui/field.tsx'
import { fieldErrors, formProps, useForm } from '../../lib/forms.ts'
import { useTeamText } from './text.ts'

const { password } = signInFields

interface HandOverDialogProps {
  readonly members: readonly TeamMember[]
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks for the next owner and for the password. */
export function HandOverDialog({ members, opened, onClose }: HandOverDialogProps) {
  const t = useTeamText()
  const cache = useQueryClient()
  const offering = useMutation({
    mutationFn: offerOwnership,
    onSuccess(team, { memberId }) {
      onClose()
      const name = members.find(({ id }) => id === memberId)?.fullname ?? ''
      dashboardToast.success(t('handOverStarted', { name }))
      cache.setQueryData(queryKeys.team, team)
    },
  })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('handOver')}
      closesBy="escape"
      running={offering.isPending}
    >
      <HandOverForm members={members} offering={offering} onCancel={onClose} />
    </Dialog>
  )
}

interface Values {
  readonly memberId: string
  readonly password: string
}

interface FormProps extends Pick<HandOverDialogProps, 'members'> {
  readonly offering: {
    readonly isPending: boolean
    readonly error: Error | null
    readonly mutate: (values: Values, options: { readonly onError: (error: Error) => void }) => void
  }
  readonly onCancel: () => void
}

function HandOverForm({ members, offering, onCancel }: FormProps) {
  const t = useTeamText()
  const fieldText = useFieldText()
  const form = useForm<Values>({
    initialValues: { memberId: '', password: '' },
    validate: (values) => ({
      ...(values.memberId === '' && { memberId: t('handOverMissing') }),
      ...fieldErrors({ password }, { password: values.password }, fieldText),
    }),
  })
  const onError = useFieldRefusal(form, 'password', ['validation_failed', 'rate_limited'])
  return (
    <form {...formProps(form, offering.isPending, (values) => offering.mutate(values, { onError }))}>
      <div className={stack('gap24')}>
        <p className={font('quiet')}>{t('handOverEffect')}</p>
        <SelectField
          label={t('handOverTo')}
          choices={[
            { value: '', label: t('handOverChoose'), disabled: true },
            ...members.map(({ id, fullname, email }) => ({ value: id, label: `${fullname}, ${email}` })),
          ]}
          {...form.getInputProps('memberId')}
        />
        <SecretField
          label={t('handOverPassword')}
          eyeLabel={t('showHandOverPassword')}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
      </div>
      <Refusal error={offering.error} />
      <FormFoot running={offering.isPending} runningLabel={t('handOverAsking')} onCancel={onCancel}>
        {t('handOverVerb')}
      </FormFoot>
    </form>
  )
}
