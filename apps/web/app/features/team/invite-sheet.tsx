import { forgotPasswordFields } from '@muripo/contract/auth-fields'
import type { GrantedRole, Invitation } from '@muripo/contract/team'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useFieldText } from '../../api/error-texts.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { sendInvitation } from '../../api/team.ts'
import { useFieldRefusal } from '../../components/error-toast.ts'
import { IconSend } from '../../components/icons.ts'
import { Refusal } from '../../components/refusal.tsx'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, stack } from '../../components/ui/classes.ts'
import { DialogFoot } from '../../components/ui/dialog.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { Sheet } from '../../components/ui/sheet.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { cleanValues, fieldErrors, formProps, useForm } from '../../lib/forms.ts'
import { limitOf, RoleFields, type RoleValues, roleErrors } from './role-fields.tsx'
import { useTeamText } from './text.ts'

interface InviteSheetProps {
  readonly opened: boolean
  readonly offered: readonly GrantedRole[]
  readonly onClose: () => void
}

export function InviteSheet({ opened, onClose, offered }: InviteSheetProps) {
  const t = useTeamText()
  const [isDirty, setDirty] = useState(false)
  const close = () => {
    setDirty(false)
    onClose()
  }
  const inviting = useInvite(close)
  return (
    <Sheet
      opened={opened}
      onClose={close}
      title={t('inviteTitle')}
      dirty={isDirty}
      running={inviting.isPending}
    >
      <InviteForm offered={offered} inviting={inviting} onDirty={setDirty} />
    </Sheet>
  )
}

type Body = Parameters<typeof sendInvitation>[0]

/** An open invitation of the same address is replaced. */
export function useInvite(onSent: (invitation: Invitation) => void) {
  const t = useTeamText()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Body) => sendInvitation(body),
    onSuccess(invitation) {
      onSent(invitation)
      dashboardToast.success(t('invitationSent', { email: invitation.email }))
      return cache.invalidateQueries({ queryKey: queryKeys.team })
    },
  })
}

interface InviteValues extends RoleValues {
  readonly email: string
}

const blank: InviteValues = { email: '', role: null, isLimited: false, applications: [] }

interface InviteFormProps {
  readonly offered: readonly GrantedRole[]
  readonly inviting: ReturnType<typeof useInvite>
  readonly onDirty: (isDirty: boolean) => void
}

/** Mounted only while the sheet is open, so that it is empty each time. */
function InviteForm({ offered, inviting, onDirty }: InviteFormProps) {
  const t = useTeamText()
  const dashboard = useDashboardText()
  const fieldText = useFieldText()
  const form = useForm<InviteValues>({
    initialValues: blank,
    validate: (values) => ({
      ...fieldErrors(forgotPasswordFields, { email: values.email }, fieldText),
      ...roleErrors(values, t),
    }),
  })
  const onError = useFieldRefusal(form, 'email', ['already_member', 'validation_failed'])
  const noted = useRef(false)
  const note = () => {
    if (noted.current) return
    noted.current = true
    onDirty(true)
  }
  const submit = (values: InviteValues) => {
    if (values.role === null) return
    const { email } = cleanValues(forgotPasswordFields, { email: values.email })
    inviting.mutate({ email, role: values.role, applications: limitOf(values) }, { onError })
  }
  return (
    <form {...formProps(form, inviting.isPending, submit)} onChange={note}>
      <div className={stack('gap24')}>
        <TextField
          label={dashboard('email')}
          type="email"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('email')}
        />
        <RoleFields form={form as never} offered={offered} />
        <p className={font('sm', 'quiet')}>{t('invitationTerms')}</p>
      </div>
      <Refusal error={inviting.error} />
      <DialogFoot>
        <Button
          submit
          block
          icon={IconSend}
          running={inviting.isPending}
          runningLabel={t('sendingInvitation')}
        >
          {t('sendInvitation')}
        </Button>
      </DialogFoot>
    </form>
  )
}
