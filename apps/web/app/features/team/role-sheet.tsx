import type { GrantedRole, Team, TeamMember } from '@muripo/contract/team'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { updateMember } from '../../api/team.ts'
import { useFormErrorToast } from '../../components/error-toast.ts'
import { Refusal } from '../../components/refusal.tsx'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { stack } from '../../components/ui/classes.ts'
import { DialogFoot } from '../../components/ui/dialog.tsx'
import { Sheet } from '../../components/ui/sheet.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { formProps, useForm } from '../../lib/forms.ts'
import { limitOf, RoleFields, type RoleValues, roleErrors } from './role-fields.tsx'
import { useTeamText } from './text.ts'

interface RoleSheetProps {
  /** Null while the sheet is closed. */
  readonly member: TeamMember | null
  readonly offered: readonly GrantedRole[]
  readonly onClose: () => void
}

export function RoleSheet({ member, offered, onClose }: RoleSheetProps) {
  const t = useTeamText()
  const cache = useQueryClient()
  const [isDirty, setDirty] = useState(false)
  const close = () => {
    setDirty(false)
    onClose()
  }
  const saving = useMutation({
    mutationFn: updateMember,
    onSuccess(saved) {
      close()
      dashboardToast.success(t('roleSaved', { name: saved.fullname }))
      cache.setQueryData<Team>(
        queryKeys.team,
        (team) =>
          team && { ...team, members: team.members.map((each) => (each.id === saved.id ? saved : each)) },
      )
    },
    onError: useFormErrorToast(),
  })
  return (
    <Sheet
      opened={member !== null}
      onClose={close}
      title={t('changeRoleOf', { name: member?.fullname ?? '' })}
      dirty={isDirty}
      running={saving.isPending}
    >
      {member && (
        <RoleForm
          member={member}
          offered={offered}
          running={saving.isPending}
          error={saving.error}
          onSave={(values) =>
            values.role &&
            saving.mutate({
              memberId: member.id,
              body: { role: values.role, applications: limitOf(values) },
            })
          }
          onDirty={() => setDirty(true)}
        />
      )}
    </Sheet>
  )
}

interface RoleFormProps {
  readonly member: TeamMember
  readonly offered: readonly GrantedRole[]
  readonly running: boolean
  readonly error: Error | null
  readonly onSave: (values: RoleValues) => void
  readonly onDirty: () => void
}

function RoleForm({ member, offered, running, error, onSave, onDirty }: RoleFormProps) {
  const t = useTeamText()
  const dashboard = useDashboardText()
  const { role, applications } = member
  const form = useForm<RoleValues>({
    initialValues: {
      role: role === 'owner' ? null : role,
      isLimited: applications !== null,
      applications: applications ?? [],
    },
    validate: (values) => roleErrors(values, t),
  })
  const noted = useRef(false)
  const note = () => {
    if (!noted.current) onDirty()
    noted.current = true
  }
  return (
    <form {...formProps(form, running, onSave)} onChange={note}>
      <div className={stack('gap24')}>
        <RoleFields form={form} offered={offered} />
      </div>
      <Refusal error={error} />
      <DialogFoot>
        <Button submit block running={running} runningLabel={dashboard('saving')}>
          {t('saveRole')}
        </Button>
      </DialogFoot>
    </form>
  )
}
